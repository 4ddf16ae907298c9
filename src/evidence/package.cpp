#include "evidence/package.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace assay {

std::string to_text(const Package& package) {
  const bool installed = package.state == "installed";
  return fmt::format("{} {} {} {} {}{}{}", package.name, package.version, package.architecture, package.source,
                     package.source_version, installed ? "" : " ", installed ? "" : package.state);
}

std::optional<Package> package_from(std::string_view text) {
  const auto words = text::words(text);
  if (words.size() != 5 && words.size() != 6) return std::nullopt;
  return Package{words[0], words[1], words[2], words[3], words[4], words.size() == 6 ? words[5] : "installed"};
}

}  // namespace assay
