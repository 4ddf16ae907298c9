// RDMA ports in words and numbers, from what sysfs prints and from the text of ibstat, ibstatus and show_gids (all that
// an unpacked sosreport holds of them). Pure: text in, facts out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "node/host.hpp"

namespace assay::node::infiniband {

// "4: ACTIVE" → "ACTIVE", "5: LinkUp" → "LinkUp".
Seen<std::string> parse_state(std::string_view text);

struct Rate {
  double gigabits = 0;     // per second
  std::int64_t lanes = 0;  // 4 of "4X"
  std::string speed;       // NDR; empty where the kernel gives no name
};
Seen<Rate> parse_rate(std::string_view text);  // "400 Gb/sec (4X NDR)"

// One port as a text tool prints it. Words are spelt as sysfs spells them; what a tool doesn't print is empty.
struct Port {
  std::string state;
  std::string phys_state;
  std::string link_layer;
  std::optional<Rate> rate;
  std::optional<std::int64_t> lid;
  std::optional<std::int64_t> sm_lid;
  std::optional<std::int64_t> capabilities;
};

struct Adapter {
  std::string type;
  std::string firmware;
  std::string node_guid;
  std::int64_t port_count = 0;  // as the tool tells it; 0 if it doesn't
  std::map<int, Port> ports;
};

struct Listing {
  std::map<std::string, Adapter> adapters;
  std::map<std::string, std::string> failed;  // an adapter that the tool names but couldn't read, and its words
};

// Refused as malformed: text that ends inside a port, or isn't of the tool at all.
Seen<Listing> parse_ibstat(std::string_view text);
Seen<Listing> parse_ibstatus(std::string_view text);

struct Gid {
  std::string adapter;
  int port = 0;
  int index = 0;
  std::string gid;
  std::string type;  // "RoCE v2" or "IB/RoCE v1", as sysfs says it
  std::string interface;
  std::string text() const { return gid + " " + type + (interface.empty() ? "" : " " + interface); }
};
Seen<std::vector<Gid>> parse_show_gids(std::string_view text);

}  // namespace assay::node::infiniband
