// TCP ports that something listens on, and what, where that can be seen.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "node/facts/processes_detail.hpp"
#include "node/facts/tcp_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr std::size_t kMostPorts = 1000;
constexpr std::size_t kMostLinks = 100'000;  // descriptors looked at, of all processes together

constexpr Emits kEmits[] = {
    {"listen.ports", "", "", "TCP ports that something listens on, in order"},
    {"listen.addresses", "listen", "", "local addresses that it listens on: 0.0.0.0 and :: are all of them"},
    {"listen.processes", "listen", "", "names of the processes that hold the socket"},
};

using Owners = std::map<std::int64_t, std::set<std::string>>;  // socket inode → process names

std::int64_t socket_inode(const std::string& target) {
  constexpr std::string_view kStart = "socket:[";
  if (!target.starts_with(kStart) || target.back() != ']') return -1;
  return text::integer(std::string_view(target).substr(kStart.size(), target.size() - kStart.size() - 1)).value_or(-1);
}

// Whose descriptors the wanted sockets are. Those of other users' processes are closed to all but root.
Owners owners_of(Host& host, const std::set<std::int64_t>& wanted) {
  Owners owners;
  std::size_t looked_at = 0;
  const auto running = processes(host);
  if (!running) return owners;
  for (const Process& process : *running) {
    const std::string folder = fmt::format("/proc/{}/fd/", process.pid);
    const auto descriptors = host.names(folder, false);
    if (!descriptors) continue;
    for (const std::string& descriptor : *descriptors) {
      if (++looked_at > kMostLinks) return owners;
      const auto target = host.link(folder + descriptor, false);
      if (const auto inode = target ? socket_inode(*target) : -1; wanted.contains(inode))
        owners[inode].insert(process.name);
    }
  }
  return owners;
}

void say_port(Findings& findings, std::int64_t port, const std::vector<Listener>& all, const Owners& owners) {
  const Subject subject = Subject().child("listen", fmt::format("{}", port));
  std::set<std::string> addresses;
  std::set<std::string> names;
  for (const Listener& listener : all) {
    if (listener.port != port) continue;
    addresses.insert(listener.address);
    if (const auto found = owners.find(listener.inode); found != owners.end())
      names.insert(found->second.begin(), found->second.end());
  }
  findings.see(subject, "listen.addresses", TextList(addresses.begin(), addresses.end()), "/proc/net/tcp");
  if (names.empty()) {
    findings.absent(subject, "listen.processes",
                    {Absence::permission, "no process that we may look into holds this socket"}, "/proc/PID/fd");
  } else {
    findings.see(subject, "listen.processes", TextList(names.begin(), names.end()), "/proc/PID/fd");
  }
}

void read(Host& host, Findings& findings) {
  const auto all = listeners(host);
  if (!all) return findings.absent({}, "listen.ports", all.error(), "/proc/net/tcp");
  std::set<std::int64_t> ports;
  std::set<std::int64_t> inodes;
  for (const Listener& listener : *all) {
    ports.insert(listener.port);
    inodes.insert(listener.inode);
  }
  if (ports.size() > kMostPorts) {
    const Absent why{Absence::malformed, fmt::format("{} listening ports", ports.size())};
    return findings.absent({}, "listen.ports", why, "/proc/net/tcp");
  }
  TextList listed;
  for (const std::int64_t port : ports) listed.push_back(fmt::format("{}", port));
  findings.see({}, "listen.ports", listed, "/proc/net/tcp");
  const Owners owners = owners_of(host, inodes);
  for (const std::int64_t port : ports) say_port(findings, port, *all, owners);
}

}  // namespace

extern const Reader listen = {"listen", "TCP ports that something listens on", std::chrono::seconds(8), kEmits, read};

}  // namespace assay::node::facts
