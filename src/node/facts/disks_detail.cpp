#include "node/facts/disks_detail.hpp"

#include <algorithm>
#include <set>

namespace assay::node::facts {

namespace {

constexpr int kDeepest = 6;          // RAID on LVM on crypt on partitions is four
constexpr std::size_t kMost = 1024;  // disks below one device

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void descend(Host& host, const std::string& folder, int depth, std::set<std::string>& disks) {
  if (depth > kDeepest || disks.size() > kMost) return;
  const auto slaves = host.names(folder + "/slaves");
  if (slaves && !slaves->empty()) {
    for (const std::string& slave : *slaves)
      if (const auto below = host.real("/sys/class/block/" + slave)) descend(host, *below, depth + 1, disks);
  } else if (host.exists(folder + "/partition")) {
    descend(host, folder.substr(0, folder.rfind('/')), depth + 1, disks);
  } else {
    disks.insert(last_part(folder));
  }
}

}  // namespace

Seen<std::vector<std::string>> disks_below(Host& host, const std::string& number, const std::string& source) {
  auto folder = host.real("/sys/dev/block/" + number);
  if (!folder && source.starts_with("/dev/")) {
    // /dev/mapper/vg-lv is a link to ../dm-0. In a folder tree links of /dev may be missing: the name is all there is.
    const auto node = host.real(source);
    folder = host.real("/sys/class/block/" + last_part(node ? *node : source));
  }
  if (!folder) return tl::unexpected(folder.error());
  std::set<std::string> disks;
  descend(host, *folder, 0, disks);
  return std::vector<std::string>(disks.begin(), disks.end());
}

}  // namespace assay::node::facts
