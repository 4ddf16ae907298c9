// Which nodes there are, by Slurm's own word: asked once a run (a node whose answer Slurm awaits, a few times more),
// and kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster/slurm_nodes.hpp"
#include "cluster/slurm_request.hpp"

namespace assay::cluster {

class SlurmDiscovery {
 public:
  // Of what the request names.
  SlurmDiscovery(const SlurmRequest& request, Waiting waiting) : request_(request), waiting_(std::move(waiting)) {}

  std::string cluster();  // its name; "slurm" if Slurm doesn't tell
  // The nodes that were asked for: so many of the partition, those of the list, or those of the job we run in. At least
  // one.
  Result<std::vector<SlurmNode>> wanted();
  // What is known of a node; nullptr if Slurm didn't name it. A run that is taken up again has these nodes and no
  // others.
  const SlurmNode* known(const std::string& name) const;
  void know(const std::vector<std::string>& names);

 private:
  Result<std::vector<SlurmNode>> look(const std::string& nodelist);
  Result<std::vector<SlurmNode>> look_until_heard(const std::string& nodelist);
  Result<void> check_all_there(const std::string& nodelist, const std::vector<SlurmNode>& found) const;
  Result<void> keep_so_many(std::vector<SlurmNode>& found) const;
  void correct_devices(std::vector<SlurmNode>& nodes) const;

  const SlurmRequest& request_;
  Waiting waiting_;
  std::vector<SlurmNode> seen_;
  std::optional<Error> broken_;  // Slurm gave no answer: it isn't asked again
};

}  // namespace assay::cluster
