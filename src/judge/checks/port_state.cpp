// Whether RDMA ports are up, by what the same port does on the other nodes: a port that is down everywhere is a spare,
// a port that is down on one node is a fault. Where few of them are up, a spare that some cabled or a leaf switch that
// died look the same, so those that are down are warned of.
#include <fmt/format.h>

#include <algorithm>

#include "judge/checks/fabric_detail.hpp"

namespace assay::judge::checks {

namespace {

using fabric::Port;

struct Seen {
  Port port;
  Reading<std::string> state;
  Reading<std::string> phys;

  bool up() const { return state && *state == "ACTIVE"; }
  // The cable and both ends are fine, but no subnet manager has let it in.
  bool unmanaged() const { return state && (*state == "INIT" || *state == "ARMED"); }
  std::string words() const { return phys ? fmt::format("{} ({})", *state, *phys) : *state; }
  std::vector<const Observation*> basis() const { return {state.observation, phys.observation}; }
};

std::vector<Seen> seen_of(const Snapshot& snapshot, const std::vector<Port>& ports) {
  std::vector<Seen> seen;
  for (const Port& port : ports)
    seen.push_back({port, snapshot.text(port.subject, "port.state"), snapshot.text(port.subject, "port.phys-state")});
  return seen;
}

// No other node has this port: the node's own ports of the same model are all there is to go by.
void judge_alone(const Snapshot& snapshot, const Seen& down, Judgement& judgement) {
  std::size_t up = 0;
  std::size_t others = 0, unread = 0;
  for (const Seen& other : seen_of(snapshot, fabric::ports_of(snapshot, down.port.host))) {
    if (other.port.subject == down.port.subject) continue;
    const bool maybe_alike = other.port.model == down.port.model || other.port.model == "?" || down.port.model == "?";
    if (maybe_alike && (!other.state || other.port.model != down.port.model)) ++unread;
    if (other.port.model != down.port.model || !other.state) continue;
    ++others;
    up += other.up() ? 1 : 0;
  }
  if (others >= 3 && up * 2 > others)
    return judgement.warn(down.port.subject, down.words(),
                          fmt::format("it is down while {} of the node's {} other ports on a {} are up, and no other "
                                      "node tells whether it is meant to be used",
                                      up, others, down.port.model),
                          down.basis());
  const bool disabled = down.phys && *down.phys == "Disabled";
  if (disabled && unread > 0)
    return judgement.unknown(down.port.subject,
                             fmt::format("it is switched off (Disabled), and of {} other ports it was not seen whether "
                                         "they are its like and up",
                                         unread),
                             down.basis());
  if (disabled) return judgement.not_applicable(down.port.subject, "the port is switched off (Disabled)", down.basis());
  judgement.warn(down.port.subject, down.words(),
                 "it is down, and neither another node nor another port of its kind tells whether it is meant to be "
                 "used",
                 down.basis());
}

struct Votes {
  std::size_t up = 0;  // or with a link that no subnet manager has let in: someone cabled it
  std::size_t down = 0;
  std::size_t unread = 0;
  std::size_t all() const { return up + down + unread; }
  bool tie() const { return up > 0 && up == down; }
};

Votes votes_of(const std::vector<Seen>& seen) {
  Votes votes;
  for (const Seen& each : seen) ++(!each.state ? votes.unread : each.up() || each.unmanaged() ? votes.up : votes.down);
  return votes;
}

void judge_down(const Snapshot& snapshot, const Seen& seen, const Votes& votes, Judgement& judgement) {
  const Subject& subject = seen.port.subject;
  if (seen.unmanaged())
    return judgement.fail(subject, seen.words(), "the link is up but no subnet manager has made the port active",
                          seen.basis());
  if (votes.up + votes.down == 1) return judge_alone(snapshot, seen, judgement);
  if (2 * votes.up > votes.all())
    return judgement.fail(
        subject, seen.words(),
        fmt::format("{} is down here and up on {} of {} nodes", seen.port.name, votes.up, votes.all()), seen.basis());
  if (votes.tie())
    return judgement.unknown(subject, fmt::format("{} is up on as many nodes as it is down on", seen.port.name),
                             seen.basis());
  if (seen.phys && *seen.phys == "Disabled")
    return judgement.not_applicable(
        subject, fmt::format("the port is switched off (Disabled), and down on most of {} nodes", votes.all()),
        seen.basis());
  if (votes.up > 0)
    return judgement.warn(subject, seen.words(),
                          fmt::format("{} is down here and on {} other nodes, but up on {}: a switch or its cables may "
                                      "be dead",
                                      seen.port.name, votes.down - 1, votes.up),
                          seen.basis());
  if (votes.unread > 0)
    return judgement.unknown(
        subject,
        fmt::format("{} is down here, and of {} other nodes its state was not seen", seen.port.name, votes.unread),
        seen.basis());
  judgement.not_applicable(
      subject, fmt::format("{} is down on all {} nodes: this cluster doesn't use it", seen.port.name, votes.all()),
      seen.basis());
}

void judge_name(const Snapshot& snapshot, const std::string& name, const std::vector<Port>& ports,
                Judgement& judgement) {
  const std::vector<Seen> seen = seen_of(snapshot, ports);
  Votes votes = votes_of(seen);
  votes.unread += fabric::silent_nodes(snapshot);
  for (const Seen& each : seen) {
    if (!each.state) {
      judgement.unknown(each.port.subject, each.state);
    } else if (each.up()) {
      judgement.pass(each.port.subject, each.words(), "the port is active", each.basis());
    } else {
      judge_down(snapshot, each, votes, judgement);
    }
  }
  if (!votes.tie()) return;
  std::vector<const Observation*> basis;
  for (const Seen& each : seen) basis.push_back(each.state.observation);
  judgement.warn(snapshot.cluster(), fmt::format("{} up on {} of {} nodes", name, votes.up, votes.all()),
                 fmt::format("as many nodes have {} down as up, so it can't be told which are right", name), basis);
}

void ib_port_up(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) fabric::without_rdma(snapshot, node, judgement);
  for (const auto& [name, ports] : fabric::ports_by_name(snapshot)) judge_name(snapshot, name, ports, judgement);
}

}  // namespace

extern const Family port_state = {{"networking.ib-port-up", ib_port_up}};

}  // namespace assay::judge::checks
