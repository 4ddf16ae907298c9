// RDMA adapters and their ports: InfiniBand, RoCE, and soft ones. States first, tables next, counters last: a hung
// adapter answers none of the later reads, and what was said before stays said.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "node/facts/folder_detail.hpp"
#include "node/facts/infiniband_detail.hpp"
#include "node/facts/infiniband_listing_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr std::string_view kClass = "/sys/class/infiniband";

// What link checks rest on: said as absent where the port doesn't count them.
constexpr std::array<std::string_view, 8> kErrorCounters = {"excessive_buffer_overrun_errors",
                                                            "link_downed",
                                                            "link_error_recovery",
                                                            "local_link_integrity_errors",
                                                            "port_rcv_errors",
                                                            "port_rcv_remote_physical_errors",
                                                            "port_xmit_discards",
                                                            "symbol_error"};

constexpr Emits kEmits[] = {
    {"hca.names", "", "", "RDMA devices of this host, in natural order; missing where the kernel has no RDMA at all"},
    {"hca.type", "hca", "", "model as its driver names it: MT4129"},
    {"hca.firmware", "hca", "", "firmware version; a soft adapter has none"},
    {"hca.board-id", "hca", "", "the maker's board id (PSID)"},
    {"hca.node-guid", "hca", "", "its 64-bit identity"},
    {"hca.pci", "hca", "", "the PCI device that it is"},
    {"hca.interfaces", "hca", "", "network interfaces of the same PCI device"},
    {"port.state", "port", "", "ACTIVE, DOWN, INIT, ARMED"},
    {"port.phys-state", "port", "", "LinkUp, Polling, Disabled, Sleep, …"},
    {"port.rate", "port", "Gbit/s", "the link's data rate"},
    {"port.lanes", "port", "1", "lanes that it runs on"},
    {"port.speed", "port", "", "name of the lanes' speed: EDR, HDR, NDR"},
    {"port.link-layer", "port", "", "InfiniBand or Ethernet (RoCE)"},
    {"port.lid", "port", "1", "address that the subnet manager gave it"},
    {"port.sm-lid", "port", "1", "address of the subnet manager"},
    {"port.capabilities", "port", "1", "capability mask"},
    {"port.pkeys", "port", "", "partition keys of its table, empty entries left out: 0x7fff is limited, 0xffff full"},
    {"port.gids", "port", "", "GID table by index, empty entries left out: GID, type and interface"},
    {"port.counter.*", "port", "1", "what the port counted since the counters were last reset"},
    {"port.hw-counter.*", "port", "1", "what the adapter's transport counted since its driver was loaded"},
};

struct Place {
  Subject subject;
  std::string folder;
};

Seen<TextList> as_list(Seen<std::vector<std::string>> names) { return names; }

Seen<std::string> pci_address(Host& host, const std::string& folder) {
  return host.real(folder + "/device").and_then([&](const std::string& path) -> Seen<std::string> {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (std::count(name.begin(), name.end(), ':') != 2)
      return unseen(Absence::missing, folder + "/device is no PCI device");
    return name;
  });
}

void say_adapter(Host& host, const Place& adapter, Findings& findings) {
  Folder folder(host, adapter.folder);
  for (const auto& [name, file] : {std::pair("hca.type", "hca_type"),
                                   {"hca.firmware", "fw_ver"},
                                   {"hca.board-id", "board_id"},
                                   {"hca.node-guid", "node_guid"}})
    findings.say(adapter.subject, name, folder.line(file), folder.at(file));
  findings.say(adapter.subject, "hca.pci", pci_address(host, adapter.folder), folder.at("device"));
  findings.say(adapter.subject, "hca.interfaces", as_list(host.names(folder.at("device/net"))),
               folder.at("device/net"));
}

void say_state(Host& host, const Place& port, Findings& findings) {
  Folder folder(host, port.folder);
  const auto say = [&](const char* name, const char* file, const auto& seen) {
    findings.say(port.subject, name, seen, folder.at(file));
  };
  const auto word = [](const std::string& text) { return infiniband::parse_state(text); };
  say("port.state", "state", folder.line("state").and_then(word));
  say("port.phys-state", "phys_state", folder.line("phys_state").and_then(word));
  say("port.link-layer", "link_layer", folder.line("link_layer"));
  const auto rate = folder.line("rate").and_then([](const std::string& text) { return infiniband::parse_rate(text); });
  say("port.rate", "rate", rate.map([](const auto& r) { return r.gigabits; }));
  say("port.lanes", "rate", rate.map([](const auto& r) { return r.lanes; }));
  say("port.speed", "rate", rate.and_then([](const auto& r) -> Seen<std::string> {
    return r.speed.empty() ? Seen<std::string>(unseen(Absence::unsupported, "the kernel gives no name")) : r.speed;
  }));
  say("port.lid", "lid", folder.hexadecimal("lid"));
  say("port.sm-lid", "sm_lid", folder.hexadecimal("sm_lid"));
  say("port.capabilities", "cap_mask", folder.hexadecimal("cap_mask"));
}

