#include "node/facts/mounts_detail.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <unordered_map>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

constexpr std::size_t kMostMounts = 8000;

bool octal(char c) { return c >= '0' && c <= '7'; }

std::string unescape(std::string_view field) {
  std::string result;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const auto code = field.substr(i + 1, 3);
    if (field[i] == '\\' && code.size() == 3 && std::all_of(code.begin(), code.end(), octal) && code[0] < '4') {
      result += static_cast<char>(*text::integer(code, 8));
      i += 3;
    } else {
      result += field[i];
    }
  }
  return result;
}

void add_options(std::vector<std::string>& options, std::string_view field) {
  for (const std::string_view option : text::split(field, ',')) {
    std::string plain = unescape(option);
    if (!plain.empty() && std::find(options.begin(), options.end(), plain) == options.end())
      options.push_back(std::move(plain));
  }
}

// "rw" of the file system under a read-only mount: the mount's word is what users meet.
void settle_read_only(Mount& mount, std::string_view mount_options) {
  const auto own = text::split(mount_options, ',');
  const bool read_only = std::find(own.begin(), own.end(), "ro") != own.end() ||
                         std::find(mount.options.begin(), mount.options.end(), "ro") != mount.options.end();
  std::erase(mount.options, read_only ? "rw" : "ro");
}

bool device_number(std::string_view field) {
  const auto parts = text::split(field, ':');
  return parts.size() == 2 && text::integer(parts[0]) && text::integer(parts[1]);
}

using Line = Seen<Mount> (*)(std::string_view line);

Seen<Mount> mountinfo_line(std::string_view line) {
  const auto fields = text::split(line, ' ');
  const auto dash = fields.size() < 7 ? fields.end() : std::find(fields.begin() + 6, fields.end(), "-");
  // The kernel prints an empty source as nothing between two blanks, so fields are counted, not words.
  const auto id = text::integer(fields[0]);
  const auto parent = fields.size() < 2 ? std::nullopt : text::integer(fields[1]);
  if (dash == fields.end() || fields.end() - dash < 4 || !id || !parent || !device_number(fields[2]) ||
      !fields[4].starts_with('/') || dash[1].empty())
    return unseen(Absence::malformed, fmt::format("no line of mountinfo: \"{}\"", text::to_utf8(line, 120)));
  Mount mount{*id,
              *parent,
              std::string(fields[2]),
              unescape(fields[3]),
              unescape(fields[4]),
              unescape(dash[1]),
              unescape(dash[2]),
              {}};
  add_options(mount.options, fields[5]);
  add_options(mount.options, dash[3]);
  settle_read_only(mount, fields[5]);
  return mount;
}

Seen<Mount> mounts_line(std::string_view line) {
  const auto fields = text::split(line, ' ');
  if (fields.size() != 6 || !fields[1].starts_with('/') || fields[2].empty() || !text::integer(fields[4]) ||
      !text::integer(fields[5]))
    return unseen(Absence::malformed, fmt::format("no line of /proc/mounts: \"{}\"", text::to_utf8(line, 120)));
  Mount mount{0, 0, "", "/", unescape(fields[1]), unescape(fields[2]), unescape(fields[0]), {}};
  add_options(mount.options, fields[3]);
  return mount;
}

Seen<std::vector<Mount>> parse(std::string_view text, Line line_of) {
  if (text.empty()) return unseen(Absence::malformed, "the list of mounts is empty");
  if (text.back() != '\n') return unseen(Absence::malformed, "the list of mounts ends inside a line");
  std::vector<Mount> mounts;
  for (const std::string_view line : text::lines(text)) {
    auto mount = line_of(line);
    if (!mount) return tl::unexpected(mount.error());
    if (mounts.size() == kMostMounts)
      return unseen(Absence::malformed, fmt::format("more than {} mounts", kMostMounts));
    mounts.push_back(std::move(*mount));
  }
  return mounts;
}

using Children = std::unordered_map<std::int64_t, std::vector<std::size_t>>;  // mount id → indexes

// A mount is hidden by one that stands on it at the same point, by a sibling mounted at a folder above it, and with its
// hidden parent. The order of the list says nothing ("/" often comes after /proc), save between siblings at one point.
bool hides(const std::vector<Mount>& mounts, std::size_t cover_at, std::size_t mount_at) {
  const Mount& cover = mounts[cover_at];
  const Mount& mount = mounts[mount_at];
  if (cover_at == mount_at) return false;
  if (cover.parent == mount.id && cover.id != mount.id) return cover.point == mount.point;
  if (cover.parent != mount.parent || !below(mount.point, cover.point)) return false;
  return cover.point != mount.point || cover_at > mount_at;
}

