// Mounted file systems and what is left on them. A dead server hangs whoever asks for its free space, so local ones are
// asked first, and each network one by a program of its own that can be left behind.
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>

#include "base/text.hpp"
#include "node/facts/disks_detail.hpp"
#include "node/facts/mounts_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{2000};     // for one network mount
constexpr std::chrono::milliseconds kAllPatience{8000};  // for all of them
constexpr std::size_t kMostTold = 200;

constexpr Emits kEmits[] = {
    {"mounts.network", "", "", "mount points of shared and network file systems, pods' and sessions' own left out"},
    {"mounts.left-out", "", "1", "mounts not told of: those of the system and of containers, and any past the bound"},
    {"mount.source", "mount", "", "what is mounted: a device, server:/export, a file system's name"},
    {"mount.type", "mount", "", "file system type as the kernel names it"},
    {"mount.media", "mount", "", "network, disk, memory, overlay or automount"},
    {"mount.root", "mount", "", "the folder of the file system that is mounted; not / for a bind mount"},
    {"mount.options", "mount", "", "options of the mount and of its file system"},
    {"mount.read-only", "mount", "", "is it mounted read-only?"},
    {"mount.on-demand", "mount", "", "is it below an automount point, so that it comes and goes?"},
    {"mount.disks", "mount", "", "the whole disks it stands on"},
    {"mount.answer", "mount", "", "of a network file system asked for its free space: ok, or what came instead"},
    {"mount.identity", "mount", "", "inode and change time of its top folder: the same for all clients of one export"},
    {"mount.size", "mount", "By", "size"},
    {"mount.available", "mount", "By", "free space that users may fill"},
    {"mount.inodes", "mount", "1", "files it can hold; 0 where there is no such bound"},
    {"mount.inodes-free", "mount", "1", "files that can still be made"},
};

Subject subject_of(const Mount& mount) { return Subject().child("mount", mount.point); }

struct Space {
  std::int64_t size = 0, available = 0, inodes = 0, inodes_free = 0;
};

void say_space(Findings& findings, const Mount& mount, const Seen<Space>& space, std::string_view from) {
  const Subject subject = subject_of(mount);
  const auto part = [&](std::string_view name, std::int64_t Space::*field) {
    findings.say(subject, name, space.map([&](const Space& s) { return s.*field; }), from);
  };
  part("mount.size", &Space::size);
  part("mount.available", &Space::available);
  part("mount.inodes", &Space::inodes);
  part("mount.inodes-free", &Space::inodes_free);
}

Seen<Space> local_space(Host& host, const Mount& mount) {
  Space space;
  const auto answer = host.ask("statvfs " + mount.point, [&]() -> Seen<std::string> {
    struct statvfs vfs {};
    if (statvfs(mount.point.c_str(), &vfs) != 0)
      return unseen(errno == EACCES ? Absence::permission : Absence::malformed,
                    fmt::format("statvfs {}: {}", mount.point, errno_words(errno)));
    const auto scaled = [&](auto blocks) { return static_cast<std::int64_t>(blocks * vfs.f_frsize); };
    space = {scaled(vfs.f_blocks), scaled(vfs.f_bavail), static_cast<std::int64_t>(vfs.f_files),
             static_cast<std::int64_t>(vfs.f_ffree)};
    return fmt::format("size {} available {} inodes {} free {}", space.size, space.available, space.inodes,
                       space.inodes_free);
  });
  return answer.map([&](const std::string&) { return space; });
}

// "4096 1000 900 500 400": fundamental block size, blocks, blocks for users, inodes, free inodes.
Seen<Space> parse_space(const std::string& line) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view word : text::words(text::trim(line)))
    if (const auto number = text::integer(word); number && *number >= 0) numbers.push_back(*number);
  if (numbers.size() != 5 || text::words(text::trim(line)).size() != 5)
    return unseen(Absence::malformed, fmt::format("stat -f printed \"{}\"", text::to_utf8(line, 80)));
  Space space{0, 0, numbers[3], numbers[4]};
  if (__builtin_mul_overflow(numbers[0], numbers[1], &space.size) ||
      __builtin_mul_overflow(numbers[0], numbers[2], &space.available))
    return unseen(Absence::malformed, fmt::format("stat -f printed \"{}\"", text::to_utf8(line, 80)));
  return space;
}

// The last words of "stat: cannot read file system information for '/data': Stale file handle".
std::string reason_in(const std::string& message) {
  const std::string_view line = text::trim(message.substr(0, message.find('\n')));
  const auto colon = line.rfind(": ");
  return text::to_utf8(colon == std::string_view::npos ? line : line.substr(colon + 2), 120);
}

