#include "node/facts/nvidia_module_detail.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace assay::node::gpu {

namespace {

bool is_version(std::string_view word) {
  const auto parts = text::split(word, '.');
  return (parts.size() == 2 || parts.size() == 3) && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           return !part.empty() && part.size() <= 6 && part.find_first_not_of("0123456789") == std::string_view::npos;
         });
}

}  // namespace

Seen<Module> parse_module(std::string_view content) {
  for (const std::string_view line : text::lines(content)) {
    if (!line.starts_with("NVRM version:")) continue;
    const auto words = text::words(line);
    const auto version = std::find_if(words.begin(), words.end(), is_version);
    if (version == words.end() || line.find("Kernel Module") == std::string_view::npos) break;
    return Module{std::string(*version), line.find("Open Kernel Module") != std::string_view::npos};
  }
  return unseen(Absence::malformed, "no NVRM version line with a version in it");
}

Seen<bool> parse_parameter(std::string_view content, std::string_view name) {
  for (const std::string_view line : text::lines(content)) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || text::trim(line.substr(0, colon)) != name) continue;
    const auto value = text::integer(text::trim(line.substr(colon + 1)));
    if (!value) return unseen(Absence::malformed, std::string(name) + " is not a number");
    return *value != 0;
  }
  return unseen(Absence::missing, "the driver has no parameter " + std::string(name));
}

}  // namespace assay::node::gpu