std::vector<bool> hidden_ones(const std::vector<Mount>& mounts) {
  std::vector<bool> hidden(mounts.size(), false);
  Children children;
  for (std::size_t i = 0; i < mounts.size(); ++i) children[mounts[i].parent].push_back(i);
  const auto hidden_itself = [&](std::size_t at) {
    for (const std::int64_t parent : {mounts[at].id, mounts[at].parent})
      for (const std::size_t other : children[parent])
        if (hides(mounts, other, at)) return true;
    return false;
  };
  // /proc/mounts has no ids: there only a later mount at the same point is known to hide one.
  const auto hidden_by_later = [&](std::size_t at) {
    return std::any_of(mounts.begin() + static_cast<std::ptrdiff_t>(at) + 1, mounts.end(),
                       [&](const Mount& later) { return later.point == mounts[at].point; });
  };
  for (std::size_t i = 0; i < mounts.size(); ++i) hidden[i] = mounts[i].id == 0 ? hidden_by_later(i) : hidden_itself(i);
  // What stands on a hidden mount is hidden too, except the very mount that hides it.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < mounts.size(); ++i) {
      if (!hidden[i] || mounts[i].id == 0) continue;
      for (const std::size_t child : children[mounts[i].id])
        if (!hidden[child] && mounts[child].point != mounts[i].point) hidden[child] = changed = true;
    }
  }
  return hidden;
}

bool among(std::string_view wanted, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

}  // namespace

Seen<std::vector<Mount>> parse_mountinfo(std::string_view text) { return parse(text, mountinfo_line); }
Seen<std::vector<Mount>> parse_mounts(std::string_view text) { return parse(text, mounts_line); }

std::vector<Mount> visible(const std::vector<Mount>& mounts) {
  const std::vector<bool> hidden = hidden_ones(mounts);
  std::vector<Mount> seen;
  for (std::size_t i = 0; i < mounts.size(); ++i)
    if (!hidden[i]) seen.push_back(mounts[i]);
  return seen;
}

Media media_of(const Mount& mount) {
  const std::string_view type = mount.type;
  if (among(type, {"nfs",   "nfs4", "lustre", "wekafs",   "gpfs",     "beegfs",    "ceph",
                   "cifs",  "smb3", "9p",     "virtiofs", "afs",      "glusterfs", "pvfs2",
                   "panfs", "daos", "ocfs2",  "gfs2",     "lizardfs", "orangefs",  "curvefs"}))
    return Media::network;
  if (type == "autofs") return Media::automount;
  // FUSE carries nearly every other shared file system (JuiceFS, CernVM-FS, S3 buckets). These few are local.
  if (among(type, {"fuse.lxcfs", "fuse.gvfsd-fuse", "fuse.portal", "fuse.fuse-overlayfs", "fuse.snapfuse",
                   "fuse.squashfuse", "fuse.ntfs-3g", "fuse.encfs", "fuse.gocryptfs"}))
    return Media::pseudo;
  if (type.starts_with("fuse.")) return Media::network;
  if (among(type, {"tmpfs", "ramfs"})) return Media::memory;
  if (among(type, {"overlay", "aufs"})) return Media::overlay;
  if (among(type, {"squashfs", "erofs", "iso9660"})) return Media::pseudo;  // images: their size says nothing
  if (mount.source.starts_with("/dev/") ||
      among(type, {"ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "vfat", "ntfs3", "fuseblk"}))
    return Media::disk;
  return Media::pseudo;
}

std::string_view name_of(Media media) {
  constexpr std::array<std::string_view, 6> kNames{"network", "disk", "memory", "overlay", "automount", "pseudo"};
  return kNames[static_cast<std::size_t>(media)];
}

bool below(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

const Mount* covering(const std::vector<Mount>& mounts, std::string_view path) {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts)
    if (below(path, mount.point) && (best == nullptr || mount.point.size() >= best->point.size())) best = &mount;
  return best;
}

bool belongs_to_a_container(const Mount& mount) {
  for (const auto folder :
       {"/proc", "/sys", "/dev", "/run", "/var/run", "/snap", "/var/lib/docker", "/var/lib/containerd",
        "/var/lib/containers", "/var/lib/kubelet", "/var/lib/snapd", "/var/lib/lxcfs", "/var/lib/rancher",
        "/var/lib/k0s", "/var/lib/juicefs", "/var/lib/csi", "/var/lib/nfs/rpc_pipefs"})
    if (below(mount.point, folder)) return mount.point != "/dev/shm";
  return false;
}

Seen<std::vector<Mount>> read_mounts(Host& host, std::string& from) {
  from = "/proc/self/mountinfo";
  auto mounts = host.text(from).and_then([](const std::string& text) { return parse_mountinfo(text); });
  if (!mounts && mounts.error().reason == Absence::missing) {
    from = "/proc/mounts";
    mounts = host.text(from).and_then([](const std::string& text) { return parse_mounts(text); });
  }
  return mounts.map(visible);
}

Seen<std::string> folder_identity(Host& host, const std::string& path) {
  return host.ask("stat " + path, [&]() -> Seen<std::string> {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0)
      return unseen(errno == EACCES   ? Absence::permission
                    : errno == ENOENT ? Absence::missing
                                      : Absence::malformed,
                    fmt::format("stat {}: {}", path, errno_words(errno)));
    return fmt::format("inode {}, changed {}.{:09}", status.st_ino, static_cast<std::int64_t>(status.st_ctim.tv_sec),
                       static_cast<std::int64_t>(status.st_ctim.tv_nsec));
  });
}

}  // namespace assay::node::facts
