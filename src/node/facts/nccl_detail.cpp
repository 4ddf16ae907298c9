#include "node/facts/nccl_detail.hpp"

#include "base/text.hpp"

namespace assay::node::nccl {

namespace {

bool ours(std::string_view name) { return text::starts_with_any(name, {"NCCL_", "RCCL_"}); }

}  // namespace

Record parse_conf(std::string_view text) {
  constexpr std::size_t kLongest = 1023;  // NCCL's own bound on a name and on a value
  Record settings;
  for (const std::string_view line : text::lines(text)) {
    const auto equals = line.find('=');
    if (line.starts_with('#') || equals == std::string_view::npos) continue;
    settings.emplace(line.substr(0, std::min(equals, kLongest)), line.substr(equals + 1, kLongest));
  }
  return settings;
}

Record parse_environ(std::string_view bytes) {
  Record settings;
  for (const std::string_view entry : text::split(bytes, '\0')) {
    const auto equals = entry.find('=');
    if (equals != std::string_view::npos && ours(entry))
      settings.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return settings;
}

}  // namespace assay::node::nccl
