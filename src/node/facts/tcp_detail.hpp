// /proc/net/tcp and tcp6, read: who listens where.
//
//     sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
//      0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 …
//
// Addresses are 32-bit words in the machine's own byte order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "node/host.hpp"

namespace assay::node::facts {

struct Listener {
  std::string address;  // "127.0.0.1", "0.0.0.0", "::", "::1"
  std::int64_t port = 0;
  std::int64_t inode = 0;  // of its socket
  bool operator==(const Listener&) const = default;
};

// The lines in state LISTEN. One line of another form makes the table unreadable.
Seen<std::vector<Listener>> parse_tcp(std::string_view text);
// Both tables of this host's network; a kernel without IPv6 has one.
Seen<std::vector<Listener>> listeners(Host& host);

}  // namespace assay::node::facts