Seen<TextList> partition_keys(Host& host, const std::string& path) {
  const auto indices = host.names(path);
  if (!indices) return tl::unexpected(indices.error());
  Folder folder(host, path);
  TextList keys;
  for (const std::string& index : *indices) {
    const auto key = folder.hexadecimal(index);
    if (!key) return tl::unexpected(key.error());
    if (*key < 0 || *key > 0xffff)
      return unseen(Absence::malformed, fmt::format("{}/{} holds no 16-bit key", path, index));
    if (*key != 0) keys.push_back(fmt::format("{:#06x}", *key));
  }
  return keys;
}

Seen<Record> gids(Host& host, const std::string& port) {
  const auto indices = host.names(port + "/gids");
  if (!indices) return tl::unexpected(indices.error());
  Folder folder(host, port);
  Record table;
  for (const std::string& index : *indices) {
    // Read by hand: a table has 256 entries, and what is empty needs no line in the transcript.
    const auto text = host.text(folder.at("gids/" + index), 4096, false);
    if (!text) return tl::unexpected(text.error());
    if (text->find_first_not_of("0: \n") == std::string::npos) continue;
    const auto gid = folder.line("gids/" + index);
    infiniband::Gid entry;
    entry.gid = gid.value_or("");
    entry.type = folder.line("gid_attrs/types/" + index).value_or("");
    entry.interface = folder.line("gid_attrs/ndevs/" + index).value_or("");
    table[index] = entry.text();
  }
  return table;
}

void say_counters(Host& host, const Place& port, const char* folder_name, const std::string& prefix,
                  std::span<const std::string_view> wanted, Findings& findings) {
  const std::string path = port.folder + "/" + folder_name;
  const auto names = host.names(path);
  Folder folder(host, path);
  if (names)
    for (const std::string& name : *names)
      findings.say(port.subject, prefix + name, folder.decimal(name), folder.at(name));
  for (const std::string_view name : wanted) {
    if (names && std::find(names->begin(), names->end(), name) != names->end()) continue;
    const Absent why = names ? host.none(fmt::format("{} has no {}", path, name)) : names.error();
    findings.absent(port.subject, prefix + std::string(name), why, path);
  }
}

std::vector<Place> ports_of(Host& host, const Place& adapter) {
  std::vector<Place> ports;
  const auto numbers = host.names(adapter.folder + "/ports");
  if (!numbers) return ports;
  for (const std::string& number : *numbers)
    ports.push_back({adapter.subject.child("port", number), adapter.folder + "/ports/" + number});
  return ports;
}

void read(Host& host, Findings& findings) {
  const auto names = host.names(std::string(kClass));
  if (!names && !host.live()) return infiniband::say_listing(host, names.error(), findings);
  findings.say({}, "hca.names", as_list(names), kClass);
  if (!names) return;
  std::vector<Place> ports;
  for (const std::string& name : *names) {
    const Place adapter{Subject().child("hca", name), fmt::format("{}/{}", kClass, name)};
    say_adapter(host, adapter, findings);
    for (Place& port : ports_of(host, adapter)) ports.push_back(std::move(port));
  }
  for (const Place& port : ports) say_state(host, port, findings);
  for (const Place& port : ports) {
    findings.say(port.subject, "port.pkeys", partition_keys(host, port.folder + "/pkeys"), port.folder + "/pkeys");
    findings.say(port.subject, "port.gids", gids(host, port.folder), port.folder + "/gids");
  }
  for (const Place& port : ports) {
    say_counters(host, port, "counters", "port.counter.", kErrorCounters, findings);
    say_counters(host, port, "hw_counters", "port.hw-counter.", {}, findings);
  }
}

}  // namespace

extern const Reader infiniband = {"infiniband", "RDMA adapters, their ports and counters", std::chrono::seconds(10),
                                  kEmits, read};

}  // namespace assay::node::facts
