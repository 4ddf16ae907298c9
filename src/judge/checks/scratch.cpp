// Local scratch: a fast file system on the node's own disks, with space and inodes left.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

// The smallest local SSD that a cloud's GPU machine comes with is 375 GB; what is far below is no scratch disk.
constexpr double kSmallest = 100e9;
constexpr double kLowShare = 0.10;

std::string human(double bytes) {
  return bytes >= 1e12 ? fmt::format("{:.1f} TB", bytes / 1e12) : fmt::format("{:.1f} GB", bytes / 1e9);
}

// Parts of the system that lie on disks of their own aren't scratch, nor are homes.
bool belongs_to_the_system(const std::string& point) {
  constexpr std::array<std::string_view, 14> kFolders{"/boot", "/usr", "/var", "/opt",  "/etc", "/home", "/root",
                                                      "/srv",  "/nix", "/lib", "/snap", "/dev", "/proc", "/efi"};
  return point == "/" || std::any_of(kFolders.begin(), kFolders.end(), [&](std::string_view folder) {
           return point == folder || point.starts_with(std::string(folder) + "/");
         });
}

struct Scratch {
  std::string point;
  double size = 0;  // the least that it may be, where it wasn't read
  Reading<std::int64_t> told_size, available, inodes, inodes_free;
  Reading<bool> read_only;
  std::optional<bool> turning;
  std::string turning_gap;
  Basis basis;
};

// Whether the disks turn; nothing, and why (`gap`), where that wasn't seen of one that may.
std::optional<bool> turns(const Snapshot& snapshot, const Subject& node, const Reading<TextList>& disks, Basis& basis,
                          std::string& gap) {
  basis.push_back(disks.observation);
  if (!disks) gap = disks.gap;
  for (const std::string& disk : disks.value.value_or(TextList())) {
    const auto transport = snapshot.text(node.child("disk", disk), "disk.transport");
    const auto rotational = snapshot.boolean(node.child("disk", disk), "disk.rotational");
    basis.insert(basis.end(), {transport.observation, rotational.observation});
    // Virtual disks call themselves turning; of those nothing is known.
    if ((rotational && !*rotational) || (transport && *transport != "scsi")) continue;
    if (rotational && transport) return true;
    gap = fmt::format("whether {} turns: {}", disk, rotational ? transport.gap : rotational.gap);
  }
  return gap.empty() ? std::optional(false) : std::nullopt;
}

// The largest local file system that could be scratch; nothing if there is none.
std::optional<Scratch> largest(const Snapshot& snapshot, const Subject& node) {
  std::optional<Scratch> best;
  for (const Subject& mount : snapshot.parts(node, "mount")) {
    const auto media = snapshot.text(mount, "mount.media");
    const auto size = snapshot.integer(mount, "mount.size");
    const std::string point = mount.id();
    if (!media || *media != "disk" || belongs_to_the_system(point)) continue;
    // One whose size couldn't be read is still the node's scratch, if no other is larger.
    const double bytes = size ? static_cast<double>(*size) : kSmallest;
    if (bytes < kSmallest || (best && best->size >= bytes)) continue;
    const auto read_only = snapshot.boolean(mount, "mount.read-only");
    Scratch scratch{point,
                    bytes,
                    size,
                    snapshot.integer(mount, "mount.available"),
                    snapshot.integer(mount, "mount.inodes"),
                    snapshot.integer(mount, "mount.inodes-free"),
                    read_only,
                    std::nullopt,
                    "",
                    {media.observation, size.observation, read_only.observation}};
    scratch.turning = turns(snapshot, node, snapshot.list(mount, "mount.disks"), scratch.basis, scratch.turning_gap);
    best = std::move(scratch);
  }
  return best;
}

void weigh_inodes(const Scratch& scratch, Findings& found) {
  const auto& all = scratch.inodes;
  const auto& free = scratch.inodes_free;
  if (!all || !free) return found.gap(all ? free.gap : all.gap);
  // File systems without a bound on files say 0.
  if (*all <= 0 || static_cast<double>(*free) >= kLowShare * static_cast<double>(*all)) return;
  found.warn(fmt::format("{}: {} of {} inodes free", scratch.point, *free, *all),
             fmt::format("{} has space, but hardly any files can be made there", scratch.point));
}

