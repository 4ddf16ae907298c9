// What is told of a PCI device by its sysfs attributes and its configuration space. Pure: bytes and text in, facts out.
//
//   role_of         what a device is to us, by its class and vendor
//   bridges_above   the bridges that its sysfs path leads through
//   parse_speed, parse_width   current_link_speed and its like
//   parse_config    a configuration space as the PCI Express base specification lays it out: 64 bytes are all that
//                   the kernel shows to a user who isn't root, 256 where extended space is out of reach, 4096 else
#pragma once

#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node::pci {

// gpu, nic, nvme, nvswitch, bridge, or empty for a device that we don't follow.
std::string_view role_of(std::int64_t class_code, std::int64_t vendor);

// From the root port down, the device itself left out; empty for a device on a root bus.
// "/sys/devices/pci0000:15/0000:15:01.0/0000:19:00.0" leads through 0000:15:01.0.
Seen<TextList> bridges_above(std::string_view real_path, std::string_view address);

Seen<double> parse_speed(std::string_view text);        // "32.0 GT/s PCIe"; in GT/s
Seen<std::int64_t> parse_width(std::string_view text);  // lanes; 0 and 255 stand for a link that can't be told

struct Link {
  double speed = 0;  // GT/s
  std::int64_t width = 0;
};

struct Config {
  Seen<std::string> port_type;  // endpoint, root-port, upstream-port, downstream-port, …
  Seen<Link> capable;
  Seen<Link> current;
  Seen<TextList> acs_capable;  // as lspci names them: SrcValid, TransBlk, ReqRedir, CmpltRedir, UpstreamFwd, …
  Seen<TextList> acs_on;       // missing where the device has no such capability
  Seen<bool> ats_on;
};

Config parse_config(std::string_view bytes);

}  // namespace assay::node::pci
