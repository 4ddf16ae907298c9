// The largest packet: the same for all who talk on one network. Interfaces are matched by subnet, and where they have
// no address in common by name and driver. A bridge of containers (docker0, 172.17.0.1 on every node) is a network of
// its own on each node: one address on several nodes tells it.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "judge/check.hpp"
#include "judge/majority.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

struct Interface {
  Subject node;
  Subject subject;
  std::string address;  // without its prefix length; empty when matched by name
  Reading<std::int64_t> mtu;
};

using Groups = std::map<std::string, std::vector<Interface>>;  // "10.77.0.0/24", or "eth2 (mlx5_core)"

struct Network {
  std::string subnet;
  std::string address;
};

// "10.77.0.11/24" → 10.77.0.0/24; nothing for a link of two or a lone address, which no third node is on.
std::optional<Network> network_of(const std::string& text) {
  const auto slash = text.find('/');
  const auto length =
      slash == std::string::npos ? std::nullopt : text::integer(std::string_view(text).substr(slash + 1));
  const std::string address = text.substr(0, slash);
  const int family = address.find(':') == std::string::npos ? AF_INET : AF_INET6;
  std::array<unsigned char, 16> bytes{};
  const int bits = family == AF_INET ? 32 : 128;
  if (!length || *length < 1 || *length > bits - 2 || inet_pton(family, address.c_str(), bytes.data()) != 1)
    return std::nullopt;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto kept = std::clamp<std::int64_t>(*length - static_cast<std::int64_t>(i) * 8, 0, 8);
    bytes[i] = static_cast<unsigned char>(bytes[i] & (0xFF00 >> kept));
  }
  std::array<char, INET6_ADDRSTRLEN> printed{};
  inet_ntop(family, bytes.data(), printed.data(), printed.size());
  return Network{fmt::format("{}/{}", printed.data(), *length), address};
}

void drop_private_networks(Groups& groups) {
  for (auto& [subnet, members] : groups) {
    std::map<std::string, std::set<Subject>> holders;
    for (const Interface& member : members) holders[member.address].insert(member.node);
    std::erase_if(members, [&](const Interface& member) { return holders[member.address].size() > 1; });
  }
}

std::size_t nodes_in(const std::vector<Interface>& members) {
  std::set<Subject> nodes;
  for (const Interface& member : members) nodes.insert(member.node);
  return nodes.size();
}

void keep_shared(Groups& groups) {
  std::erase_if(groups, [](const auto& group) { return nodes_in(group.second) < 2; });
}

Groups by_subnet(const Snapshot& snapshot) {
  Groups groups;
  for (const Subject& node : snapshot.nodes())
    for (const Subject& interface : snapshot.parts(node, "interface")) {
      if (snapshot.text(interface, "interface.kind").value.value_or("") == "loopback") continue;
      for (const std::string& text : snapshot.list(interface, "interface.addresses").value.value_or(TextList()))
        if (const auto network = network_of(text))
          groups[network->subnet].push_back(
              {node, interface, network->address, snapshot.integer(interface, "interface.mtu")});
    }
  drop_private_networks(groups);
  keep_shared(groups);
  return groups;
}

bool real(const std::string& kind) {
  return kind == "physical" || kind == "infiniband" || kind == "bond" || kind == "vlan";
}

// Those that are up and in none of the shared subnets: rails without addresses, or with a link of two each.
Groups by_name(const Snapshot& snapshot, const Groups& matched) {
  std::set<Subject> done;
  for (const auto& [subnet, members] : matched)
    for (const Interface& member : members) done.insert(member.subject);
  Groups groups;
  for (const Subject& node : snapshot.nodes())
    for (const Subject& interface : snapshot.parts(node, "interface")) {
      if (done.contains(interface)) continue;
      if (!real(snapshot.text(interface, "interface.kind").value.value_or(""))) continue;
      if (snapshot.text(interface, "interface.state").value.value_or("") != "up") continue;
      const std::string driver = snapshot.text(interface, "interface.driver").value.value_or("no driver");
      groups[fmt::format("{} ({})", interface.id(), driver)].push_back(
          {node, interface, "", snapshot.integer(interface, "interface.mtu")});
    }
  keep_shared(groups);
  return groups;
}

