// Clocks: whether something keeps each node's right, and how far they are apart.
//
// The bars of the skew, for what the measuring itself doesn't leave open. 50 ms is where node_exporter's own rules
// begin to warn, and what NTP holds with ease inside a site; 1 s is where log lines of one event stand under different
// times, file times of a shared file system run backwards, and timeouts between nodes are misjudged. Credentials break
// later: munge's and Kerberos' at 5 min. Over a busy machine's ssh no clock can be read to 50 ms, so that bar only
// warns; what passes is half of the failing one, with all doubt counted in.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

constexpr double kWarn = 0.05;
constexpr double kFail = 1.0;
constexpr double kSure = kFail / 2;

struct Offset {
  Subject node;
  double value = 0;
  double uncertainty = 0;
  std::vector<const Observation*> basis;
};

std::vector<Offset> offsets_of(const Snapshot& snapshot, Judgement& judgement) {
  std::vector<Offset> offsets;
  for (const Subject& node : snapshot.nodes()) {
    const auto offset = snapshot.number(node, "clock.offset-from-master");
    const auto uncertainty = snapshot.number(node, "clock.offset-uncertainty");
    if (!offset) {
      judgement.unknown(node, offset);
    } else if (!uncertainty) {
      judgement.unknown(node, uncertainty);
    } else if (*uncertainty < 0 || !std::isfinite(*uncertainty) || !std::isfinite(*offset)) {
      judgement.unknown(node, "clock.offset-uncertainty isn't a length of time", {uncertainty.observation});
    } else {
      offsets.push_back({node, *offset, *uncertainty, {offset.observation, uncertainty.observation}});
    }
  }
  return offsets;
}

double apart(const Offset& a, const Offset& b) { return std::abs(a.value - b.value); }
double doubt(const Offset& a, const Offset& b) { return a.uncertainty + b.uncertainty; }
// What of the difference can't be the measuring itself.
double proven(const Offset& a, const Offset& b) { return std::max(0.0, apart(a, b) - doubt(a, b)); }

std::string measured(const Offset& a, const Offset& b) {
  return fmt::format("{:.3f} s ± {:.3f} s", apart(a, b), doubt(a, b));
}

void judge_against(const Offset& reference, const Offset& each, Judgement& judgement) {
  const double sure = proven(reference, each);
  const std::string amount = measured(reference, each);
  if (sure > kWarn)
    return judgement.say(sure > kFail ? Status::fail : Status::warn, each.node, amount,
                         fmt::format("its clock is {} from most other nodes'", amount), each.basis);
  const double most = apart(reference, each) + doubt(reference, each);
  if (most > kSure)
    return judgement.unknown(
        each.node, fmt::format("its clock may be {:.3f} s from most other nodes' ({}): too much doubt", most, amount),
        each.basis);
  judgement.pass(each.node, amount, fmt::format("its clock is at most {:.3f} s from most other nodes'", most),
                 each.basis);
}

// The two clocks whose distance is proven to be the largest. They need not be those that look furthest apart, which may
// have been read with the most doubt.
std::pair<const Offset*, const Offset*> furthest(const std::vector<Offset>& offsets) {
  const auto early = std::min_element(offsets.begin(), offsets.end(), [](const Offset& a, const Offset& b) {
    return a.value + a.uncertainty < b.value + b.uncertainty;
  });
  const auto late = std::max_element(offsets.begin(), offsets.end(), [](const Offset& a, const Offset& b) {
    return a.value - a.uncertainty < b.value - b.uncertainty;
  });
  return {&*early, &*late};
}

// No clock agrees with more than half of all nodes: a distance that is proven is the finding itself, and nobody can say
// who is wrong.
void judge_split(const Snapshot& snapshot, const std::vector<Offset>& offsets, Judgement& judgement) {
  const auto [early, late] = furthest(offsets);
  const double sure = proven(*early, *late);
  std::vector<const Observation*> basis;
  for (const Offset& each : offsets) {
    basis.insert(basis.end(), each.basis.begin(), each.basis.end());
    judgement.unknown(each.node,
                      sure > kWarn ? "no clock agrees with most others, so none can be called right"
                                   : fmt::format("only {} of {} nodes' clocks could be read", offsets.size(),
                                                 snapshot.nodes().size()),
                      each.basis);
  }
  if (sure <= kWarn) return;
  judgement.say(
      sure > kFail ? Status::fail : Status::warn, snapshot.cluster(), measured(*early, *late),
      fmt::format("the clocks of {} and {} are {} apart", early->node.id(), late->node.id(), measured(*early, *late)),
      basis);
}

