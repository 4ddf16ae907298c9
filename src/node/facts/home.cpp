// Where users' homes lie. $HOME says so for a user; root's own home says nothing of users', so for root it is /home.
#include <fmt/format.h>
#include <unistd.h>

#include "node/facts/mounts_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"home.folder", "", "", "the folder that holds users' homes: /home, or where $HOME lies"},
    {"home.mount", "", "", "the mount point that it lies on"},
    {"home.type", "", "", "file system type of that mount"},
    {"home.source", "", "", "what is mounted there"},
    {"home.root", "", "", "the folder of the file system that is mounted there"},
    {"home.shared", "", "", "is that a shared or network file system?"},
    {"home.identity", "", "", "inode and change time of the folder: the same for all clients of one export"},
};

// Empty for root, whose own home isn't users'.
std::string own_home(Host& host) {
  const auto home = host.environment("HOME");
  const bool useful = home && geteuid() != 0 && home->starts_with('/') && home->rfind('/') > 0 && *home != "/root";
  return useful ? *home : "";
}

std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

void say_none(Findings& findings, const Absent& why, std::string_view from) {
  for (const Emits& each : kEmits)
    if (each.name != "home.folder") findings.absent({}, each.name, why, from);
}

// A home that hangs must not take the words about it along: this is asked by a program of its own.
Seen<std::string> identity(Host& host, const std::string& folder) {
  return host.output({"stat", "-L", "-c", "inode %i, changed %.9Z", folder}, {std::chrono::seconds(2), 4096})
      .map([](const std::string& line) { return line.substr(0, line.find('\n')); });
}

void read(Host& host, Findings& findings) {
  const std::string own = own_home(host);
  std::string folder = own.empty() ? "/home" : parent_of(own);
  std::string from;
  const auto mounts = read_mounts(host, from);
  // Where each home is a mount of its own, the user's own one is the one to tell of.
  if (mounts && !own.empty() && covering(*mounts, own) != covering(*mounts, folder)) folder = own;
  findings.see({}, "home.folder", folder, "HOME");
  if (!mounts) return say_none(findings, mounts.error(), from);
  const Mount* mount = covering(*mounts, folder);
  if (mount == nullptr) return say_none(findings, {Absence::malformed, "nothing is mounted at /"}, from);
  findings.see({}, "home.mount", mount->point, from);
  findings.see({}, "home.type", mount->type, from);
  findings.see({}, "home.source", mount->source, from);
  findings.see({}, "home.root", mount->root, from);
  if (media_of(*mount) == Media::automount) {
    // Which server each user's home comes from is known only once somebody has been there.
    const Absent why{Absence::unsupported, mount->point + " mounts each home when it is used"};
    findings.absent({}, "home.shared", why, from);
    findings.absent({}, "home.identity", why, from);
    return;
  }
  findings.see({}, "home.shared", media_of(*mount) == Media::network, from);
  findings.say({}, "home.identity", identity(host, folder), "stat");
}

}  // namespace

extern const Reader home = {"home", "where users' homes lie", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
