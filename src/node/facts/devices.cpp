// Device nodes that let their reader past a tenant's border: the fabric's management datagrams, the BMC, the DPU, the
// IMEX channels. Who may open each is told by type, mode and owner; a folder that can't be listed is a different thing
// from one without such nodes.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"devices.umad", "", "", "umad and issm nodes of /dev/infiniband: raw management datagrams"},
    {"devices.uverbs", "", "", "uverbs nodes of /dev/infiniband: what programs use for RDMA, open to all by design"},
    {"devices.ipmi", "", "", "nodes of the BMC's host interface: /dev/ipmi0, /dev/ipmi/0, /dev/ipmidev/0"},
    {"devices.rshim", "", "", "nodes of /dev/rshim*: a BlueField's console and boot stream"},
    {"devices.imex", "", "", "nodes of /dev/nvidia-caps-imex-channels"},
    {"devices.nvidia", "", "", "/dev/nvidia*: the GPUs and their driver's control nodes"},
    {"devices.other", "", "", "of /dev/kvm and /dev/mem, those that are there"},
    {"device.path", "device", "", "where the node is"},
    {"device.type", "device", "", "its type as ls prints it: c, b, d, p, s or -"},
    {"device.mode", "device", "1", "its permission bits"},
    {"device.uid", "device", "1", "its owner"},
    {"device.gid", "device", "1", "its group"},
    {"device.readable-by-us", "device", "", "may the user that the agent runs as open it for reading?"},
    {"interface.tmfifo", "", "", "names of tmfifo_net interfaces: a BlueField's network console on the host"},
};

// One kind of node: how its name begins, and the list that tells which were found.
struct Kind {
  std::string_view list;
  std::vector<std::string_view> prefixes;
  std::string_view subject_prefix;  // in front of names that mean nothing by themselves: "channel0"
};

bool numbered(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

Seen<std::string> readable(const std::string& path) {
  if (geteuid() == 0) return unseen(Absence::unsupported, "asked as root, who may open anything");
  if (faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0) return std::string("yes");
  if (errno == EACCES || errno == EPERM) return std::string("no");
  return unseen(Absence::malformed, fmt::format("access {}: {}", path, errno_words(errno)));
}

void read_node(Host& host, Findings& findings, const std::string& path, const std::string& id) {
  const Subject device = Subject().child("device", id);
  findings.see(device, "device.path", path, path);
  const auto status = host.status(path);
  if (!status) {
    for (const auto name : {"device.type", "device.mode", "device.uid", "device.gid"})
      findings.absent(device, name, status.error(), path);
    return;
  }
  findings.see(device, "device.type", std::string(1, status->type), path);
  findings.see(device, "device.mode", std::int64_t{status->mode}, path);
  findings.see(device, "device.uid", std::int64_t{status->uid}, path);
  findings.see(device, "device.gid", std::int64_t{status->gid}, path);
  const auto ours = host.ask("access to " + path, [&] { return readable(path); });
  findings.say(device, "device.readable-by-us", ours.map([](const std::string& word) { return word == "yes"; }), path);
}

bool has_prefix(const Kind& kind, std::string_view name) {
  return std::any_of(kind.prefixes.begin(), kind.prefixes.end(),
                     [&](std::string_view prefix) { return numbered(name, prefix); });
}

// A folder that isn't there holds no nodes, on a running machine. In a folder tree nodes are there only if somebody
// copied them, so finding none tells nothing.
void read_folder(Host& host, Findings& findings, const std::string& folder, const std::vector<Kind>& kinds) {
  auto names = host.names(folder);
  if (!names && names.error().reason == Absence::missing) names = std::vector<std::string>();
  for (const Kind& kind : kinds) {
    if (!names) {
      findings.absent({}, kind.list, names.error(), folder);
      continue;
    }
    TextList found;
    for (const std::string& name : *names)
      if (has_prefix(kind, name)) found.push_back(name);
    if (found.empty() && !host.live()) {
      findings.absent({}, kind.list, {Absence::unsupported, "a folder tree can't tell device nodes"}, folder);
      continue;
    }
    findings.see({}, kind.list, found, folder);
    for (const std::string& name : found)
      read_node(host, findings, folder + "/" + name, std::string(kind.subject_prefix) + name);
  }
}

// /dev/ipmi0 goes by /dev/ipmi/0 and /dev/ipmidev/0 too; each name is a door of its own.
void read_ipmi(Host& host, Findings& findings) {
  TextList found;
  for (const std::string folder : {"/dev", "/dev/ipmi", "/dev/ipmidev"}) {
    const auto names = host.names(folder);
    if (!names && names.error().reason == Absence::missing) continue;
    if (!names) return findings.absent({}, "devices.ipmi", names.error(), folder);
    for (const std::string& name : *names) {
      const std::string_view prefix = folder == "/dev" ? "ipmi" : "";
      if (!numbered(name, prefix) || name == prefix) continue;
      const std::string id = folder == "/dev" ? name : folder.substr(5) + "-" + name;
      found.push_back(id);
      read_node(host, findings, folder + "/" + name, id);
    }
  }
  if (found.empty() && !host.live())
    return findings.absent({}, "devices.ipmi", {Absence::unsupported, "a folder tree can't tell device nodes"}, "/dev");
  findings.see({}, "devices.ipmi", found, "/dev");
}

// /dev/rshim0 is a folder of nodes: boot, console, misc, rshim. Each is a door of its own.
void read_rshim(Host& host, Findings& findings, const std::string& folder) {
  const auto inner = host.names(folder);
  if (!inner) return;  // closed by its own mode, which read_folder has told, or no folder
  const std::string id = folder.substr(folder.rfind('/') + 1);
  for (const std::string& node : *inner) read_node(host, findings, folder + "/" + node, id + "-" + node);
}

void read_tmfifo(Host& host, Findings& findings) {
  const auto names = host.names("/sys/class/net");
  if (!names) return findings.absent({}, "interface.tmfifo", names.error(), "/sys/class/net");
  TextList found;
  for (const std::string& name : *names)
    if (name.starts_with("tmfifo_net")) found.push_back(name);
  findings.see({}, "interface.tmfifo", found, "/sys/class/net");
}

void read(Host& host, Findings& findings) {
  read_ipmi(host, findings);
  read_folder(host, findings, "/dev",
              {{"devices.rshim", {"rshim"}, ""},
               {"devices.nvidia", {"nvidia", "nvidiactl", "nvidia-uvm", "nvidia-nvswitch"}, ""},
               {"devices.other", {"kvm", "mem"}, ""}});
  read_folder(host, findings, "/dev/infiniband",
              {{"devices.umad", {"umad", "issm"}, ""}, {"devices.uverbs", {"uverbs"}, ""}});
  read_folder(host, findings, "/dev/nvidia-caps-imex-channels", {{"devices.imex", {"channel"}, "imex-"}});
  for (int unit = 0; host.exists(fmt::format("/dev/rshim{}", unit)); ++unit)
    read_rshim(host, findings, fmt::format("/dev/rshim{}", unit));
  read_tmfifo(host, findings);
}

}  // namespace

extern const Reader devices = {"devices", "device nodes and who may open them", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
