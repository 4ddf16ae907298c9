// chrony's words about the clock.
#pragma once

#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node::facts {

struct Tracking {
  std::string reference;     // id of the source in hex: 7F7F0101 is chrony's own clock, 00000000 none
  std::string server;        // its name or address; may be empty
  std::int64_t stratum = 0;  // 0: not synchronized
  double correction = 0;     // s still to be applied; positive: the clock is slow
  double root_delay = 0;     // s
  double root_dispersion = 0;
  std::string leap;  // Normal, Insert second, Delete second, Not synchronised
};

// `chronyc -c tracking`: fourteen fields, on one line.
Seen<Tracking> parse_tracking(std::string_view text);

}  // namespace assay::node::facts
