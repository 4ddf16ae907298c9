// The PCI devices that carry a job's data (GPUs, adapters, NVMe disks, NVSwitches) and every bridge above them: who
// sits where, how wide and fast each link runs, and whether bridges send peers' traffic up through the CPU (ACS).
#include "node/facts/pci_detail.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/text.hpp"
#include "node/facts/folder_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr std::string_view kDevices = "/sys/bus/pci/devices";

constexpr Emits kEmits[] = {
    {"pci.gpu-count", "", "1", "display and accelerator functions of NVIDIA and AMD, virtual functions left out"},
    {"pci.nic-count", "", "1", "network and InfiniBand controllers, virtual functions left out"},
    {"pci.nvme-count", "", "1", "NVMe controllers"},
    {"pci.nvswitch-count", "", "1", "NVSwitches"},
    {"pci.role", "pci", "", "gpu, nic, nvme, nvswitch, or bridge for one on the way to those"},
    {"pci.class", "pci", "", "class code, six hexadecimal digits"},
    {"pci.vendor", "pci", "", "vendor id, four hexadecimal digits"},
    {"pci.device", "pci", "", "device id, four hexadecimal digits"},
    {"pci.driver", "pci", "", "the kernel driver that is bound to it"},
    {"pci.numa-node", "pci", "1", "the NUMA node that it hangs on"},
    {"pci.path", "pci", "", "the bridges above it, from the root port down"},
    {"pci.parent", "pci", "", "the bridge just above it"},
    {"pci.link-speed", "pci", "GT/s",
     "how fast its link to the bridge above runs (of a root or downstream port: below)"},
    {"pci.link-speed-max", "pci", "GT/s", "how fast its own side of that link could run"},
    {"pci.link-width", "pci", "1", "lanes that the link runs on"},
    {"pci.link-width-max", "pci", "1", "lanes that its own side of the link has"},
    {"pci.port-type", "pci", "", "endpoint, root-port, upstream-port, downstream-port, as its config says"},
    {"pci.acs", "pci", "", "of a bridge: the access control services that are on; missing where it has none"},
    {"pci.acs-capable", "pci", "", "of a bridge: the access control services that it has"},
    {"pci.ats", "pci", "", "of an adapter or GPU: whether its address translation service is on"},
};

struct Device {
  std::string role;
  Seen<TextList> path;
};
using Devices = std::map<std::string, Device, decltype(&text::natural_less)>;

struct Survey {
  Devices devices{&text::natural_less};
  std::optional<Absent> gap;  // why it may not be all of them
};

std::optional<std::int64_t> code_in(Host& host, const std::string& file) {
  const auto content = host.text(file, 64, false);
  if (!content || !content->starts_with("0x")) return std::nullopt;
  return text::integer(text::trim(*content).substr(2), 16);
}

// The devices to follow, without their bridges.
Survey survey(Host& host, const std::vector<std::string>& addresses) {
  Survey found;
  std::string seen;
  for (const std::string& address : addresses) {
    const std::string folder = fmt::format("{}/{}", kDevices, address);
    const auto class_code = code_in(host, folder + "/class");
    const auto vendor = class_code && !pci::role_of(*class_code, 0x10de).empty() ? code_in(host, folder + "/vendor")
                                                                                 : std::optional<std::int64_t>(0);
    if (!class_code || !vendor) {
      found.gap = Absent{Absence::malformed, folder + ": its class and vendor can't be read"};
      continue;
    }
    seen += fmt::format("{} {:06x}\n", address, *class_code);
    const auto role = pci::role_of(*class_code, *vendor);
    if (role.empty() || role == "bridge" || host.exists(folder + "/physfn")) continue;
    const auto path =
        host.real(folder).and_then([&](const std::string& real) { return pci::bridges_above(real, address); });
    found.devices.emplace(address, Device{std::string(role), path});
  }
  host.note(fmt::format("class of each device in {}", kDevices), seen);
  return found;
}

void count(const Seen<Survey>& survey, Findings& findings) {
  for (const std::string role : {"gpu", "nic", "nvme", "nvswitch"}) {
    const auto number = survey.and_then([&](const Survey& all) -> Seen<std::int64_t> {
      if (all.gap) return tl::unexpected<Absent>(*all.gap);
      std::int64_t sum = 0;
      for (const auto& [address, device] : all.devices) sum += device.role == role ? 1 : 0;
      return sum;
    });
    findings.say({}, fmt::format("pci.{}-count", role), number, kDevices);
  }
}

// Adds the bridges above.
void add_bridges(Devices& devices) {
  const Devices ends = devices;
  for (const auto& [address, device] : ends) {
    if (!device.path) continue;
    for (auto bridge = device.path->begin(); bridge != device.path->end(); ++bridge)
      devices.emplace(*bridge, Device{"bridge", TextList(device.path->begin(), bridge)});
  }
}

