// The keys that the scheduler's daemons trust each other by: whoever reads one can be any user on every node.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "judge/checks/slurm_detail.hpp"

namespace assay::judge::checks {

namespace {

constexpr std::int64_t kForOthers = 077;

struct Key {
  Subject subject;
  Reading<std::int64_t> mode;
  Reading<std::string> owner;
  Reading<std::int64_t> folder;
  Reading<TextList> copies;  // of the keys themselves
};

std::vector<Key> keys_of(const Snapshot& snapshot, const Subject& host) {
  std::vector<Key> keys;
  for (const Subject& part : snapshot.parts(host, "scheduler-key"))
    keys.push_back({part, snapshot.integer(part, "scheduler-key.mode"), snapshot.text(part, "scheduler-key.owner"),
                    snapshot.integer(part, "scheduler-key.folder-mode"), snapshot.list(part, "scheduler-key.copies")});
  return keys;
}

// munge's own user, Slurm's, or root: anybody else who owns the key can read it.
bool daemon_user(const std::string& owner) {
  constexpr std::array<std::string_view, 3> kUsers{"munge", "slurm", "root"};
  return std::find(kUsers.begin(), kUsers.end(), owner) != kUsers.end();
}

// Others may go into the folder, and whoever looked wasn't told what is in it. A copy has no copies of its own, and
// evidence of before copies were looked for stays as it was.
bool copies_unseen(const Key& key) {
  const Observation* said = key.copies.observation;
  return said != nullptr && !key.copies && !key.copies.missing() && (!key.folder || (*key.folder & kForOthers) != 0);
}

void judge_key(Judgement& judgement, const Key& key) {
  const std::string name = key.subject.id();
  if (key.mode && !key.owner && (*key.mode & kForOthers) != 0)
    return judgement.fail(key.subject, fmt::format("{} {:04o}", name, *key.mode),
                          fmt::format("{} is open to others than its owner, whoever that is", name),
                          {key.mode.observation, key.owner.observation});
  if (!key.mode || !key.owner) {
    // A folder that lets nobody but its owner through keeps the key, whatever the key's own mode.
    if (key.folder && (*key.folder & kForOthers) == 0)
      return judgement.pass(key.subject, fmt::format("folder of {} {:04o}", name, *key.folder),
                            fmt::format("only its owner gets into the folder of {}", name),
                            {key.mode.observation, key.folder.observation});
    return judgement.unknown(key.subject, key.mode ? key.owner.gap : key.mode.gap, {key.mode.observation});
  }
  const std::string measured = fmt::format("{} {:04o} {}", name, *key.mode, *key.owner);
  const std::vector<const Observation*> basis{key.mode.observation, key.owner.observation};
  if (!daemon_user(*key.owner))
    return judgement.fail(key.subject, measured, fmt::format("{} belongs to the user {}", name, *key.owner), basis);
  if ((*key.mode & kForOthers) != 0)
    return judgement.fail(key.subject, measured, fmt::format("{} is open to others than its owner", name), basis);
  if (copies_unseen(key))
    return judgement.unknown(key.subject,
                             fmt::format("only {} can read {}, but whether copies of it lie beside it was not seen: {}",
                                         *key.owner, name, key.copies.gap),
                             {key.mode.observation, key.copies.observation});
  judgement.pass(key.subject, measured, fmt::format("only {} can read {}", *key.owner, name), basis);
}

// Copies that were listed, and nothing more was told of.
void say_untold_copies(const Subject& host, const std::vector<Key>& keys, Judgement& judgement) {
  for (const Key& key : keys)
    for (const std::string& path : key.copies.value.value_or(TextList())) {
      const Subject copy = host.child("scheduler-key", path);
      if (std::none_of(keys.begin(), keys.end(), [&](const Key& told) { return told.subject == copy; }))
        judgement.unknown(copy,
                          fmt::format("{} is a copy of {}, and who can read it was not seen", path, key.subject.id()),
                          {key.copies.observation});
    }
}

void munge_key_private(const Snapshot& snapshot, Judgement& judgement) {
  std::vector<const Observation*> basis;
  std::string gap;
  const auto slurm_here = slurm::present(snapshot, basis, gap);
  for (const Subject& host : snapshot.hosts()) {
    const auto keys = keys_of(snapshot, host);
    std::vector<const Observation*> looked_for;
    bool all_missing = !keys.empty();
    for (const Key& key : keys) {
      if (!key.mode.missing()) judge_key(judgement, key);
      all_missing = all_missing && key.mode.missing();
      looked_for.push_back(key.mode.observation);
    }
    say_untold_copies(host, keys, judgement);
    if (!all_missing) continue;
    if (slurm_here && !*slurm_here) {
      judgement.not_applicable(host, "Slurm was looked for and isn't here, and neither is a key", looked_for);
    } else {
      judgement.unknown(host, "no key of munge or Slurm is where it usually lies", looked_for);
    }
  }
}

}  // namespace

extern const Family scheduler_keys = {{"security.munge-key-private", munge_key_private}};

}  // namespace assay::judge::checks
