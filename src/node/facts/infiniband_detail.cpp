#include "node/facts/infiniband_detail.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace assay::node::infiniband {

Seen<std::string> parse_state(std::string_view text) {
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos || !text::integer(text.substr(0, colon)) ||
      text::trim(text.substr(colon + 2)).empty() || text[colon + 2] == '<')
    return unseen(Absence::malformed, fmt::format("\"{}\" is no state of a port", text.substr(0, 60)));
  return std::string(text::trim(text.substr(colon + 2)));
}

Seen<Rate> parse_rate(std::string_view text) {
  const auto malformed = [&] {
    return unseen(Absence::malformed, fmt::format("\"{}\" is no rate of a port", text.substr(0, 60)));
  };
  const auto words = text::words(text);  // 400 Gb/sec (4X NDR)
  if (words.size() < 3 || words.size() > 4 || words[1] != "Gb/sec" || !text.ends_with(')')) return malformed();
  std::string_view width = words[2];
  if (!width.starts_with('(')) return malformed();
  width.remove_prefix(1);
  if (words.size() == 3) width.remove_suffix(1);
  if (!width.ends_with('X')) return malformed();
  const auto gigabits = text::decimal(words[0]);
  const auto lanes = text::integer(width.substr(0, width.size() - 1));
  if (!gigabits || *gigabits < 0 || !lanes || *lanes < 1 || *lanes > 12) return malformed();
  return Rate{*gigabits, *lanes, words.size() == 4 ? std::string(words[3].substr(0, words[3].size() - 1)) : ""};
}

Seen<std::vector<Gid>> parse_show_gids(std::string_view text) {
  std::vector<Gid> gids;
  bool heading = false;
  for (const std::string_view line : text::lines(text)) {
    const auto fields = text::words(line);
    if (fields.size() >= 6 && fields[0] == "DEV" && fields[1] == "PORT") heading = true;
    if (!heading || fields.empty() || fields[0] == "DEV" || fields[0].starts_with("---")) continue;
    if (fields[0].starts_with("n_gids_found=")) break;
    const bool addressed = fields.size() >= 6 && fields[4].find('.') != std::string_view::npos;
    const std::size_t at = addressed ? 5 : 4;  // the IPv4 column is left blank for other addresses
    const auto port = fields.size() > 2 ? text::integer(fields[1]) : std::nullopt;
    const auto index = fields.size() > 2 ? text::integer(fields[2]) : std::nullopt;
    const bool whole = fields.size() > at && fields.size() <= at + 2 && (fields[at] == "v1" || fields[at] == "v2");
    if (!port || !index || !whole || *port < 1 || *port > 255 || *index < 0 || *index > 65535)
      return unseen(Absence::malformed, fmt::format("\"{}\" is no line of show_gids", line.substr(0, 100)));
    gids.push_back({std::string(fields[0]), static_cast<int>(*port), static_cast<int>(*index), std::string(fields[3]),
                    fields[at] == "v2" ? "RoCE v2" : "IB/RoCE v1",
                    fields.size() > at + 1 ? std::string(fields[at + 1]) : ""});
  }
  if (!heading) return unseen(Absence::malformed, "no heading of show_gids was found");
  return gids;
}

}  // namespace assay::node::infiniband