void time_skew(const Snapshot& snapshot, Judgement& judgement) {
  std::vector<Offset> offsets = offsets_of(snapshot, judgement);
  if (offsets.empty()) return;
  if (offsets.size() == 1) {
    const Offset& only = offsets.front();
    if (snapshot.nodes().size() == 1)
      return judgement.not_applicable(only.node, "it is the only node: there is no other clock to agree with",
                                      only.basis);
    return judgement.unknown(only.node, "no other node's clock could be read", only.basis);
  }
  std::sort(offsets.begin(), offsets.end(), [](const Offset& a, const Offset& b) { return a.value < b.value; });
  const Offset median = offsets[(offsets.size() - 1) / 2];
  const auto agreeing =
      std::count_if(offsets.begin(), offsets.end(), [&](const Offset& each) { return proven(median, each) <= kWarn; });
  if (2 * static_cast<std::size_t>(agreeing) <= snapshot.nodes().size())
    return judge_split(snapshot, offsets, judgement);
  for (const Offset& each : offsets) judge_against(median, each, judgement);
}

// ---- who keeps it

void judge_chrony(const Snapshot& snapshot, const Subject& node, const Reading<std::string>& leap,
                  Judgement& judgement) {
  const auto reference = snapshot.text(node, "clock.chrony-reference");
  const auto correction = snapshot.number(node, "clock.chrony-correction");
  const std::vector<const Observation*> basis{leap.observation, reference.observation, correction.observation};
  if (*leap == "Not synchronised") {
    judgement.fail(node, *leap, "chrony runs but has no source to follow", basis);
  } else if (*leap != "Normal" && *leap != "Insert second" && *leap != "Delete second") {
    judgement.unknown(node, fmt::format("chrony's state is \"{}\"", *leap), basis);
  } else if (!reference) {
    judgement.unknown(node, reference);
  } else if (*reference == "7F7F0101") {
    judgement.warn(node, *leap, "chrony follows this node's own clock, and nothing outside it", basis);
  } else if (!correction) {
    judgement.unknown(node, correction);
  } else if (std::abs(*correction) > kFail) {
    judgement.warn(node, fmt::format("{:.3f} s", *correction), "chrony has yet to correct more than a second", basis);
  } else {
    judgement.pass(node, *leap, "chrony follows a source", basis);
  }
}

void judge_kernel(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  const auto kernel = snapshot.boolean(node, "clock.kernel-synchronized");
  const auto daemons = snapshot.list(node, "clock.daemons");
  const std::vector<const Observation*> basis{kernel.observation, daemons.observation};
  if (!kernel) return judgement.unknown(node, kernel);
  if (*kernel) return judgement.pass(node, "synchronized", "the kernel is told that its clock is kept right", basis);
  if (!daemons) return judgement.unknown(node, daemons);
  // chronyd tells the kernel only with rtcsync; without its own word nothing is known.
  if (std::find(daemons.value->begin(), daemons.value->end(), "chronyd") != daemons.value->end())
    return judgement.unknown(node, "chronyd runs, but chronyc could not ask it", basis);
  judgement.fail(node, "not synchronized",
                 daemons.value->empty()
                     ? "nothing keeps the clock"
                     : fmt::format("{} runs, but the clock isn't synchronized", daemons.value->front()),
                 basis);
}

void clock_synchronized(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    const auto leap = snapshot.text(node, "clock.chrony-leap");
    if (leap) {
      judge_chrony(snapshot, node, leap, judgement);
    } else {
      judge_kernel(snapshot, node, judgement);
    }
  }
}

}  // namespace

extern const Family clock = {
    {"orchestration.time-skew", time_skew},
    {"orchestration.clock-synchronized", clock_synchronized},
};

}  // namespace assay::judge::checks
