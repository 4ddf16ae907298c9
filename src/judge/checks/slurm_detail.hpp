// Slurm's facts of a whole cluster. They come from the login host or from any node, whoever saw them: this finds who
// did, lets a check judge what each tells, and keeps the worst, so that hosts that disagree can't hide a fault.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/findings.hpp"

namespace assay::judge::slurm {

// One host's word on Slurm's settings: what runs (scontrol show config), or only what its slurm.conf says.
class Teller {
 public:
  Teller(const Snapshot& snapshot, Subject host, bool running)
      : snapshot_(&snapshot), host_(std::move(host)), running_(running) {}

  const Subject& host() const { return host_; }
  bool running() const { return running_; }
  // "" stands for unset: (null), N/A, or not written in slurm.conf. Nothing if it can't be told; gap() then says why.
  std::optional<std::string> setting(std::string_view key);
  // Whether jobs are kept to their own devices, by the controller's cgroup section or this host's cgroup.conf.
  std::optional<bool> constrains_devices();
  // Uses an observation of this host as basis; nullptr if there is none.
  const Observation* observation(std::string_view name);

  const std::string& gap() const { return gap_; }
  // Every observation asked for so far.
  const std::vector<const Observation*>& basis() const { return basis_; }

 private:
  const Snapshot* snapshot_;
  Subject host_;
  bool running_;
  std::string gap_;
  std::vector<const Observation*> basis_;
};

// Hosts that told the running settings, login first; if none did, hosts whose slurm.conf could be read.
std::vector<Teller> tellers(const Snapshot& snapshot);

// Says the cluster's verdict: not_applicable where Slurm was looked for and isn't, unknown where nobody could tell it,
// else the worst opinion over all tellers. Returns its status.
Status judge_cluster(const Snapshot& snapshot, Judgement& judgement, const std::function<Opinion(Teller&)>& think);

// Is there a Slurm cluster? Nothing if that couldn't be seen; `basis` gets what it rests on, `gap` why not.
std::optional<bool> present(const Snapshot& snapshot, std::vector<const Observation*>& basis, std::string& gap);

// A node as Slurm knows it: the part cluster/c/node/n1/slurm-node/n3 that some host told of.
struct Known {
  Subject part;
  std::string name;
  std::string hostname;
};
// All nodes as the first teller that has any tells them.
std::vector<Known> known_nodes(const Snapshot& snapshot);
// The entry for a host of the run, by Slurm's name or host name; nullptr if there is none. A run may call a host by an
// address or an alias, so the name that the host gives itself counts first.
const Known* entry_of(const Snapshot& snapshot, const std::vector<Known>& nodes, const Subject& host);

// "n1, n2, n3 and 4 more"
std::string some_of(const std::vector<std::string>& names, std::size_t most = 8);

}  // namespace assay::judge::slurm
