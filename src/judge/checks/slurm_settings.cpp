// Slurm's settings: what users may see of each other, whether a job is kept to its own GPUs, whether sick nodes are
// found and use is accounted.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "judge/checks/slurm_detail.hpp"
#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

using slurm::Teller;

bool lists(std::string_view value, std::string_view wanted) {
  const auto parts = text::split(value, ',');
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text::lower(text::trim(part)) == wanted; });
}

Opinion cannot_tell(const Teller& teller) { return {Status::unknown, "", teller.gap()}; }

// ---- security.slurm-private-data

// Whether slurmctld tells jobs and users to whoever asks its port over HTTP (since 25.11). MetricsAuthUsers closes it;
// so does any PrivateData, unless ignore_private_data takes that back. Nothing if it can't be told.
std::optional<bool> open_metrics(Teller& teller, bool private_data) {
  const auto type = teller.setting("MetricsType");
  if (!type) return std::nullopt;
  if (type->empty() || *type == "metrics/none") return false;
  const auto users = teller.setting("MetricsAuthUsers");
  if (!users) return std::nullopt;
  if (!users->empty()) return false;
  if (!private_data) return true;
  const auto parameters = teller.setting("MetricsParameters");
  if (!parameters) return std::nullopt;
  return lists(*parameters, "ignore_private_data");
}

Opinion private_data(Teller& teller) {
  const auto value = teller.setting("PrivateData");
  if (!value) return cannot_tell(teller);
  const bool unset = value->empty() || *value == "none";
  const auto metrics = open_metrics(teller, !unset);
  if (unset)
    return {Status::fail, "PrivateData=none",
            metrics.value_or(false)
                ? "every user sees all users' jobs and usage, and slurmctld's /metrics is open to the network"
                : "every user sees all users' jobs and usage"};
  std::vector<std::string> open;
  for (const auto part : {"jobs", "usage", "users", "accounts"})
    if (!lists(*value, part) && !lists(*value, "all")) open.emplace_back(part);
  const std::string measured = "PrivateData=" + *value;
  if (std::find(open.begin(), open.end(), "jobs") != open.end())
    return {Status::fail, measured, "every user sees all users' jobs"};
  if (metrics.value_or(false))
    return {Status::fail, measured + ", MetricsParameters=ignore_private_data",
            "slurmctld's /metrics tells all users' jobs to the network, whatever PrivateData says"};
  if (!open.empty()) return {Status::warn, measured, fmt::format("jobs are private, but not {}", slurm::some_of(open))};
  if (!metrics) return cannot_tell(teller);
  return {Status::pass, measured, "users see their own jobs, usage and accounts only"};
}

void slurm_private_data(const Snapshot& snapshot, Judgement& judgement) {
  slurm::judge_cluster(snapshot, judgement, private_data);
}

// ---- security.slurm-devices-constrained

Opinion devices_constrained(Teller& teller) {
  const auto plugin = teller.setting("TaskPlugin");
  const auto constrained = teller.constrains_devices();
  if (!plugin) return cannot_tell(teller);
  if (!lists(*plugin, "task/cgroup") && !lists(*plugin, "cgroup"))
    return {Status::fail, "TaskPlugin=" + (plugin->empty() ? "unset" : *plugin),
            "without task/cgroup no job is kept to the GPUs it was given"};
  if (!constrained) return cannot_tell(teller);
  if (!*constrained) return {Status::fail, "ConstrainDevices=no", "a job can open GPUs that were given to another job"};
  return {Status::pass, "TaskPlugin=" + *plugin + ", ConstrainDevices=yes", "a job sees the GPUs that it was given"};
}

// A node that keeps its own configuration goes by its own cgroup.conf, whatever the controller's says.
void odd_nodes(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    const auto path = snapshot.text(node, "slurm.conf-path");
    const auto file = snapshot.record(node, "slurm.cgroup-file");
    if (path.missing()) continue;
    if (!path) {
      judgement.unknown(node, "whether this node keeps its own configuration: " + path.gap, {path.observation});
      continue;
    }
    if (!file && !file.missing()) {
      judgement.unknown(node, "the cgroup.conf that this node goes by: " + file.gap, {file.observation});
      continue;
    }
    const auto found = file ? file.value->find("constraindevices") : Record::const_iterator();
    const bool set = file && found != file.value->end();
    if (set && text::lower(found->second) == "yes") continue;
    judgement.fail(node, set ? "ConstrainDevices=" + found->second : "ConstrainDevices unset",
                   "the cgroup.conf that this node goes by doesn't keep jobs to their GPUs",
                   {path.observation, file.observation});
  }
}

void slurm_devices_constrained(const Snapshot& snapshot, Judgement& judgement) {
  std::vector<const Observation*> counts;
  for (const Subject& node : snapshot.nodes()) {
    const auto gpus = snapshot.integer(node, "gpu.count");
    if (!gpus || *gpus != 0) {
      counts.clear();
      break;
    }
    counts.push_back(gpus.observation);
  }
  if (!counts.empty()) return judgement.not_applicable(snapshot.cluster(), "no node has a GPU", counts);
  const Status status = slurm::judge_cluster(snapshot, judgement, devices_constrained);
  if (status == Status::pass || status == Status::unknown) odd_nodes(snapshot, judgement);
}

