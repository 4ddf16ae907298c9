#include "node/facts/limits_detail.hpp"

#include "base/text.hpp"

namespace assay::node::facts {

std::vector<LimitEntry> parse_limits(std::string_view text) {
  std::vector<LimitEntry> entries;
  for (std::string_view line : text::lines(text)) {
    line = line.substr(0, line.find('#'));
    const auto words = text::words(line);
    if (words.size() != 4) continue;
    entries.push_back({std::string(words[0]), text::lower(words[1]), text::lower(words[2]), text::lower(words[3])});
  }
  return entries;
}

}  // namespace assay::node::facts
