// Disks: what each is, how large, and whether something uses it. Loop devices, RAM disks and what is made from disks
// (RAID, LVM) aren't disks; a mount says which disks it stands on.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "node/facts/disks_detail.hpp"
#include "node/facts/mounts_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr std::size_t kMostDisks = 512;

constexpr Emits kEmits[] = {
    {"disks.names", "", "", "names of the whole disks"},
    {"disk.size", "disk", "By", "size"},
    {"disk.rotational", "disk", "", "does it turn?"},
    {"disk.removable", "disk", "", "can it be taken out?"},
    {"disk.model", "disk", "", "model as the disk tells it"},
    {"disk.transport", "disk", "", "nvme, virtio, xen, mmc, or scsi for SAS, SATA and USB"},
    {"disk.pci", "disk", "", "PCI address of its controller"},
    {"disk.use", "disk", "", "mounted, swap, held (by RAID, LVM or a cluster's storage), partitioned or none"},
    {"raid.level", "raid", "", "level of a software RAID"},
    {"raid.state", "raid", "", "array_state as the kernel tells it"},
    {"raid.degraded", "raid", "1", "members that it lacks"},
    {"raid.disks", "raid", "1", "members that it should have"},
};

std::string transport_of(std::string_view name) {
  if (name.starts_with("nvme")) return "nvme";
  if (name.starts_with("vd")) return "virtio";
  if (name.starts_with("xvd")) return "xen";
  if (name.starts_with("mmcblk")) return "mmc";
  return "scsi";
}

bool pci_address(std::string_view name) {
  return name.size() >= 12 && name[name.size() - 2] == '.' && name[name.size() - 5] == ':' &&
         name[name.size() - 8] == ':';
}

// The nearest PCI device above the disk in the tree of devices.
Seen<std::string> pci_of(Host& host, const std::string& folder) {
  return host.real(folder).and_then([&](const std::string& path) -> Seen<std::string> {
    const auto parts = text::split(path, '/');
    const auto found = std::find_if(parts.rbegin(), parts.rend(), pci_address);
    if (found == parts.rend()) return unseen(Absence::missing, "no PCI device above " + path);
    return std::string(*found);
  });
}

using Used = std::map<std::string, std::string>;  // disk → use

Used uses(Host& host) {
  Used used;
  std::string from;
  if (const auto mounts = read_mounts(host, from)) {
    for (const Mount& mount : *mounts)
      if (media_of(mount) == Media::disk)
        for (const std::string& disk : disks_below(host, mount.device, mount.source).value_or(TextList()))
          used.emplace(disk, "mounted");
  }
  if (const auto swaps = host.text("/proc/swaps"))
    for (const std::string_view line : text::lines(*swaps))
      if (line.starts_with("/dev/"))
        for (const std::string& disk :
             disks_below(host, "", std::string(text::words(line).front())).value_or(TextList()))
          used.emplace(disk, "swap");
  return used;
}

bool held(Host& host, const std::string& folder) {
  const auto holders = host.names(folder + "/holders");
  return holders && !holders->empty();
}

std::string use_of(Host& host, const std::string& name, const Used& used) {
  if (const auto found = used.find(name); found != used.end()) return found->second;
  const std::string folder = "/sys/block/" + name;
  if (held(host, folder)) return "held";
  bool partitioned = false;
  for (const std::string& entry : host.names(folder).value_or(TextList())) {
    if (!entry.starts_with(name)) continue;
    partitioned = true;
    if (held(host, folder + "/" + entry)) return "held";
  }
  return partitioned ? "partitioned" : "none";
}

Seen<bool> flag(Host& host, const std::string& path) {
  return host.integer(path).map([](std::int64_t value) { return value != 0; });
}

// The kernel counts in sectors of 512 bytes whatever the disk's own are.
Seen<std::int64_t> size_of(Host& host, const std::string& path) {
  return host.integer(path).and_then([&](std::int64_t sectors) -> Seen<std::int64_t> {
    std::int64_t bytes = 0;
    if (sectors < 0 || __builtin_mul_overflow(sectors, 512, &bytes))
      return unseen(Absence::malformed, fmt::format("{} holds {}, no number of sectors", path, sectors));
    return bytes;
  });
}

void say_disk(Host& host, Findings& findings, const std::string& name, const Used& used) {
  const Subject disk = Subject().child("disk", name);
  const std::string folder = "/sys/block/" + name;
  findings.say(disk, "disk.size", size_of(host, folder + "/size"), folder + "/size");
  findings.say(disk, "disk.rotational", flag(host, folder + "/queue/rotational"), folder + "/queue/rotational");
  findings.say(disk, "disk.removable", flag(host, folder + "/removable"), folder + "/removable");
  findings.say(disk, "disk.model", host.line(folder + "/device/model"), folder + "/device/model");
  findings.see(disk, "disk.transport", transport_of(name), folder);
  findings.say(disk, "disk.pci", pci_of(host, folder), folder);
  findings.see(disk, "disk.use", use_of(host, name, used), folder);
}

void say_raid(Host& host, Findings& findings, const std::string& name) {
  const Subject raid = Subject().child("raid", name);
  const std::string folder = "/sys/block/" + name + "/md";
  findings.say(raid, "raid.level", host.line(folder + "/level"), folder + "/level");
  findings.say(raid, "raid.state", host.line(folder + "/array_state"), folder + "/array_state");
  findings.say(raid, "raid.degraded", host.integer(folder + "/degraded"), folder + "/degraded");
  findings.say(raid, "raid.disks", host.integer(folder + "/raid_disks"), folder + "/raid_disks");
}

void read(Host& host, Findings& findings) {
  const auto names = host.names("/sys/block");
  if (!names) return findings.absent({}, "disks.names", names.error(), "/sys/block");
  TextList disks;
  for (const std::string& name : *names) {
    if (name.starts_with("md") && host.exists("/sys/block/" + name + "/md")) say_raid(host, findings, name);
    if (!text::starts_with_any(name, {"loop", "ram", "zram", "sr", "fd", "dm-", "md", "nbd", "drbd", "rbd", "zd"}) &&
        host.integer("/sys/block/" + name + "/hidden").value_or(0) == 0)  // one path of several to the same disk
      disks.push_back(name);
  }
  if (disks.size() > kMostDisks)
    return findings.absent({}, "disks.names", {Absence::malformed, fmt::format("{} disks", disks.size())},
                           "/sys/block");
  findings.see({}, "disks.names", disks, "/sys/block");
  const Used used = uses(host);
  for (const std::string& name : disks) say_disk(host, findings, name, used);
}

}  // namespace

extern const Reader block = {"block", "disks and software RAID", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