// Bytes of config that were used, for people to check: a hexadecimal dump of what isn't zero.
std::string dump(std::string_view bytes) {
  std::string lines;
  for (std::size_t at = 0; at < bytes.size(); at += 16) {
    const std::string_view row = bytes.substr(at, 16);
    if (row.find_first_not_of('\0') == std::string_view::npos) continue;
    lines += fmt::format("{:03x}:", at);
    for (const char byte : row) lines += fmt::format(" {:02x}", static_cast<unsigned char>(byte));
    lines += '\n';
  }
  return lines;
}

template <class T>
Seen<T> first_of(const Seen<T>& preferred, const Seen<T>& other) {
  return preferred || !other ? preferred : other;
}

void read_links(Folder& folder, const pci::Config& config, const Subject& subject, Findings& findings) {
  const auto say = [&](const char* name, const char* speed_file, const char* width_file, const Seen<pci::Link>& link) {
    const auto speed = folder.line(speed_file).and_then([](const std::string& t) { return pci::parse_speed(t); });
    const auto width = folder.line(width_file).and_then([](const std::string& t) { return pci::parse_width(t); });
    const auto suffix = std::string_view(name);
    findings.say(subject, fmt::format("pci.link-speed{}", suffix),
                 first_of(speed, link.map([](const pci::Link& l) { return l.speed; })), folder.at(speed_file));
    findings.say(subject, fmt::format("pci.link-width{}", suffix),
                 first_of(width, link.map([](const pci::Link& l) { return l.width; })), folder.at(width_file));
  };
  say("", "current_link_speed", "current_link_width", config.current);
  say("-max", "max_link_speed", "max_link_width", config.capable);
}

Seen<std::int64_t> numa_node(Folder& folder) {
  return folder.decimal("numa_node").and_then([](std::int64_t node) -> Seen<std::int64_t> {
    if (node < 0) return unseen(Absence::unsupported, "the firmware doesn't tell which NUMA node it hangs on");
    return node;
  });
}

void say_identity(Folder& folder, const Subject& subject, Findings& findings) {
  const auto digits = [&](const char* name, int width) {
    return folder.hexadecimal(name).map([&](std::int64_t id) { return fmt::format("{:0{}x}", id, width); });
  };
  findings.say(subject, "pci.class", digits("class", 6), folder.at("class"));
  findings.say(subject, "pci.vendor", digits("vendor", 4), folder.at("vendor"));
  findings.say(subject, "pci.device", digits("device", 4), folder.at("device"));
  findings.say(subject, "pci.numa-node", numa_node(folder), folder.at("numa_node"));
}

void say_place(const Device& device, const std::string& from, const Subject& subject, Findings& findings) {
  findings.say(subject, "pci.path", device.path, from);
  findings.say(subject, "pci.parent", device.path.and_then([](const TextList& path) -> Seen<std::string> {
    if (path.empty()) return unseen(Absence::missing, "it is on a root bus: no bridge is above it");
    return path.back();
  }),
               from);
}

void describe(Host& host, const std::string& address, const Device& device, Findings& findings) {
  const Subject subject = Subject().child("pci", address);
  Folder folder(host, fmt::format("{}/{}", kDevices, address));
  findings.see(subject, "pci.role", device.role, folder.path());
  say_identity(folder, subject, findings);
  say_place(device, folder.path(), subject, findings);
  findings.say(subject, "pci.driver", host.link(folder.at("driver")).map([](const std::string& target) {
    return target.substr(target.rfind('/') + 1);
  }),
               folder.at("driver"));

  const auto bytes = host.text(folder.at("config"), 4096, false);
  if (bytes) host.note("config of " + address, dump(*bytes));
  const pci::Config config = bytes ? pci::parse_config(*bytes) : pci::parse_config("");
  const auto say = [&](const char* name, const auto& seen) {
    if (bytes) return findings.say(subject, name, seen, folder.at("config"));
    findings.absent(subject, name, bytes.error(), folder.at("config"));
  };
  read_links(folder, config, subject, findings);
  say("pci.port-type", config.port_type);
  if (device.role == "bridge") {
    say("pci.acs", config.acs_on);
    say("pci.acs-capable", config.acs_capable);
  } else if (device.role == "nic" || device.role == "gpu") {
    say("pci.ats", config.ats_on);
  }
}

void read(Host& host, Findings& findings) {
  const auto addresses = host.names(std::string(kDevices));
  auto found = addresses.map([&](const std::vector<std::string>& all) { return survey(host, all); });
  count(found, findings);
  if (!found) return;
  add_bridges(found->devices);
  for (const auto& [address, device] : found->devices) describe(host, address, device, findings);
}

}  // namespace

extern const Reader pci = {"pci", "PCI devices, their links and bridges", std::chrono::seconds(10), kEmits, read};

}  // namespace assay::node::facts
