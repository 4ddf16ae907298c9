// The health of each GPU as its driver tells it: memory errors, remapped rows, clocks, idle power.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "judge/checks/gpu_detail.hpp"
#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

// More than this many uncorrectable SRAM errors in a GPU's life usually end in its exchange.
constexpr std::int64_t kManySramErrors = 4;

// Only what the GPU or its driver doesn't have may be left aside; a reading that failed may hide the fault.

void judge_ecc(const Snapshot& snapshot, const Subject& part, Judgement& judgement) {
  const auto mode = snapshot.text(part, "gpu.ecc-mode");
  const auto now = snapshot.integer(part, "gpu.ecc-uncorrected-volatile");
  const auto ever = snapshot.integer(part, "gpu.ecc-uncorrected-aggregate");
  const auto corrected = snapshot.integer(part, "gpu.ecc-corrected-volatile");
  const auto sram = snapshot.integer(part, "gpu.sram-uncorrected-aggregate");
  const auto exceeded = snapshot.boolean(part, "gpu.sram-threshold-exceeded");
  Findings found;
  found.rest_on({mode.observation, now.observation, ever.observation, corrected.observation, sram.observation,
                 exceeded.observation});
  if (mode && *mode == "disabled") found.fail("ECC disabled", "ECC is off, so memory errors go unnoticed");
  if (now && *now > 0)
    found.fail(fmt::format("{} uncorrected", *now),
               fmt::format("{} uncorrected memory errors since the driver was loaded", *now));
  if (exceeded && *exceeded)
    found.fail("SRAM threshold exceeded", "the GPU itself says that its SRAM errors are too many");
  if (sram && *sram > kManySramErrors)
    found.warn(fmt::format("{} of SRAM", *sram), fmt::format("{} uncorrectable SRAM errors in its life", *sram));
  if (!mode) found.gap(mode.gap);
  if (!now) found.gap(now.gap);
  if (!sram && !sram.unsupported()) found.gap(sram.gap);
  if (!exceeded && !exceeded.unsupported()) found.gap(exceeded.gap);
  const std::string measured = fmt::format("ECC {}, {} uncorrected, {} corrected", mode.value.value_or("unread"),
                                           now.value.value_or(0), corrected ? fmt::to_string(*corrected) : "unknown");
  const std::string why = ever && *ever > 0
                              ? fmt::format(
                                    "no uncorrected error since the driver was loaded; {} in its life, whose rows "
                                    "the row-remap check follows",
                                    *ever)
                              : "ECC is on and no error went uncorrected";
  found.say(part, {Status::pass, measured, why}, judgement);
}

void ecc_clean(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each(snapshot, judgement,
                [&](const Subject&, const Subject& part) { judge_ecc(snapshot, part, judgement); });
}

void judge_rows(const Snapshot& snapshot, const Subject& part, Judgement& judgement) {
  const auto failed = snapshot.boolean(part, "gpu.remap-failed");
  const auto pending = snapshot.boolean(part, "gpu.remap-pending");
  const auto retiring = snapshot.boolean(part, "gpu.retired-pages-pending");
  const auto rows = snapshot.integer(part, "gpu.remapped-rows-uncorrectable");
  const std::vector<const Observation*> basis = {failed.observation, pending.observation, retiring.observation,
                                                 rows.observation};
  if (failed && *failed)
    return judgement.fail(part, "remapping failed",
                          "a bad memory row could not be remapped: the GPU is due for exchange", basis);
  if (pending && *pending)
    return judgement.warn(part, "remapping pending", "a bad memory row waits for a reset of the GPU to be remapped",
                          basis);
  if (retiring && *retiring)
    return judgement.warn(part, "page retirement pending", "a bad memory page waits for a reset of the GPU", basis);
  // GPUs before Ampere retire pages and have no rows to remap.
  if (retiring && failed.unsupported() && pending.unsupported())
    return judgement.pass(part, "none pending", "no page waits to be retired", basis);
  if (!failed) return judgement.unknown(part, failed);
  if (!pending) return judgement.unknown(part, pending);
  if (retiring.failed()) return judgement.unknown(part, retiring);
  judgement.pass(part, fmt::format("{} rows remapped", rows ? fmt::to_string(*rows) : "unknown"),
                 "no row waits to be remapped and none failed to be", basis);
}