struct Found {
  std::vector<std::string> odd;
  std::vector<std::string> sound;
  std::string gap;
  Basis basis;
};

using Findings = std::map<Subject, Found>;

// Nodes that didn't tell which interfaces they have: each may be on any network.
std::size_t silent_nodes(const Snapshot& snapshot) {
  const auto& nodes = snapshot.nodes();
  return static_cast<std::size_t>(std::count_if(
      nodes.begin(), nodes.end(), [&](const Subject& node) { return !snapshot.list(node, "interfaces.names"); }));
}

void compare(const std::string& network, const std::vector<Interface>& members, const Snapshot& snapshot,
             Judgement& judgement, Findings& findings) {
  const std::size_t all = members.size() + silent_nodes(snapshot);
  std::vector<std::int64_t> told;
  Basis basis;
  for (const Interface& member : members)
    if (member.mtu) {
      told.push_back(*member.mtu);
      basis.push_back(member.mtu.observation);
    }
  const auto most = majority(told, all);
  const auto [low, high] = std::minmax_element(told.begin(), told.end());
  const bool split = !most && !told.empty() && *low < *high;
  const std::string undecided =
      split ? fmt::format("MTUs on {} differ, and none has a majority", network)
            : fmt::format("only {} of {} interfaces on {} told their MTU", told.size(), all, network);
  if (split) judgement.warn(snapshot.cluster(), fmt::format("{} to {} bytes", *low, *high), undecided, basis);
  for (const Interface& member : members) {
    Found& found = findings[member.node];
    found.basis.push_back(member.mtu.observation);
    if (!member.mtu) {
      found.gap = member.mtu.gap;
    } else if (!most) {
      found.gap = undecided;
    } else if (*member.mtu == *most) {
      found.sound.push_back(fmt::format("{} {}", member.subject.id(), *member.mtu));
    } else {
      found.odd.push_back(fmt::format("{} has {} where {} on {} have {}", member.subject.id(), *member.mtu,
                                      std::count(told.begin(), told.end(), *most), network, *most));
    }
  }
}

void say(const Snapshot& snapshot, Judgement& judgement, const Subject& node, const Findings& findings) {
  const auto names = snapshot.list(node, "interfaces.names");
  const auto own = findings.find(node);
  if (own == findings.end()) {
    if (!names) return judgement.unknown(node, names);
    if (snapshot.nodes().size() == 1)
      return judgement.not_applicable(node, "it is the only node: there is nothing to compare with",
                                      {names.observation});
    return judgement.unknown(node, "it shares no subnet and no interface's name with another node that was seen",
                             {names.observation});
  }
  const Found& found = own->second;
  if (!found.odd.empty())
    return judgement.fail(node, fmt::format("{}", fmt::join(found.odd, "; ")), found.odd.front(), found.basis);
  if (!found.gap.empty()) return judgement.unknown(node, found.gap, found.basis);
  judgement.pass(node, fmt::format("{}", fmt::join(found.sound, ", ")), "its MTUs are those of its neighbors",
                 found.basis);
}

void mtu_uniform(const Snapshot& snapshot, Judgement& judgement) {
  const Groups subnets = by_subnet(snapshot);
  const Groups names = by_name(snapshot, subnets);
  Findings findings;
  for (const Groups* groups : {&subnets, &names})
    for (const auto& [network, members] : *groups) compare(network, members, snapshot, judgement, findings);
  for (const Subject& node : snapshot.nodes()) say(snapshot, judgement, node, findings);
}

}  // namespace

extern const Family mtu = {{"networking.mtu-uniform", mtu_uniform}};

}  // namespace assay::judge::checks
