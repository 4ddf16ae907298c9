// Which of Slurm's nodes can be had, as sinfo tells them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace assay::cluster {

struct SlurmNode {
  std::string name;
  std::string partition;    // "main*" in sinfo: main
  bool by_default = false;  // of the default partition
  std::string state;        // IDLE, MIXED, DRAINED+NOT_RESPONDING, …
  std::string reason;       // "" if there is none
  std::string gres;         // what srun --gres must ask for to be given all of it: "gpu:h100:8"; "" for nothing

  // Why it isn't worth asking for, or "": the state, with the administrator's reason.
  std::string unreachable(bool in_reservation) const;
  bool idle() const { return state == "IDLE"; }
  // slurmctld waits for its answer and hasn't given it up: so it is for a second or two after a RESUME or a restart.
  bool awaited() const;
};

// The format that parse_sinfo() reads; the reason is last, for it may hold anything.
inline constexpr const char* kSinfoFormat = "%N|%P|%T|%G|%E";
// One entry a node and partition. A line of another shape is the rest of a reason that holds a line break.
Result<std::vector<SlurmNode>> parse_sinfo(std::string_view text);

}  // namespace assay::cluster