void ask_network(Host& host, Findings& findings, const Mount& mount, std::chrono::milliseconds left) {
  const Subject subject = subject_of(mount);
  if (!host.live() || left.count() < 100) {
    const Absent why = host.live() ? Absent{Absence::timeout, "not asked: other mounts used up the time"}
                                   : Absent{Absence::unsupported, "a folder tree's file systems can't be asked"};
    findings.absent(subject, "mount.answer", why, mount.point);
    return say_space(findings, mount, tl::unexpected(why), mount.point);
  }
  const auto patience = std::min(left, kPatience);
  const auto output = host.run({"stat", "-f", "-c", "%S %b %a %c %d", mount.point}, {patience, 4096});
  if (!output && output.error().reason != Absence::timeout) {
    findings.absent(subject, "mount.answer", output.error(), "stat -f");
    return say_space(findings, mount, tl::unexpected(output.error()), "stat -f");
  }
  const bool well = output && output->status == 0;
  findings.see(subject, "mount.answer",
               well     ? std::string("ok")
               : output ? reason_in(output->err)
                        : fmt::format("no answer in {} ms", patience.count()),
               "stat -f");
  if (!well) {
    const Absent why = output ? Absent{Absence::malformed, reason_in(output->err)} : output.error();
    findings.absent(subject, "mount.identity", why, "stat -f");
    return say_space(findings, mount, tl::unexpected(why), "stat -f");
  }
  say_space(findings, mount, parse_space(output->out), "stat -f");
  findings.say(subject, "mount.identity", folder_identity(host, mount.point), "stat");
}

void say_mount(Host& host, Findings& findings, const Mount& mount, const std::vector<Mount>& all,
               const std::string& from) {
  const Subject subject = subject_of(mount);
  const Media media = media_of(mount);
  findings.see(subject, "mount.source", mount.source, from);
  findings.see(subject, "mount.type", mount.type, from);
  findings.see(subject, "mount.media", std::string(name_of(media)), from);
  findings.see(subject, "mount.root", mount.root, from);
  findings.see(subject, "mount.options", mount.options, from);
  findings.see(subject, "mount.read-only",
               std::find(mount.options.begin(), mount.options.end(), "ro") != mount.options.end(), from);
  findings.see(subject, "mount.on-demand",
               std::any_of(all.begin(), all.end(),
                           [&](const Mount& other) {
                             return other.type == "autofs" && other.point != mount.point &&
                                    below(mount.point, other.point);
                           }),
               from);
  if (media == Media::disk)
    findings.say(subject, "mount.disks", disks_below(host, mount.device, mount.source), "/sys/dev/block");
}

std::vector<Mount> worth_telling(const std::vector<Mount>& mounts) {
  std::vector<Mount> told;
  for (const Mount& mount : mounts)
    if (media_of(mount) != Media::pseudo && !belongs_to_a_container(mount)) told.push_back(mount);
  // Network file systems first, so that the bound never costs one of them.
  std::stable_sort(told.begin(), told.end(), [](const Mount& a, const Mount& b) {
    return (media_of(a) == Media::network) > (media_of(b) == Media::network);
  });
  if (told.size() > kMostTold) told.resize(kMostTold);
  return told;
}

void read(Host& host, Findings& findings) {
  std::string from;
  const auto mounts = read_mounts(host, from);
  if (!mounts) {
    findings.absent({}, "mounts.network", mounts.error(), from);
    findings.absent({}, "mounts.left-out", mounts.error(), from);
    return;
  }
  const std::vector<Mount> told = worth_telling(*mounts);
  TextList network;
  for (const Mount& mount : told) {
    if (media_of(mount) == Media::network) network.push_back(mount.point);
    say_mount(host, findings, mount, *mounts, from);
  }
  findings.see({}, "mounts.network", network, from);
  findings.see({}, "mounts.left-out", static_cast<std::int64_t>(mounts->size() - told.size()), from);
  for (const Mount& mount : told)
    if (const Media media = media_of(mount); media != Media::network && media != Media::automount)
      say_space(findings, mount, local_space(host, mount), "statvfs");
  const auto deadline = Clock::now() + kAllPatience;
  for (const Mount& mount : told)
    if (media_of(mount) == Media::network)
      ask_network(host, findings, mount,
                  std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()));
}

}  // namespace

extern const Reader mounts = {"mounts", "mounted file systems and their free space", std::chrono::seconds(15), kEmits,
                              read};

}  // namespace assay::node::facts
