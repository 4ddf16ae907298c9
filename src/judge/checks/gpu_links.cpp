// How GPUs reach each other: registration with the NVLink fabric, links that are down, and errors on those that are up.
#include <fmt/format.h>

#include <optional>

#include "base/text.hpp"
#include "judge/checks/gpu_detail.hpp"
#include "judge/findings.hpp"
#include "judge/siblings.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

// The driver's makers: checksum errors matter at rates of 100 a second and more (DCGM's limits), single ones don't.
constexpr double kCrcPerSecond = 100;

// AMD's GPUs have no NVLink. True if that was said.
bool without_nvlink(const Snapshot& snapshot, const Subject& part, Judgement& judgement) {
  const auto vendor = snapshot.text(part, "gpu.vendor");
  if (!vendor || *vendor != "amd") return false;
  judgement.not_applicable(part, "AMD's GPUs have no NVLink", {vendor.observation});
  return true;
}

void judge_fabric(const Snapshot& snapshot, const Subject& part, Judgement& judgement) {
  const auto state = snapshot.text(part, "gpu.fabric-state");
  const Basis basis = {state.observation};
  if (!state) return judgement.unknown(part, state);
  if (*state == "completed") return judgement.pass(part, *state, "it is registered with the NVLink fabric", basis);
  if (*state == "not-supported")
    return judgement.not_applicable(part, "its driver says that it has no fabric to register with", basis);
  if (*state == "not-started" || *state == "in-progress" || state.value->starts_with("completed with error"))
    return judgement.fail(part, *state, "it isn't registered with the NVLink fabric, so CUDA doesn't start on it",
                          basis);
  judgement.unknown(part, "what the fabric state " + *state + " means isn't known here", basis);
}

void fabric_registered(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each(snapshot, judgement, [&](const Subject&, const Subject& part) {
    if (!without_nvlink(snapshot, part, judgement)) judge_fabric(snapshot, part, judgement);
  });
}

struct Links {
  Subject part;
  std::string model;
  std::size_t active = 0, inactive = 0, unread = 0;
  std::optional<bool> switched;  // they lead to NVSwitches, so each is meant to be up
  Basis basis;

  std::size_t all() const { return active + inactive + unread; }
};

// Seen on the PCI bus, or by registering with their fabric. On Blackwell they are not this host's PCI devices. Nothing
// where one of the two wasn't seen and the other shows none.
std::optional<bool> has_switches(const Snapshot& snapshot, const Subject& node, const Subject& part) {
  const auto fabric = snapshot.text(part, "gpu.fabric-state");
  if (fabric && (fabric.value->starts_with("completed") || *fabric == "not-started" || *fabric == "in-progress"))
    return true;
  const auto switches = snapshot.integer(node, "pci.nvswitch-count");
  if (switches && *switches > 0) return true;
  const bool known = switches && (fabric || fabric.missing() || fabric.unsupported());
  return known ? std::optional(false) : std::nullopt;
}

void judge_links(const Links& links, const Siblings& siblings, Judgement& judgement) {
  const auto usual = text::integer(siblings.majority());
  const bool compared = siblings.members().size() > 1 && usual;
  const std::string measured = fmt::format("{} of {} active", links.active, links.all());
  if (links.inactive > 0 && links.switched.value_or(false))
    return judgement.fail(links.part, measured, "its NVLinks lead to switches, and not all of them are up",
                          links.basis);
  if (compared && static_cast<std::int64_t>(links.active + links.unread) < *usual)
    return judgement.fail(links.part, measured, fmt::format("most {} have {} active NVLinks", links.model, *usual),
                          links.basis);
  if (links.unread > 0)
    return judgement.unknown(links.part, fmt::format("{} of its NVLinks could not be read", links.unread), links.basis);
  if (links.active == 0)
    return judgement.unknown(links.part, "no NVLink is active; whether its bridges are fitted can't be seen",
                             links.basis);
  if (!usual && siblings.members().size() < siblings.all())
    return judgement.unknown(links.part,
                             fmt::format("only {} of {} that may be {} told their NVLinks", siblings.members().size(),
                                         siblings.all(), links.model),
                             links.basis);
  if (links.inactive == 0) return judgement.pass(links.part, measured, "all of its NVLinks are up", links.basis);
  if (!compared)
    return judgement.unknown(links.part, "some NVLinks are down, and there is nothing to tell whether they are wired",
                             links.basis);
  if (!links.switched)
    return judgement.unknown(links.part, "some NVLinks are down, and whether they lead to NVSwitches was not seen",
                             links.basis);
  judgement.pass(links.part, measured, "as many NVLinks are up as on most " + links.model + ": the rest isn't wired",
                 links.basis);
}

