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
#include "judge/findings.hpp"
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

// Interfaces that could be on a network, but didn't tell enough of themselves to say on which: why, by their nodes.
using Unplaced = std::map<Subject, std::pair<std::string, const Observation*>>;

// "10.77.0.11/24" → 10.77.0.0/24, or no subnet for a link of two or a lone address, which no third node is on. Nothing
// for what is no address.
std::optional<Network> network_of(const std::string& text) {
  const auto slash = text.find('/');
  const auto length =
      slash == std::string::npos ? std::nullopt : text::integer(std::string_view(text).substr(slash + 1));
  const std::string address = text.substr(0, slash);
  const int family = address.find(':') == std::string::npos ? AF_INET : AF_INET6;
  std::array<unsigned char, 16> bytes{};
  const int bits = family == AF_INET ? 32 : 128;
  if (!length || *length < 1 || *length > bits || inet_pton(family, address.c_str(), bytes.data()) != 1)
    return std::nullopt;
  if (*length > bits - 2) return Network{"", address};
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

// Those that the list of names tells, and those of which anything else was said.
std::set<Subject> interfaces_of(const Snapshot& snapshot, const Subject& node) {
  const auto parts = snapshot.parts(node, "interface");
  std::set<Subject> all(parts.begin(), parts.end());
  for (const std::string& name : snapshot.list(node, "interfaces.names").value.value_or(TextList()))
    all.insert(node.child("interface", name));
  std::erase_if(all, [&](const Subject& interface) {
    return snapshot.text(interface, "interface.kind").value.value_or("") == "loopback";
  });
  return all;
}

Groups by_subnet(const Snapshot& snapshot) {
  Groups groups;
  for (const Subject& node : snapshot.nodes())
    for (const Subject& interface : interfaces_of(snapshot, node))
      for (const std::string& text : snapshot.list(interface, "interface.addresses").value.value_or(TextList()))
        if (const auto network = network_of(text); network && !network->subnet.empty())
          groups[network->subnet].push_back(
              {node, interface, network->address, snapshot.integer(interface, "interface.mtu")});
  drop_private_networks(groups);
  keep_shared(groups);
  return groups;
}

bool real(const std::string& kind) {
  return kind == "physical" || kind == "infiniband" || kind == "bond" || kind == "vlan";
}

std::set<Subject> interfaces_in(const Groups& groups) {
  std::set<Subject> all;
  for (const auto& [network, members] : groups)
    for (const Interface& member : members) all.insert(member.subject);
  return all;
}

// Those that are up and in none of the shared subnets: rails without addresses, or with a link of two each.
Groups by_name(const Snapshot& snapshot, const std::set<Subject>& done) {
  Groups groups;
  for (const Subject& node : snapshot.nodes())
    for (const Subject& interface : interfaces_of(snapshot, node)) {
      if (done.contains(interface)) continue;
      if (!real(snapshot.text(interface, "interface.kind").value.value_or(""))) continue;
      if (snapshot.text(interface, "interface.state").value.value_or("") != "up") continue;
      const auto driver = snapshot.text(interface, "interface.driver");
      if (!driver && !driver.missing()) continue;
      groups[fmt::format("{} ({})", interface.id(), driver ? *driver : "no driver")].push_back(
          {node, interface, "", snapshot.integer(interface, "interface.mtu")});
    }
  keep_shared(groups);
  return groups;
}

// What kept an interface out of both ways of matching, unless it is sure to be on no network that others are on.
Reading<std::string> hidden(const Snapshot& snapshot, const Subject& interface) {
  const auto addresses = snapshot.list(interface, "interface.addresses");
  if (!addresses) return {std::nullopt, addresses.observation, addresses.gap};
  for (const std::string& text : *addresses)
    if (!network_of(text)) return {std::nullopt, addresses.observation, fmt::format("\"{}\" is no address", text)};
  auto kind = snapshot.text(interface, "interface.kind");
  if (!kind || !real(*kind)) return kind;
  auto state = snapshot.text(interface, "interface.state");
  if (!state || *state != "up") return state;
  auto driver = snapshot.text(interface, "interface.driver");
  return driver.missing() ? state : driver;
}

Unplaced unplaced_of(const Snapshot& snapshot, const std::set<Subject>& done) {
  Unplaced unplaced;
  for (const Subject& node : snapshot.nodes())
    for (const Subject& interface : interfaces_of(snapshot, node)) {
      if (done.contains(interface)) continue;
      if (const auto seen = hidden(snapshot, interface); !seen)
        unplaced.try_emplace(node, fmt::format("on which network {} is was not seen: {}", interface.id(), seen.gap),
                             seen.observation);
    }
  return unplaced;
}

struct Found {
  Findings findings;
  std::vector<std::string> sound;
};

using ByNode = std::map<Subject, Found>;

// Nodes that may be on a network that they weren't seen on: they didn't tell which interfaces they have, or one of
// these told too little of itself.
std::size_t silent_nodes(const Snapshot& snapshot, const std::vector<Interface>& members, const Unplaced& unplaced) {
  const auto& nodes = snapshot.nodes();
  std::set<Subject> known;
  for (const Interface& member : members) known.insert(member.node);
  return static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const Subject& node) {
    return !known.contains(node) && (!snapshot.list(node, "interfaces.names") || unplaced.contains(node));
  }));
}