void judge_space(Judgement& judgement, const Subject& node, const Scratch& scratch) {
  Findings found;
  found.rest_on(scratch.basis);
  found.rest_on({scratch.available.observation, scratch.inodes.observation, scratch.inodes_free.observation});
  if (!scratch.read_only) found.gap(scratch.read_only.gap);
  if (scratch.read_only && *scratch.read_only)
    found.fail(scratch.point + " read-only",
               fmt::format("{} is mounted read-only: nothing can be written there", scratch.point));
  const bool sized = scratch.told_size && scratch.available;
  if (!sized) found.gap(scratch.told_size ? scratch.available.gap : scratch.told_size.gap);
  const double free = static_cast<double>(scratch.available.value.value_or(0));
  const std::string measured = fmt::format("{}: {} of {} free", scratch.point, human(free), human(scratch.size));
  if (sized && free < kLowShare * scratch.size) found.warn(measured, fmt::format("{} is nearly full", scratch.point));
  weigh_inodes(scratch, found);
  if (!scratch.turning) found.gap(scratch.turning_gap);
  if (scratch.turning && *scratch.turning)
    found.warn(measured, fmt::format("{} lies on disks that turn", scratch.point));
  found.say(node, {Status::pass, measured, "a file system on the node's own disks has space and inodes"}, judgement);
}

struct Idle {
  std::vector<std::string> disks;
  Basis basis;
};

Idle idle_disks(const Snapshot& snapshot, const Subject& node) {
  Idle idle;
  for (const Subject& disk : snapshot.parts(node, "disk")) {
    const auto use = snapshot.text(disk, "disk.use");
    const auto size = snapshot.integer(disk, "disk.size");
    const auto transport = snapshot.text(disk, "disk.transport");
    if (!use || (*use != "none" && *use != "partitioned") || transport.value.value_or("") != "nvme") continue;
    if (!size || static_cast<double>(*size) < kSmallest) continue;
    idle.disks.push_back(fmt::format("{} ({})", disk.id(), human(static_cast<double>(*size))));
    idle.basis.insert(idle.basis.end(), {use.observation, size.observation});
  }
  return idle;
}

void judge_none(const Snapshot& snapshot, Judgement& judgement, const Subject& node) {
  const auto mounts = snapshot.integer(node, "mounts.left-out");  // said only if the list of mounts was read
  const auto disks = snapshot.list(node, "disks.names");
  if (!mounts) return judgement.unknown(node, mounts);
  if (!disks) return judgement.unknown(node, disks);
  for (const Subject& mount : snapshot.parts(node, "mount"))
    if (const auto media = snapshot.text(mount, "mount.media"); !media && !belongs_to_the_system(mount.id()))
      return judgement.unknown(node, fmt::format("what {} lies on: {}", mount.id(), media.gap), {media.observation});
  Idle idle = idle_disks(snapshot, node);
  idle.basis.insert(idle.basis.end(), {mounts.observation, disks.observation});
  if (!idle.disks.empty())
    return judgement.fail(node, fmt::format("idle: {}", fmt::join(idle.disks, ", ")),
                          "NVMe disks are there, and no scratch file system is mounted from them", idle.basis);
  judgement.fail(node, "none", "no local file system beside the system's own is mounted", idle.basis);
}

void local_scratch(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& node : snapshot.nodes()) {
    const auto gpus = snapshot.integer(node, "gpu.count");
    if (gpus && *gpus == 0) {
      judgement.not_applicable(node, "the node has no GPU: scratch is asked of nodes that train", {gpus.observation});
    } else if (auto scratch = largest(snapshot, node)) {
      judge_space(judgement, node, *scratch);
    } else {
      judge_none(snapshot, judgement, node);
    }
  }
}

}  // namespace

extern const Family scratch = {{"storage.local-scratch", local_scratch}};

}  // namespace assay::judge::checks
