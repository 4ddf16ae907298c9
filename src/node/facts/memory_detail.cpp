#include "node/facts/memory_detail.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

constexpr std::int64_t kMostKib = INT64_MAX / 1024;

tl::unexpected<Absent> refuse(std::string_view what, std::string_view came) {
  return unseen(Absence::malformed, fmt::format("{}: \"{}\"", what, text::to_utf8(came.substr(0, 80))));
}

std::optional<std::int64_t> kib(std::string_view number) {
  const auto value = text::integer(number);
  if (!value || *value < 0 || *value > kMostKib) return std::nullopt;
  return *value * 1024;
}

}  // namespace

Seen<std::map<std::string, std::int64_t>> parse_meminfo(std::string_view text) {
  std::map<std::string, std::int64_t> fields;
  for (const std::string_view line : text::lines(text)) {
    const auto colon = line.find(':');
    const auto words = text::words(colon == std::string_view::npos ? "" : line.substr(colon + 1));
    const bool sized = words.size() == 2 && words[1] == "kB";
    const auto value = sized ? kib(words[0]) : words.size() == 1 ? text::integer(words[0]) : std::nullopt;
    if (!value) return refuse("a line of /proc/meminfo that isn't a name and an amount", line);
    fields.emplace(text::trim(line.substr(0, colon)), *value);
  }
  if (!fields.contains("MemTotal")) return refuse("/proc/meminfo without MemTotal", text);
  return fields;
}

Seen<std::vector<SwapArea>> parse_swaps(std::string_view text) {
  const auto lines = text::lines(text);
  if (lines.empty() || !lines[0].starts_with("Filename")) return refuse("/proc/swaps without its heading", text);
  std::vector<SwapArea> areas;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::string line(lines[i]);
    for (char& c : line)
      if (c == '\t') c = ' ';
    // The name itself has its blanks written as \040; " (deleted)" may follow it.
    const auto words = text::words(line);
    const auto last = words.size();
    const auto size = last < 5 ? std::nullopt : kib(words[last - 3]);
    const auto used = last < 5 ? std::nullopt : kib(words[last - 2]);
    if (!size || !used) return refuse("a line of /proc/swaps that isn't a swap area", lines[i]);
    areas.push_back({std::string(words[0]), std::string(words[last - 4]), *size, *used});
  }
  return areas;
}

Seen<std::string> chosen(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || close == std::string_view::npos || close == open + 1)
    return refuse("no [chosen] word", text);
  return std::string(text.substr(open + 1, close - open - 1));
}

}  // namespace assay::node::facts
