#include "judge/checks/nccl_detail.hpp"

#include <array>

#include "base/text.hpp"

namespace assay::judge::nccl {

namespace {

struct Place {
  const char* observation;
  const char* words;
  bool system;
  bool sure = true;
};

constexpr std::array<Place, 6> kPlaces = {{
    {"nccl.environment", "this session's environment", false},
    {"nccl.profile", "the logins' scripts (/etc/profile.d)", true},
    {"nccl.profile-conditional", "the logins' scripts (/etc/profile.d), under a condition", true, false},
    {"nccl.system-environment", "/etc/environment", true},
    {"nccl.user-conf", "the user's nccl.conf", false},
    {"nccl.conf", "/etc/nccl.conf", true},
}};

}  // namespace

std::vector<Setting> settings(const Snapshot& snapshot, const Subject& node, const std::string& name) {
  std::vector<Setting> found;
  for (const Place& place : kPlaces) {
    const auto record = snapshot.record(node, place.observation);
    if (!record) continue;
    const auto entry = record.value->find(name);
    if (entry == record.value->end() || text::trim(entry->second).empty()) continue;
    found.push_back(
        {name, std::string(text::trim(entry->second)), place.words, place.system, place.sure, record.observation});
  }
  return found;
}

Sight sight(const Snapshot& snapshot, const Subject& node) {
  Sight sight;
  for (const Place& place : kPlaces) {
    if (!place.system) continue;
    const auto record = snapshot.record(node, place.observation);
    if (!place.sure && !record.failed()) continue;
    if (record || record.missing()) {
      sight.basis.push_back(record.observation);
    } else if (!sight.gap) {
      sight.gap = record;
    }
  }
  return sight;
}

}  // namespace assay::judge::nccl
