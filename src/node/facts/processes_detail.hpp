// The running processes by name, from /proc: what stands in for a service manager where there is none, and what sees
// daemons that run inside containers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "node/host.hpp"

namespace assay::node::facts {

struct Process {
  std::int64_t pid = 0;
  std::string name;  // as the kernel keeps it: at most 15 bytes
};

// All but dead ones and kernel threads. Where /proc hides other users' processes from us: absent, permission.
Seen<std::vector<Process>> processes(Host& host);

// "123 (some name) S 1 …": name, state letter and parent.
struct Stat {
  std::string name;
  char state = '?';
  std::int64_t parent = 0;
};
Seen<Stat> parse_stat(std::string_view text);

}  // namespace assay::node::facts
