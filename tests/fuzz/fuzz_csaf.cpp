// NVIDIA bulletins: read, or refused with words. Whatever is taken must be what a verdict may be drawn from: a product
// with a name, versions of its scheme, and never an end both mended and last.
#include <cstdlib>
#include <string>

#include "advisory/format.hpp"

namespace {

namespace advisory = assay::advisory;

const advisory::Format& bulletins() {
  for (const advisory::Format* format : advisory::all_formats())
    if (format->name == "nvidia_csaf") return *format;
  std::abort();
}

void check(const advisory::Affected& affected) {
  if (affected.ecosystem.empty() || affected.package.empty()) std::abort();
  for (const advisory::Range& range : affected.ranges)
    if (!range.fixed.empty() && !range.last.empty()) std::abort();
  const bool tells = !affected.ranges.empty() || !affected.versions.empty() || !affected.fixed.empty();
  if (affected.says == advisory::Affected::Says::affected && !tells) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  text.resize(size + advisory::kPadding, '"');
  const advisory::Document document{"fuzz.json", std::string_view(text).substr(0, size)};
  (void)bulletins().recognizes(document);
  const auto batch = bulletins().read(document);
  if (!batch) return 0;
  if (batch->elsewhere > batch->ranges) std::abort();
  for (const advisory::Advisory& one : batch->advisories) {
    if (one.id.empty() || one.source.empty() || one.affected.empty()) std::abort();
    for (const advisory::Affected& affected : one.affected) check(affected);
  }
  for (const advisory::Refusal& one : batch->refused)
    if (one.why.empty() || one.came.size() > 200) std::abort();
  return 0;
}