// ---- orchestration.slurm-health-program

Opinion health_program(Teller& teller) {
  const auto program = teller.setting("HealthCheckProgram");
  const auto interval = teller.setting("HealthCheckInterval");
  const auto states = teller.setting("HealthCheckNodeState");
  if (!program || !interval || !states) return cannot_tell(teller);
  if (program->empty()) return {Status::fail, "HealthCheckProgram unset", "slurmd runs no health check on its nodes"};
  const auto number = text::trim(*interval);  // "300 sec"; "300" in the file
  const auto seconds =
      number.empty() ? std::optional<std::int64_t>(0) : text::integer(number.substr(0, number.find(' ')));
  if (!seconds) return {Status::unknown, "", fmt::format("HealthCheckInterval \"{}\" can't be read", *interval)};
  const std::string measured =
      fmt::format("{} every {} s on {}", *program, *seconds, states->empty() ? "ANY" : *states);
  if (*seconds <= 0) return {Status::fail, measured, "the health check is set but its interval is 0, so it never runs"};
  if (*seconds > 3600) return {Status::warn, measured, "a sick node may take more than an hour to be found"};
  const bool idle_seen = states->empty() || lists(*states, "any") || lists(*states, "idle") ||
                         lists(*states, "nondrained_idle") || lists(*states, "cycle");
  if (!idle_seen) return {Status::warn, measured, "idle nodes are not checked, so the next job finds the fault"};
  return {Status::pass, measured, "slurmd runs the health check by itself"};
}

// Only of nodes whose own slurm.conf names the program: without that, nobody looked for its file.
void program_on_node(const Snapshot& snapshot, Judgement& judgement, const Subject& node) {
  const auto present = snapshot.boolean(node, "slurm.present");
  if (present && !*present) return;
  const auto program = snapshot.text(node, "slurm.file.HealthCheckProgram");
  if (program.missing() || program.observation == nullptr || (program && (*program).empty())) return;
  if (!program) return judgement.unknown(node, "which health check is set here: " + program.gap, {program.observation});
  const auto mode = snapshot.integer(node, "slurm.health-program-mode");
  const std::vector<const Observation*> basis{program.observation, mode.observation};
  if (mode.missing()) {
    judgement.fail(node, "no such file", fmt::format("{} isn't on this node, so it is never checked", *program), basis);
  } else if (!mode) {
    judgement.unknown(node, fmt::format("the file of {}: {}", *program, mode.gap), basis);
  } else if ((*mode & 0111) == 0) {
    judgement.fail(node, fmt::format("mode {:04o}", *mode), fmt::format("{} isn't executable", *program), basis);
  }
}

void slurm_health_program(const Snapshot& snapshot, Judgement& judgement) {
  slurm::judge_cluster(snapshot, judgement, health_program);
  for (const Subject& node : snapshot.nodes()) program_on_node(snapshot, judgement, node);
}

// ---- orchestration.slurm-accounting

// Only that it was asked and gave no answer is its fault; that nobody could ask it is a gap.
void weigh_database(const Snapshot& snapshot, Teller& teller, const std::string& measured, Findings& found) {
  teller.observation("slurm.accounting-clusters");
  const auto clusters = snapshot.list(teller.host(), "slurm.accounting-clusters");
  const Absent* absent = clusters.observation == nullptr ? nullptr : clusters.observation->absent();
  const bool asked = absent != nullptr && absent->reason != Absence::missing && absent->reason != Absence::permission;
  if (clusters && clusters.value->empty()) {
    found.warn(measured, "the accounting database knows no cluster");
  } else if (!clusters && asked) {
    found.warn(measured, "accounting is set, but its database didn't answer: " + clusters.gap);
  } else if (!clusters) {
    found.gap("whether the accounting database answers: " + clusters.gap);
  }
}

Opinion accounting(const Snapshot& snapshot, Teller& teller) {
  const auto type = teller.setting("AccountingStorageType");
  if (!type) return cannot_tell(teller);
  const std::string measured = "AccountingStorageType=" + (type->empty() ? "none" : *type);
  if (type->empty() || type->ends_with("/none"))
    return {Status::fail, measured, "no job is accounted: sacct knows nothing, and limits by account can't work"};
  Findings found;
  if (teller.running() && type->ends_with("/slurmdbd")) weigh_database(snapshot, teller, measured, found);
  const auto gather = teller.setting("JobAcctGatherType");
  if (!gather) {
    found.gap(teller.gap());
  } else if (gather->empty() || gather->ends_with("/none")) {
    found.warn(measured + ", JobAcctGatherType=none", "jobs are recorded, but not what they used");
  }
  return found.verdict({Status::pass, measured, "jobs and their use are accounted"});
}

void slurm_accounting(const Snapshot& snapshot, Judgement& judgement) {
  slurm::judge_cluster(snapshot, judgement, [&](Teller& teller) { return accounting(snapshot, teller); });
}

}  // namespace

extern const Family slurm_settings = {
    {"security.slurm-private-data", slurm_private_data},
    {"security.slurm-devices-constrained", slurm_devices_constrained},
    {"orchestration.slurm-health-program", slurm_health_program},
    {"orchestration.slurm-accounting", slurm_accounting},
};

}  // namespace assay::judge::checks
