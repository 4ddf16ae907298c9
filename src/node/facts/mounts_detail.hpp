// The kernel's list of mounts, read: /proc/self/mountinfo, or /proc/mounts where a folder tree has only that.
//
//   36 35 98:0 /sub /mnt/point rw,noatime master:1 - ext3 /dev/root rw,errors=continue
//   id parent device root point options [tags…] - type source super-options
//
// Blanks, tabs, newlines and backslashes inside fields are octal escapes (\040). A line of another form, or a last line
// without its end, makes the whole list unreadable: half a list would look like missing mounts.
//
// parse_mountinfo, parse_mounts   text → mounts, in the order they were mounted
// visible                         without those that another mount covers
// media_of                        what a mount is made of: network, disk, memory, overlay, pseudo
// covering                        the mount that a path lies on
// read_mounts                     the visible mounts of a host
// folder_identity                 what tells one folder from another, whatever its server is called
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "node/host.hpp"

namespace assay::node::facts {

struct Mount {
  std::int64_t id = 0;      // 0 from /proc/mounts
  std::int64_t parent = 0;  // the mount that this one stands on
  std::string device;       // "259:7"; empty from /proc/mounts
  std::string root;         // the folder of the file system that is mounted: not "/" for a bind mount
  std::string point;
  std::string type;
  std::string source;
  std::vector<std::string> options;  // of the mount and of its file system, each once
  bool operator==(const Mount&) const = default;
};

enum class Media { network, disk, memory, overlay, automount, pseudo };

Seen<std::vector<Mount>> parse_mountinfo(std::string_view text);
Seen<std::vector<Mount>> parse_mounts(std::string_view text);
std::vector<Mount> visible(const std::vector<Mount>& mounts);
Media media_of(const Mount& mount);
std::string_view name_of(Media media);
// nullptr only if nothing is mounted at "/".
const Mount* covering(const std::vector<Mount>& mounts, std::string_view path);
// Is `path` the folder, or below it?
bool below(std::string_view path, std::string_view folder);
// Mounts that containers, pods and sessions make for themselves come and go with them, and say nothing of the node.
bool belongs_to_a_container(const Mount& mount);

// Which of the two files they came from is told by `from`.
Seen<std::vector<Mount>> read_mounts(Host& host, std::string& from);
// "inode 128, changed 1700000000.5": clients of one file system see the same, whichever address they reached it by. Ask
// only where the file system is known to answer.
Seen<std::string> folder_identity(Host& host, const std::string& path);

}  // namespace assay::node::facts
