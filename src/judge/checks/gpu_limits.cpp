// What a GPU may reach: the power it may draw and its highest clocks, against what its maker gave it and against those
// of the same product all over the cluster. One slower GPU slows every job that it is part of.
#include <fmt/format.h>

#include <optional>

#include "base/text.hpp"
#include "judge/checks/gpu_detail.hpp"
#include "judge/siblings.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

// Drivers tell milliwatts, nvidia-smi's text hundredths.
constexpr double kSameWatts = 1;

struct Power {
  Subject part;
  std::string model;
  Reading<double> limit;
  Reading<double> by_default;
};

std::string watts(double value) { return fmt::format("{:.0f} W", value); }

// The limit that most of its siblings have.
struct Usual {
  std::optional<double> limit;
  bool compared = false;  // there is another to compare with
  std::string gap;        // too few told theirs to know
};

Usual usual_of(const Siblings& siblings) {
  const std::string majority = siblings.majority();
  const std::size_t told = siblings.members().size();
  const bool too_few = majority.empty() && told < siblings.all();
  return {text::decimal(majority), told > 1,
          too_few ? fmt::format("only {} of {} that may be its like told their limit", told, siblings.all()) : ""};
}

void judge_power(const Power& power, const Usual& usual, Judgement& judgement) {
  const Basis basis = {power.limit.observation, power.by_default.observation};
  const double limit = *power.limit;
  const bool lowered = power.by_default && limit < *power.by_default - kSameWatts;
  const bool below_siblings = usual.compared && usual.limit && limit < *usual.limit - kSameWatts;
  const bool as_siblings = usual.compared && usual.limit && !below_siblings;
  const std::string measured =
      power.by_default ? fmt::format("{} of {}", watts(limit), watts(*power.by_default)) : watts(limit);
  if (below_siblings)
    return judgement.fail(
        power.part, measured,
        fmt::format("it may draw {} where most {} may draw {}", watts(limit), power.model, watts(*usual.limit)), basis);
  if (lowered && as_siblings)
    return judgement.warn(power.part, measured,
                          fmt::format("most {} are held below their default of {}: somebody's choice, and slower than "
                                      "what is sold under that name",
                                      power.model, watts(*power.by_default)),
                          basis);
  if (lowered)
    return judgement.fail(power.part, measured,
                          fmt::format("its limit was lowered from {} to {}", watts(*power.by_default), watts(limit)),
                          basis);
  if (!power.by_default) return judgement.unknown(power.part, power.by_default);
  if (!usual.gap.empty()) return judgement.unknown(power.part, usual.gap, basis);
  judgement.pass(power.part, measured, "it may draw what its maker lets it draw", basis);
}

void power_limit(const Snapshot& snapshot, Judgement& judgement) {
  Models models;
  std::vector<Power> all;
  gpu::for_each(snapshot, judgement, [&](const Subject&, const Subject& part) {
    const auto name = snapshot.text(part, "gpu.name");
    const auto limit = snapshot.number(part, "gpu.power-limit");
    if (!name || !limit) {
      models.add_silent(name.value);
      return judgement.unknown(part, limit ? name.gap : limit.gap, {limit.observation, name.observation});
    }
    models.of(*name).add(part, fmt::format("{:.0f}", *limit), limit.observation);
    all.push_back({part, *name, limit, snapshot.number(part, "gpu.power-limit-default")});
  });
  gpu::add_unseen(snapshot, models);
  for (const Power& power : all) judge_power(power, usual_of(models.all().at(power.model)), judgement);
}

void clocks_uniform(const Snapshot& snapshot, Judgement& judgement) {
  Models models;
  gpu::for_each(snapshot, judgement, [&](const Subject&, const Subject& part) {
    const auto name = snapshot.text(part, "gpu.name");
    const auto sm = snapshot.integer(part, "gpu.clock-sm-max");
    const auto memory = snapshot.integer(part, "gpu.clock-memory-max");
    if (name && sm && memory)
      return models.of(*name).add(part, fmt::format("SM {} MHz, memory {} MHz", *sm, *memory), sm.observation);
    models.add_silent(name.value);
    judgement.unknown(part,
                      !name ? name.gap
                      : !sm ? sm.gap
                            : memory.gap,
                      {name.observation, sm.observation, memory.observation});
  });
  gpu::add_unseen(snapshot, models);
  models.judge(judgement, "highest clocks", [](const std::string& value) { return value; });
}

}  // namespace

extern const Family gpu_limits = {
    {"reliability.gpu-power-limit", power_limit},
    {"reliability.gpu-clocks-uniform", clocks_uniform},
};

}  // namespace assay::judge::checks
