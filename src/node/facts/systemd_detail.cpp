#include "node/facts/systemd_detail.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace assay::node::facts {

Seen<Units> parse_show(std::string_view output, const std::vector<std::string>& asked) {
  Units units;
  Properties properties;
  std::size_t at = 0;
  const auto finish = [&] {
    if (properties.empty()) return;
    if (at < asked.size()) units.emplace(asked[at], std::move(properties));
    ++at;
    properties = {};
  };
  for (const std::string_view line : text::lines(output)) {
    const auto equals = line.find('=');
    if (line.empty()) {
      finish();
    } else if (equals == std::string_view::npos) {
      return unseen(Absence::malformed, fmt::format("systemctl show printed \"{}\"", text::to_utf8(line, 80)));
    } else {
      properties.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  finish();
  if (at != asked.size())
    return unseen(Absence::malformed, fmt::format("systemctl told of {} units, not {}", at, asked.size()));
  return units;
}

}  // namespace assay::node::facts
