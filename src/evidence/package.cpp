#include "evidence/package.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace assay {

std::string to_text(const Package& package) {
  const bool installed = package.state == "installed";
  return fmt::format("{} {} {} {} {}{}{}", package.name, package.version, package.architecture, package.source,
                     package.source_version, installed ? "" : " ", installed ? "" : package.state);
}

bool is_sound(const Package& package) {
  const auto is_word = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c > ' ' && c <= '~'; });
  };
  return is_word(package.name) && is_word(package.version) && is_word(package.architecture) &&
         is_word(package.source) && is_word(package.source_version) && is_word(package.state);
}

std::optional<Package> package_from(std::string_view text) {
  const auto words = text::words(text);
  if (words.size() != 5 && words.size() != 6) return std::nullopt;
  const Package package{words[0], words[1], words[2], words[3], words[4], words.size() == 6 ? words[5] : "installed"};
  return is_sound(package) ? std::optional(package) : std::nullopt;
}

}  // namespace assay