void nvlinks_active(const Snapshot& snapshot, Judgement& judgement) {
  Models models;
  std::vector<Links> all;
  gpu::for_each(snapshot, judgement, [&](const Subject& node, const Subject& part) {
    if (without_nvlink(snapshot, part, judgement)) return;
    const auto name = snapshot.text(part, "gpu.name");
    const auto states = snapshot.list(part, "gpu.nvlink-states");
    if (!name || !states) {
      models.add_silent(name.value);
      return judgement.unknown(part, !states ? states.gap : name.gap, {states.observation, name.observation});
    }
    Links links{part, *name, 0, 0, 0, has_switches(snapshot, node, part), {states.observation}};
    for (const std::string& state : *states)
      ++(state == "active" ? links.active : state == "inactive" ? links.inactive : links.unread);
    if (links.unread == 0) {
      models.of(*name).add(part, fmt::to_string(links.active), states.observation);
    } else {
      models.add_silent(*name);
    }
    all.push_back(std::move(links));
  });
  gpu::add_unseen(snapshot, models);
  for (const Links& links : all) judge_links(links, models.all().at(links.model), judgement);
}

void judge_link_errors(const Snapshot& snapshot, const Subject& node, const Subject& part, Judgement& judgement) {
  const auto replays = snapshot.integer(part, "gpu.nvlink-replays");
  const auto recoveries = snapshot.integer(part, "gpu.nvlink-recoveries");
  const auto crc = snapshot.integer(part, "gpu.nvlink-crc-errors");
  const auto uptime = snapshot.number(node, "os.uptime");
  const auto words = [](const Reading<std::int64_t>& count) { return count ? fmt::to_string(*count) : "unknown"; };
  const std::string measured =
      fmt::format("{} recoveries, {} replays, {} checksum errors", words(recoveries), words(replays), words(crc));
  Findings found;
  found.rest_on({replays.observation, recoveries.observation, crc.observation, uptime.observation});
  for (const auto* count : {&recoveries, &replays, &crc})
    if (!*count) found.gap(count->gap);
  // The counters are no older than the kernel, so the true rate is this or more.
  const bool timed = uptime && *uptime > 0;
  if (recoveries && *recoveries > 0)
    found.fail(measured, fmt::format("an NVLink broke down and was trained anew {} times", *recoveries));
  if (crc && timed && static_cast<double>(*crc) / *uptime >= kCrcPerSecond)
    found.fail(measured, fmt::format("at least {:.0f} wrong checksums a second", static_cast<double>(*crc) / *uptime));
  if (crc && *crc > 0 && !timed) found.gap("checksums were wrong, but over what time was not seen: " + uptime.gap);
  if (replays && *replays > 0)
    found.warn(measured, fmt::format("{} packets had to be sent again over NVLink", *replays));
  found.say(part,
            {Status::pass, measured,
             crc && *crc > 0 ? "single wrong checksums are met at these speeds; none needed a replay or a recovery"
                             : "no error was counted on its NVLinks"},
            judgement);
}

void nvlinks_clean(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each(snapshot, judgement, [&](const Subject& node, const Subject& part) {
    if (!without_nvlink(snapshot, part, judgement)) judge_link_errors(snapshot, node, part, judgement);
  });
}

}  // namespace

extern const Family gpu_links = {
    {"networking.nvlink-fabric-registered", fabric_registered},
    {"networking.nvlinks-active", nvlinks_active},
    {"networking.nvlinks-clean", nvlinks_clean},
};

}  // namespace assay::judge::checks
