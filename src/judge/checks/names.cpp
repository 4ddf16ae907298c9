// Each node's own name: one of its own, and one that leads back to it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "judge/uniform.hpp"

namespace assay::judge::checks {

namespace {

bool loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1" || text::lower(address).starts_with("fe80:");
}

// Addresses that others could reach the node by.
std::set<std::string> reachable(const TextList& addresses) {
  std::set<std::string> found;
  for (const std::string& address : addresses)
    if (!loopback(address)) found.insert(address);
  return found;
}

struct Claims {
  std::map<std::string, std::vector<Subject>> names;                // host name → nodes that have it
  std::map<std::set<std::string>, std::vector<Subject>> addresses;  // all of a node's addresses → nodes
  std::size_t silent = 0;                                           // nodes that told no name or no addresses
};

Claims claims_of(const Snapshot& snapshot) {
  Claims claims;
  for (const Subject& node : snapshot.nodes()) {
    const auto name = snapshot.text(node, "os.hostname");
    const auto addresses = snapshot.list(node, "name.addresses");
    if (name) claims.names[text::lower(*name)].push_back(node);
    if (!name || (!addresses && !addresses.missing())) ++claims.silent;
    if (addresses)
      if (auto set = reachable(*addresses); !set.empty()) claims.addresses[std::move(set)].push_back(node);
  }
  return claims;
}

void judge_addresses(const Claims& claims, const Subject& node, const std::string& name,
                     const Reading<TextList>& addresses, std::vector<const Observation*> basis, bool alone,
                     Judgement& judgement) {
  const auto own = reachable(*addresses);
  const std::string measured = fmt::format("{} is {}", name, fmt::join(*addresses, ", "));
  if (own.empty() && !alone)
    return judgement.warn(node, measured,
                          "its own name leads to itself only: programs that tell others this address can't be reached",
                          basis);
  if (const auto same = claims.addresses.find(own); same != claims.addresses.end() && same->second.size() > 1)
    return judgement.fail(node, measured, fmt::format("{} take the same address for their own", some_of(same->second)),
                          basis);
  judgement.pass(
      node, measured,
      claims.silent == 0
          ? "its name is its own and leads back to it"
          : fmt::format("its name leads back to it, and no node has told the same; {} told none", claims.silent),
      basis);
}

void judge_node(const Snapshot& snapshot, const Claims& claims, const Subject& node, Judgement& judgement) {
  const auto name = snapshot.text(node, "os.hostname");
  const auto addresses = snapshot.list(node, "name.addresses");
  const std::vector<const Observation*> basis{name.observation, addresses.observation};
  if (!name) return judgement.unknown(node, name);
  const std::string lowered = text::lower(*name);
  if (lowered.empty() || lowered == "(none)" || lowered == "localhost" || lowered.starts_with("localhost."))
    return judgement.fail(node, *name, "it has no name of its own", basis);
  if (const auto& same = claims.names.at(lowered); same.size() > 1)
    return judgement.fail(node, *name, fmt::format("{} all call themselves {}", some_of(same), *name), basis);
  if (addresses.missing()) return judgement.fail(node, *name, "its own name doesn't resolve on it", basis);
  if (!addresses) return judgement.unknown(node, addresses);
  judge_addresses(claims, node, *name, addresses, basis, snapshot.nodes().size() == 1, judgement);
}

void hostname_consistent(const Snapshot& snapshot, Judgement& judgement) {
  const Claims claims = claims_of(snapshot);
  for (const Subject& node : snapshot.nodes()) judge_node(snapshot, claims, node, judgement);
}

}  // namespace

extern const Family names = {{"orchestration.hostname-consistent", hostname_consistent}};

}  // namespace assay::judge::checks
