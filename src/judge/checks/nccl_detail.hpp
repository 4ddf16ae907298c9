// NCCL's settings on a node and where each was said. An environment variable beats the files, the user's file beats
// /etc/nccl.conf.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/check.hpp"

namespace assay::judge::nccl {

struct Setting {
  std::string name;
  std::string value;
  std::string place;    // "/etc/nccl.conf"
  bool system = false;  // the provider's, rather than of the session that looked
  bool sure = true;     // not under a condition that wasn't evaluated
  const Observation* observation = nullptr;

  std::string words() const { return name + "=" + value + " in " + place; }
};

// Every place that sets it to something, the one that wins first.
std::vector<Setting> settings(const Snapshot& snapshot, const Subject& node, const std::string& name);

// The files of the provider's that were looked for, present or not; and, if one couldn't be read, which.
struct Sight {
  std::vector<const Observation*> basis;
  std::optional<Reading<Record>> gap;
};
Sight sight(const Snapshot& snapshot, const Subject& node);

}  // namespace assay::judge::nccl
