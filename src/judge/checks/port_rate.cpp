// How fast active RDMA ports run, by what the same port does on other nodes. sysfs doesn't tell what an adapter could
// do, so a rate that is the same everywhere is taken as the one that was built.
#include <fmt/format.h>

#include <algorithm>

#include "judge/checks/fabric_detail.hpp"
#include "judge/majority.hpp"

namespace assay::judge::checks {

namespace {

using fabric::Port;

struct Rated {
  Port port;
  std::string layer;
  double rate = 0;
  Reading<std::int64_t> lanes;
  std::vector<const Observation*> basis;

  std::string words() const {
    return lanes ? fmt::format("{:g} Gbit/s ({}X)", rate, *lanes) : fmt::format("{:g} Gbit/s", rate);
  }
};

// Why a port can't be compared; empty if it can, or if it is seen to be down.
std::string gap_of(const Snapshot& snapshot, const Port& port) {
  const auto state = snapshot.text(port.subject, "port.state");
  if (!state) return state.gap;
  if (*state != "ACTIVE") return {};
  const auto rate = snapshot.number(port.subject, "port.rate");
  if (!rate) return rate.gap;
  const auto layer = snapshot.text(port.subject, "port.link-layer");
  if (!layer) return layer.gap;
  const auto model = snapshot.text(port.hca, "hca.type");
  return model || model.missing() ? std::string() : model.gap;  // not every driver has a name for it
}

// The active ones that told what is needed; says unknown of those that didn't.
std::vector<Rated> rated_of(const Snapshot& snapshot, const std::vector<Port>& ports, Judgement* judgement) {
  std::vector<Rated> rated;
  for (const Port& port : ports) {
    const auto state = snapshot.text(port.subject, "port.state");
    const auto rate = snapshot.number(port.subject, "port.rate");
    const auto layer = snapshot.text(port.subject, "port.link-layer");
    if (const std::string gap = gap_of(snapshot, port); !gap.empty()) {
      if (judgement != nullptr)
        judgement->unknown(port.subject, gap, {state.observation, rate.observation, layer.observation});
    } else if (*state == "ACTIVE") {
      rated.push_back(
          {port, *layer, *rate, snapshot.integer(port.subject, "port.lanes"), {state.observation, rate.observation}});
    }
  }
  return rated;
}

// Those that may be active and of that model, but didn't tell enough.
std::size_t silent_among(const Snapshot& snapshot, const std::vector<Port>& ports, const std::string& model) {
  return static_cast<std::size_t>(std::count_if(ports.begin(), ports.end(), [&](const Port& port) {
    return (port.model == model || port.model == "?") && !gap_of(snapshot, port).empty();
  }));
}

std::vector<double> rates(const std::vector<Rated>& ports) {
  std::vector<double> values;
  for (const Rated& port : ports) values.push_back(port.rate);
  return values;
}

// `where` says who runs at the usual rate: "mlx5_0/1 of most of the 4 nodes".
void compare(const Rated& port, double usual, const std::string& where, Judgement& judgement) {
  if (port.rate < usual)
    return judgement.fail(port.port.subject, port.words(),
                          fmt::format("it runs at {}, {} at {:g} Gbit/s", port.words(), where, usual), port.basis);
  judgement.pass(port.port.subject, port.words(), fmt::format("it is as fast as {}", where), port.basis);
}

// No other node has this port: the node's own ports of the same model and link layer, if there are enough of them.
void judge_alone(const Snapshot& snapshot, const Rated& port, Judgement& judgement) {
  const auto own = fabric::ports_of(snapshot, port.port.host);
  std::vector<Rated> alike = rated_of(snapshot, own, nullptr);
  std::erase_if(alike,
                [&](const Rated& other) { return other.port.model != port.port.model || other.layer != port.layer; });
  const auto usual = majority(rates(alike), alike.size() + silent_among(snapshot, own, port.port.model));
  if (alike.size() >= 3 && usual)
    return compare(port, *usual, fmt::format("most of the node's {} ports", port.port.model), judgement);
  judgement.unknown(
      port.port.subject,
      fmt::format("{} has nothing to be compared with: no other node has {}", port.words(), port.port.name),
      port.basis);
}

void judge_tie(const Snapshot& snapshot, const std::vector<Rated>& ports, Judgement& judgement) {
  const auto values = rates(ports);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::vector<const Observation*> basis;
  for (const Rated& port : ports) {
    basis.insert(basis.end(), port.basis.begin(), port.basis.end());
    judgement.unknown(port.port.subject,
                      *low < *high ? "its nodes don't agree on a rate" : "too few nodes told the rate of this port",
                      port.basis);
  }
  if (*low == *high) return;
  judgement.warn(snapshot.cluster(), fmt::format("{:g} to {:g} Gbit/s", *low, *high),
                 fmt::format("{} runs at different rates and no rate is that of most nodes", ports.front().port.name),
                 basis);
}

// The same port of several nodes, one model and link layer; `all` counts those that didn't tell too.
void judge_alike(const Snapshot& snapshot, const std::vector<Rated>& ports, std::size_t all, Judgement& judgement) {
  const auto usual = majority(rates(ports), all);
  if (!usual) return judge_tie(snapshot, ports, judgement);
  for (const Rated& port : ports)
    compare(port, *usual, fmt::format("{} of most of the {} nodes", port.port.name, all), judgement);
}

void judge_name(const Snapshot& snapshot, const std::vector<Port>& ports, Judgement& judgement) {
  std::map<std::pair<std::string, std::string>, std::vector<Rated>> groups;
  for (Rated& port : rated_of(snapshot, ports, &judgement)) {
    // Whatever was built, it wasn't one lane of four: adapters and their cables have no such mode on purpose.
    if (port.layer == "InfiniBand" && port.lanes && *port.lanes == 1) {
      judgement.fail(port.port.subject, port.words(), "the link came up on one lane", port.basis);
      continue;
    }
    groups[{port.port.model, port.layer}].push_back(std::move(port));
  }
  for (const auto& [kind, alike] : groups) {
    const std::size_t all = alike.size() + silent_among(snapshot, ports, kind.first) + fabric::silent_nodes(snapshot);
    if (all == 1) {
      judge_alone(snapshot, alike.front(), judgement);
    } else {
      judge_alike(snapshot, alike, all, judgement);
    }
  }
}

void ib_port_rate(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    if (fabric::without_rdma(snapshot, node, judgement)) continue;
    const auto ports = fabric::ports_of(snapshot, node);
    const bool down = std::none_of(ports.begin(), ports.end(), [&](const Port& port) {
      return snapshot.text(port.subject, "port.state").value.value_or("ACTIVE") == "ACTIVE";
    });
    if (down) judgement.unknown(node, "none of its ports is active");
  }
  for (const auto& [name, ports] : fabric::ports_by_name(snapshot)) judge_name(snapshot, ports, judgement);
}

}  // namespace

extern const Family port_rate = {{"networking.ib-port-rate", ib_port_rate}};

}  // namespace assay::judge::checks
