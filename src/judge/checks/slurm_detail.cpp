#include "judge/checks/slurm_detail.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace assay::judge::slurm {

namespace {

std::string unset_or(const std::string& value) { return value == "(null)" || value == "N/A" ? std::string() : value; }

// Login hosts come last among hosts, but are the ones that should know.
std::vector<Subject> login_first(const Snapshot& snapshot) {
  std::vector<Subject> hosts = snapshot.hosts();
  std::stable_partition(hosts.begin(), hosts.end(), [](const Subject& host) { return host.kind() == "login"; });
  return hosts;
}

}  // namespace

const Observation* Teller::observation(std::string_view name) {
  const Observation* found = snapshot_->find(host_, name);
  if (found != nullptr && std::find(basis_.begin(), basis_.end(), found) == basis_.end()) basis_.push_back(found);
  return found;
}

std::optional<std::string> Teller::setting(std::string_view key) {
  const std::string name = fmt::format("slurm.{}.{}", running_ ? "config" : "file", key);
  observation(name);
  const auto reading = snapshot_->text(host_, name);
  if (reading) return unset_or(*reading);
  // A setting that isn't written has its default; one that scontrol doesn't list doesn't exist in this version.
  const Absent* absent = reading.observation == nullptr ? nullptr : reading.observation->absent();
  const auto harmless = running_ ? Absence::unsupported : Absence::missing;
  if (absent != nullptr && absent->reason == harmless) return std::string();
  gap_ = reading.gap;
  return std::nullopt;
}

std::optional<bool> Teller::constrains_devices() {
  const auto yes = [](const std::string& value) { return text::lower(value) == "yes"; };
  if (const auto told = snapshot_->text(host_, "slurm.cgroup.ConstrainDevices")) {
    observation("slurm.cgroup.ConstrainDevices");
    return yes(*told);
  }
  observation("slurm.cgroup-file");
  const auto file = snapshot_->record(host_, "slurm.cgroup-file");
  if (file) {
    const auto found = file.value->find("constraindevices");
    return found != file.value->end() && yes(found->second);
  }
  // Without the file nothing is constrained; but only a host that keeps a slurm.conf would have it.
  if (file.missing() && snapshot_->text(host_, "slurm.conf-path")) return false;
  gap_ = file.gap;
  return std::nullopt;
}

std::vector<Teller> tellers(const Snapshot& snapshot) {
  std::vector<Teller> running;
  std::vector<Teller> written;
  for (const Subject& host : login_first(snapshot)) {
    if (snapshot.text(host, "slurm.config.SLURM_VERSION")) {
      running.emplace_back(snapshot, host, true);
    } else if (snapshot.text(host, "slurm.conf-path")) {
      written.emplace_back(snapshot, host, false);
    }
  }
  return running.empty() ? written : running;
}

std::optional<bool> present(const Snapshot& snapshot, std::vector<const Observation*>& basis, std::string& gap) {
  std::vector<const Observation*> without;
  bool unsure = false;
  for (const Subject& host : snapshot.hosts()) {
    const auto told = snapshot.boolean(host, "slurm.present");
    if (told && *told) {
      basis = {told.observation};
      return true;
    }
    if (told) without.push_back(told.observation);
    if (!told && told.observation != nullptr) {
      unsure = true;
      basis.push_back(told.observation);
      gap = told.gap;
    }
  }
  // Whoever tells its settings or nodes has one.
  if (without.empty() && (!tellers(snapshot).empty() || !known_nodes(snapshot).empty())) return true;
  if (unsure || without.empty()) {
    if (gap.empty()) gap = "no host said whether there is a Slurm";
    return std::nullopt;
  }
  basis = std::move(without);
  return false;
}

Status judge_cluster(const Snapshot& snapshot, Judgement& judgement, const std::function<Opinion(Teller&)>& think) {
  std::vector<const Observation*> basis;
  std::string gap;
  const auto there = present(snapshot, basis, gap);
  if (there && !*there) {
    judgement.not_applicable(snapshot.cluster(), "Slurm was looked for and isn't here", basis);
    return Status::not_applicable;
  }
  std::vector<Teller> all = tellers(snapshot);
  if (all.empty()) {
    judgement.unknown(snapshot.cluster(), there ? "Slurm's settings could not be seen on any host" : gap, basis);
    return Status::unknown;
  }
  std::optional<Opinion> worst;
  Teller* by = nullptr;
  std::vector<std::string> others;
  std::vector<Opinion> opinions;
  for (Teller& teller : all) {
    opinions.push_back(think(teller));
    if (!worst || worse(opinions.back().status, worst->status)) {
      worst = opinions.back();
      by = &teller;
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (opinions[i].measured != worst->measured) others.push_back(all[i].host().id());
  if (!others.empty())
    worst->why += fmt::format("; hosts disagree: {} says this, {} tell otherwise", by->host().id(), some_of(others));
  if (!by->running()) worst->why += " (by slurm.conf; slurmctld was not heard)";
  judgement.say(worst->status, snapshot.cluster(), worst->measured, worst->why, by->basis());
  return worst->status;
}

std::vector<Known> known_nodes(const Snapshot& snapshot) {
  for (const Subject& host : login_first(snapshot)) {
    std::vector<Known> nodes;
    for (const Subject& part : snapshot.parts(host, "slurm-node")) {
      const auto hostname = snapshot.text(part, "slurm.node-hostname");
      nodes.push_back({part, part.id(), hostname ? *hostname : part.id()});
    }
    if (!nodes.empty()) return nodes;
  }
  return {};
}

const Known* entry_of(const Snapshot& snapshot, const std::vector<Known>& nodes, const Subject& host) {
  std::vector<std::string> names;
  if (const auto own = snapshot.text(host, "os.hostname")) {
    names.push_back(*own);
    names.push_back((*own).substr(0, (*own).find('.')));
  }
  names.push_back(host.id());
  // By Slurm's name before by host name: one machine may stand behind several nodes.
  for (const auto what : {&Known::name, &Known::hostname}) {
    for (const std::string& name : names) {
      const auto found =
          std::find_if(nodes.begin(), nodes.end(), [&](const Known& node) { return node.*what == name; });
      if (found != nodes.end()) return &*found;
    }
  }
  return nullptr;
}

std::string some_of(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = std::min(most, names.size());
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace assay::judge::slurm
