// The other formats of feeds, each asked for every text that it recognizes, and, by the first byte, for one that it
// doesn't: read, or refused with words.
#include <cstdlib>
#include <string>

#include "advisory/format.hpp"

namespace {

namespace advisory = assay::advisory;

void check(const advisory::Batch& batch) {
  if (batch.elsewhere > batch.ranges) std::abort();
  for (const advisory::Advisory& one : batch.advisories)
    if (one.id.empty() || one.source.empty() || one.affected.empty()) std::abort();
  for (const advisory::Cycle& one : batch.cycles)
    if (one.product.empty() || one.line.empty() || one.source.empty()) std::abort();
  for (const advisory::Refusal& one : batch.refused)
    if (one.why.empty() || one.came.size() > 200) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  text.resize(size - 1 + advisory::kPadding, '"');
  const advisory::Document document{"feeds/product.json", std::string_view(text).substr(0, size - 1)};
  const auto& formats = advisory::all_formats();
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const bool asked = formats[i]->recognizes(document) || data[0] % formats.size() == i;
    if (!asked) continue;
    if (const auto batch = formats[i]->read(document)) check(*batch);
  }
  return 0;
}