void row_remap(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each(snapshot, judgement,
                [&](const Subject&, const Subject& part) { judge_rows(snapshot, part, judgement); });
}

bool among(const std::string& reason, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), reason) != names.end();
}

// What a reason for lower clocks says of the node. A power cap, an idle GPU and clocks that somebody set are as meant.
Status status_of_reason(const std::string& reason) {
  if (among(reason, {"hw-slowdown", "hw-thermal-slowdown", "hw-power-brake"})) return Status::fail;
  if (among(reason, {"sw-thermal-slowdown", "board-limit", "reliability-limit"})) return Status::warn;
  if (among(reason, {"gpu-idle", "application-clocks", "sw-power-cap", "sync-boost", "display-clock"}))
    return Status::pass;
  return Status::unknown;
}

void judge_clocks(const Snapshot& snapshot, const Subject& part, Judgement& judgement) {
  const auto reasons = snapshot.list(part, "gpu.throttle-reasons");
  if (!reasons) return judgement.unknown(part, reasons);
  std::string failing, warning, unknown;
  for (const std::string& reason : *reasons) {
    const Status status = status_of_reason(reason);
    std::string* list = status == Status::fail   ? &failing
                        : status == Status::warn ? &warning
                        : status == Status::pass ? nullptr
                                                 : &unknown;
    if (list != nullptr) *list += (list->empty() ? "" : ", ") + reason;
  }
  const std::string measured = reasons.value->empty() ? "none" : fmt::format("{}", fmt::join(*reasons, ", "));
  if (!failing.empty())
    return judgement.fail(part, measured, "the hardware holds the clocks down: " + failing, {reasons.observation});
  if (!warning.empty())
    return judgement.warn(part, measured, "the driver holds the clocks down: " + warning, {reasons.observation});
  if (!unknown.empty())
    return judgement.unknown(part, "a reason that isn't known here holds the clocks down: " + unknown,
                             {reasons.observation});
  judgement.pass(part, measured, "no fault holds the clocks down", {reasons.observation});
}

void clocks_unthrottled(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each(snapshot, judgement,
                [&](const Subject&, const Subject& part) { judge_clocks(snapshot, part, judgement); });
}

void judge_idle_power(const Snapshot& snapshot, const Subject& part, Judgement& judgement) {
  const auto power = snapshot.number(part, "gpu.power");
  const auto name = snapshot.text(part, "gpu.name");
  const auto utilization = snapshot.number(part, "gpu.utilization");
  const auto processes = snapshot.integer(part, "gpu.processes");
  const std::vector<const Observation*> basis = {power.observation, name.observation, utilization.observation,
                                                 processes.observation};
  if ((utilization && *utilization > 0) || (processes && *processes > 0))
    return judgement.not_applicable(part, "the GPU is in use", basis);
  if (!utilization) return judgement.unknown(part, utilization);
  if (!processes) return judgement.unknown(part, processes);
  if (!power) return judgement.unknown(part, power);
  if (!name) return judgement.unknown(part, name);
  const Record* row = gpu::generation_of(judgement.table("gpu-generations"), *name);
  const auto ceiling = row == nullptr ? std::nullopt : text::decimal(row->at("idle-watts"));
  if (!ceiling) return judgement.unknown(part, "no idle ceiling is known for " + *name, basis);
  const std::string measured = fmt::format("{:.1f} W", *power);
  if (*power > *ceiling)
    return judgement.warn(part, measured, fmt::format("an idle {} draws more than {} W", *name, *ceiling), basis);
  judgement.pass(part, measured, fmt::format("an idle {} draws at most {} W", *name, *ceiling), basis);
}

void idle_power(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each(snapshot, judgement,
                [&](const Subject&, const Subject& part) { judge_idle_power(snapshot, part, judgement); });
}

}  // namespace

extern const Family gpu_health = {
    {"reliability.gpu-ecc-clean", ecc_clean},
    {"reliability.gpu-row-remap", row_remap},
    {"reliability.clocks-unthrottled", clocks_unthrottled},
    {"reliability.idle-power", idle_power},
};

}  // namespace assay::judge::checks
