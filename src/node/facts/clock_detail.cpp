#include "node/facts/clock_detail.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace assay::node::facts {

Seen<Tracking> parse_tracking(std::string_view text) {
  const auto refuse = [&] {
    return unseen(Absence::malformed,
                  fmt::format("chronyc's tracking isn't 14 fields: \"{}\"", text::to_utf8(text.substr(0, 120))));
  };
  const auto lines = text::lines(text);
  if (lines.size() != 1) return refuse();
  const auto fields = text::split(lines[0], ',');
  if (fields.size() != 14 || fields[0].size() != 8 || !text::integer(fields[0], 16) || fields[13].empty())
    return refuse();
  const auto stratum = text::integer(fields[2]);
  const auto correction = text::decimal(fields[4]);
  const auto delay = text::decimal(fields[10]);
  const auto dispersion = text::decimal(fields[11]);
  if (!stratum || *stratum < 0 || *stratum > 16 || !correction || !delay || !dispersion) return refuse();
  return Tracking{std::string(fields[0]), std::string(fields[1]), *stratum, *correction, *delay, *dispersion,
                  std::string(fields[13])};
}

}  // namespace assay::node::facts
