// Network interfaces as the kernel's folders tell them, and their addresses as the C library does.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <map>

#include "base/text.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr std::size_t kMostInterfaces = 512;

constexpr Emits kEmits[] = {
    {"interfaces.names", "", "", "names of all network interfaces"},
    {"interface.kind", "interface", "",
     "loopback, physical, infiniband, bridge, bond, vlan, tunnel, or virtual for all others (veth, dummy)"},
    {"interface.state", "interface", "", "operstate: up, down, unknown, lowerlayerdown"},
    {"interface.mtu", "interface", "By", "largest packet"},
    {"interface.speed", "interface", "Mbit/s", "link speed; absent where the link is down or has none"},
    {"interface.mac", "interface", "", "hardware address"},
    {"interface.driver", "interface", "", "driver of the device behind it"},
    {"interface.pci", "interface", "", "PCI address of the device behind it"},
    {"interface.master", "interface", "", "the bond or bridge that it is part of"},
    {"interface.addresses", "interface", "", "addresses with prefix length, link-local ones left out"},
};

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string kind_of(Host& host, const std::string& folder) {
  const auto type = host.integer(folder + "/type");
  if (type && *type == 772) return "loopback";
  if (type && *type == 32) return "infiniband";
  if (host.exists(folder + "/bridge")) return "bridge";
  if (host.exists(folder + "/bonding")) return "bond";
  const auto uevent = host.text(folder + "/uevent");
  if (uevent && uevent->find("DEVTYPE=vlan\n") != std::string::npos) return "vlan";
  if (host.exists(folder + "/tun_flags") || (uevent && uevent->find("DEVTYPE=vxlan\n") != std::string::npos) ||
      (type && (*type == 768 || *type == 769 || *type == 776 || *type == 778 || *type == 65534)))
    return "tunnel";
  return host.exists(folder + "/device") ? "physical" : "virtual";
}

// -1 and an error at reading both mean that there is no speed to tell.
Seen<std::int64_t> speed_of(Host& host, const std::string& folder) {
  return host.integer(folder + "/speed").and_then([&](std::int64_t speed) -> Seen<std::int64_t> {
    if (speed <= 0 || speed >= 0xFFFFFFFF) return unseen(Absence::unsupported, folder + "/speed tells no speed");
    return speed;
  });
}

void say_device(Host& host, Findings& findings, const Subject& subject, const std::string& folder) {
  const auto device = host.real(folder + "/device");
  const Absent none{Absence::missing, "no device behind " + folder};
  if (!device) {
    const Absent& why = device.error().reason == Absence::missing ? none : device.error();
    findings.absent(subject, "interface.driver", why, folder);
    findings.absent(subject, "interface.pci", why, folder);
    return;
  }
  findings.say(subject, "interface.driver", host.real(*device + "/driver").map(last_part), folder + "/device");
  const std::string bus = host.real(*device + "/subsystem").map(last_part).value_or("");
  if (bus == "pci") {
    findings.see(subject, "interface.pci", last_part(*device), folder + "/device");
  } else {
    findings.absent(subject, "interface.pci", {Absence::missing, "no PCI device behind " + folder}, folder);
  }
}

void say_interface(Host& host, Findings& findings, const std::string& name) {
  const Subject subject = Subject().child("interface", name);
  const std::string folder = "/sys/class/net/" + name;
  findings.see(subject, "interface.kind", kind_of(host, folder), folder);
  findings.say(subject, "interface.state", host.line(folder + "/operstate"), folder + "/operstate");
  findings.say(subject, "interface.mtu", host.integer(folder + "/mtu"), folder + "/mtu");
  findings.say(subject, "interface.speed", speed_of(host, folder), folder + "/speed");
  findings.say(subject, "interface.mac", host.line(folder + "/address"), folder + "/address");
  findings.say(subject, "interface.master", host.real(folder + "/master").map(last_part), folder + "/master");
  say_device(host, findings, subject, folder);
}

using Addresses = std::map<std::string, TextList>;

int prefix_length(const sockaddr* mask) {
  if (mask == nullptr) return 0;
  const auto* bytes =
      mask->sa_family == AF_INET
          ? reinterpret_cast<const unsigned char*>(&reinterpret_cast<const sockaddr_in*>(mask)->sin_addr)
          : reinterpret_cast<const sockaddr_in6*>(mask)->sin6_addr.s6_addr;
  int bits = 0;
  for (int i = 0; i < (mask->sa_family == AF_INET ? 4 : 16); ++i) bits += std::popcount(bytes[i]);
  return bits;
}

void add_address(Addresses& addresses, const ifaddrs& entry) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = entry.ifa_addr == nullptr ? AF_UNSPEC : entry.ifa_addr->sa_family;
  const void* bytes = nullptr;
  if (family == AF_INET) {
    const auto* in = reinterpret_cast<const sockaddr_in*>(entry.ifa_addr);
    if ((ntohl(in->sin_addr.s_addr) >> 16) == 0xA9FE) return;  // 169.254/16
    bytes = &in->sin_addr;
  } else if (family == AF_INET6) {
    const auto* in6 = reinterpret_cast<const sockaddr_in6*>(entry.ifa_addr);
    if (IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr)) return;
    bytes = &in6->sin6_addr;
  }
  if (bytes == nullptr || inet_ntop(family, bytes, text.data(), text.size()) == nullptr) return;
  addresses[entry.ifa_name].push_back(fmt::format("{}/{}", text.data(), prefix_length(entry.ifa_netmask)));
}

Seen<Addresses> read_addresses(Host& host) {
  Addresses addresses;
  const auto answer = host.ask("getifaddrs", [&]() -> Seen<std::string> {
    ifaddrs* first = nullptr;
    if (getifaddrs(&first) != 0) return unseen(Absence::malformed, "getifaddrs: " + errno_words(errno));
    for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) add_address(addresses, *entry);
    freeifaddrs(first);
    std::string told;
    for (const auto& [name, list] : addresses) told += fmt::format("{}: {}\n", name, fmt::join(list, ", "));
    return told;
  });
  return answer.map([&](const std::string&) { return addresses; });
}

void read(Host& host, Findings& findings) {
  auto names = host.names("/sys/class/net");
  if (!names) return findings.absent({}, "interfaces.names", names.error(), "/sys/class/net");
  std::erase(*names, "bonding_masters");  // a file among the folders
  if (names->size() > kMostInterfaces) {
    const Absent why{Absence::malformed, fmt::format("{} interfaces", names->size())};
    return findings.absent({}, "interfaces.names", why, "/sys/class/net");
  }
  findings.see({}, "interfaces.names", *names, "/sys/class/net");
  const auto addresses = read_addresses(host);
  for (const std::string& name : *names) {
    say_interface(host, findings, name);
    const auto own = addresses.map([&](const Addresses& all) {
      const auto found = all.find(name);
      return found == all.end() ? TextList() : found->second;
    });
    findings.say(Subject().child("interface", name), "interface.addresses", own, "getifaddrs");
  }
}

}  // namespace

extern const Reader interfaces = {"interfaces", "network interfaces and their addresses", std::chrono::seconds(5),
                                  kEmits, read};

}  // namespace assay::node::facts