void compare(const std::string& network, const std::vector<Interface>& members, const Snapshot& snapshot,
             const Unplaced& unplaced, Judgement& judgement, ByNode& by_node) {
  const std::size_t all = members.size() + silent_nodes(snapshot, members, unplaced);
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
    auto& [findings, sound] = by_node[member.node];
    findings.rest_on({member.mtu.observation});
    if (!member.mtu) {
      findings.gap(member.mtu.gap);
    } else if (!most) {
      findings.gap(undecided);
    } else if (*member.mtu == *most) {
      sound.push_back(fmt::format("{} {}", member.subject.id(), *member.mtu));
    } else {
      const auto odd = fmt::format("{} has {} where {} on {} have {}", member.subject.id(), *member.mtu,
                                   std::count(told.begin(), told.end(), *most), network, *most);
      findings.fail(odd, odd);
    }
  }
}

void say(const Snapshot& snapshot, Judgement& judgement, const Subject& node, ByNode& by_node) {
  const auto names = snapshot.list(node, "interfaces.names");
  const bool compared = by_node.contains(node);
  auto& [findings, sound] = by_node[node];
  if (!names) findings.gap(names.gap);
  if (names && snapshot.nodes().size() == 1)
    return judgement.not_applicable(node, "it is the only node: there is nothing to compare with", {names.observation});
  if (!compared) {
    findings.rest_on({names.observation});
    findings.gap("it shares no subnet and no interface's name with another node that was seen");
  }
  findings.say(node, {Status::pass, fmt::format("{}", fmt::join(sound, ", ")), "its MTUs are those of its neighbors"},
               judgement);
}

void mtu_uniform(const Snapshot& snapshot, Judgement& judgement) {
  const Groups subnets = by_subnet(snapshot);
  std::set<Subject> done = interfaces_in(subnets);
  const Groups names = by_name(snapshot, done);
  done.merge(interfaces_in(names));
  const Unplaced unplaced = unplaced_of(snapshot, done);
  ByNode by_node;
  for (const Groups* groups : {&subnets, &names})
    for (const auto& [network, members] : *groups) compare(network, members, snapshot, unplaced, judgement, by_node);
  for (const auto& [node, why] : unplaced) {
    by_node[node].findings.gap(why.first);
    by_node[node].findings.rest_on({why.second});
  }
  for (const Subject& node : snapshot.nodes()) say(snapshot, judgement, node, by_node);
}

}  // namespace

extern const Family mtu = {{"networking.mtu-uniform", mtu_uniform}};

}  // namespace assay::judge::checks
