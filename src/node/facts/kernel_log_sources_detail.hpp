// Where the kernel's log is kept, and which of these to believe. /dev/kmsg has every message until its ring is full and
// then forgets the oldest; the journal and the files of syslog reach back further, or no further than the last
// rotation.
#pragma once

#include <string>
#include <vector>

#include "node/facts/kernel_log_events_detail.hpp"
#include "node/host.hpp"

namespace assay::node::kernel_log {

constexpr std::size_t kMostEvents = 300;  // told of a log

struct Source {
  std::string name;
  Log log;
  std::vector<Event> events;  // by turns; also what another source alone still knew
  Seen<double> reach = 0;     // s, from the oldest message to now
};

// The first that reaches back to the boot or for at least a day, else the one that reaches back furthest. An excerpt of
// each that was read goes into the transcript. Where none can be read, what stood in the way of those that are there.
Seen<Source> find(Host& host);

}  // namespace assay::node::kernel_log
