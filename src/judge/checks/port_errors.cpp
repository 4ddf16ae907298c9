// Error counters of RDMA ports. They count since somebody reset them, which nobody knows, but no longer than since
// boot: a total over the time since boot is the least that the mean rate can have been, and proves a rate too high. A
// total by itself proves nothing (links are torn down and trained at boot), so it is only a warning, and only where it
// stands above what the other ports counted.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "judge/checks/fabric_detail.hpp"
#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

using fabric::Port;

struct Limit {
  std::string_view counter;
  double count;    // so many
  double seconds;  // in so long; 0: no rate is published
  Status status;
  std::string_view words;
};

constexpr std::array<Limit, 5> kRates = {{
    {"symbol_error", 120, 3600, Status::fail, "120 an hour"},
    {"link_downed", 5, 86400, Status::fail, "5 a day"},
    {"link_error_recovery", 5, 60, Status::warn, "5 a minute"},
    {"port_rcv_errors", 10, 1, Status::warn, "10 a second"},
    {"port_xmit_discards", 100, 1, Status::warn, "100 a second"},
}};

struct Total {
  std::string_view counter;
  std::int64_t allowed;  // what bringing the link up may leave behind
};
constexpr std::array<Total, 3> kTotals = {
    {{"link_downed", 1}, {"local_link_integrity_errors", 0}, {"excessive_buffer_overrun_errors", 0}}};

Reading<std::int64_t> count_of(const Snapshot& snapshot, const Port& port, std::string_view counter) {
  return snapshot.integer(port.subject, fmt::format("port.counter.{}", counter));
}

// What the ports of the cluster counted, in the middle of their order; 0 where they are too few to have one.
using Usual = std::map<std::string_view, std::int64_t>;

Usual usual_counts(const Snapshot& snapshot) {
  std::map<std::string_view, std::vector<std::int64_t>> counts;
  for (const Subject& node : snapshot.nodes())
    for (const Port& port : fabric::ports_of(snapshot, node))
      for (const Total& total : kTotals)
        if (const auto count = count_of(snapshot, port, total.counter)) counts[total.counter].push_back(*count);
  Usual usual;
  for (auto& [counter, values] : counts) {
    std::sort(values.begin(), values.end());
    usual[counter] = values.size() < 3 ? 0 : values[(values.size() - 1) / 2];
  }
  return usual;
}

void weigh_rate(const Limit& limit, std::int64_t count, double uptime, Findings& found) {
  const double longest = std::max(uptime, limit.seconds);
  if (static_cast<double>(count) / longest < limit.count / limit.seconds) return;
  found.add({limit.status, fmt::format("{} {}", limit.counter, count),
             fmt::format("{} {} in the {:.0f} h since boot is {} or more", count, limit.counter, uptime / 3600,
                         limit.words)});
}

void weigh_total(const Total& total, std::int64_t count, std::int64_t others, Findings& found) {
  if (count <= total.allowed || count <= others) return;
  found.warn(fmt::format("{} {}", total.counter, count),
             fmt::format("{} stands at {}, that of most ports at {} or less; when it was reset isn't known, so reset "
                         "it, drive traffic and read it again",
                         total.counter, count, others));
}

// What doesn't exist is no gap, for two of the counters that not every adapter has.
bool needed(const Limit& limit, const Reading<std::int64_t>& count) {
  if (limit.counter != "link_error_recovery" && limit.counter != "port_xmit_discards") return true;
  return count.failed();
}

void judge_port(const Snapshot& snapshot, const Port& port, const Usual& usual, Judgement& judgement) {
  const auto uptime = snapshot.number(port.host, "os.uptime");
  Findings found;
  found.rest_on({uptime.observation});
  bool any = false;
  for (const Limit& limit : kRates) {
    const auto count = count_of(snapshot, port, limit.counter);
    found.rest_on({count.observation});
    any = any || (count && *count > 0);
    if (!count && needed(limit, count)) found.gap(count.gap);
    if (count && uptime) weigh_rate(limit, *count, *uptime, found);
  }
  for (const Total& total : kTotals) {
    const auto count = count_of(snapshot, port, total.counter);
    found.rest_on({count.observation});
    if (!count) {
      found.gap(count.gap);
    } else {
      weigh_total(total, *count, usual.at(total.counter), found);
    }
  }
  if (any && !uptime) found.gap("errors were counted, but not seen over what time: " + uptime.gap);
  found.say(port.subject,
            {Status::pass, any ? "few errors" : "no errors",
             any ? "no counter shows a harmful rate, nor more than other ports" : "no link error was counted"},
            judgement);
}

void ib_port_errors(const Snapshot& snapshot, Judgement& judgement) {
  const Usual usual = usual_counts(snapshot);
  for (const Subject& node : snapshot.nodes()) {
    bool said = fabric::without_rdma(snapshot, node, judgement);
    for (const Port& port : fabric::ports_of(snapshot, node)) {
      const auto state = snapshot.text(port.subject, "port.state");
      if (state && *state != "ACTIVE") continue;  // whether it should be up is ib-port-up's
      said = true;
      if (state) {
        judge_port(snapshot, port, usual, judgement);
      } else {
        judgement.unknown(port.subject, state);
      }
    }
    if (!said) judgement.unknown(node, "none of its ports is active");
  }
}

}  // namespace

extern const Family port_errors = {{"networking.ib-port-errors", ib_port_errors}};

}  // namespace assay::judge::checks
