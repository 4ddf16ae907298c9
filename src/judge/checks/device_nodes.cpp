// Device nodes that must be closed to users: management datagrams, the BMC, the DPU, IMEX channels. None there is as
// good as all closed; a folder that couldn't be looked into is neither.
#include <fmt/format.h>

#include <algorithm>

#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

struct Doors {
  std::vector<std::string> open;    // "umad0 (mode 0666)"
  std::vector<std::string> unseen;  // why
  std::vector<std::string> closed;
  Basis basis;
};

constexpr std::int64_t kOthers = 06;  // read or write by everybody
constexpr std::int64_t kEnter = 01;   // of a folder: go in

void look_at(const Snapshot& snapshot, const Subject& device, Doors& doors) {
  const auto mode = snapshot.integer(device, "device.mode");
  const auto ours = snapshot.boolean(device, "device.readable-by-us");
  doors.basis.push_back(mode.observation);
  // An access list may let in whom the mode keeps out; asked as a user, the kernel's own word counts.
  if (ours && *ours && (!mode || (*mode & kOthers) == 0)) {
    doors.basis.push_back(ours.observation);
    doors.open.push_back(fmt::format("{} (open to the user that looked)", device.id()));
  } else if (ours.failed() && mode && (*mode & kOthers) == 0) {
    doors.unseen.push_back(fmt::format("whether an access list opens {}: {}", device.id(), ours.gap));
  } else if (!mode) {
    doors.unseen.push_back(fmt::format("{}: {}", device.id(), mode.gap));
  } else if ((*mode & kOthers) != 0) {
    doors.open.push_back(fmt::format("{} (mode {:04o})", device.id(), *mode));
  } else {
    doors.closed.push_back(fmt::format("{} (mode {:04o})", device.id(), *mode));
  }
}

std::string listed(const std::vector<std::string>& items) {
  constexpr std::size_t kMost = 6;
  const auto shown = items.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, items.size()));
  std::string text = fmt::format("{}", fmt::join(items.begin(), shown, ", "));
  if (items.size() > kMost) text += fmt::format(" and {} more", items.size() - kMost);
  return text;
}

// One kind of node on one host. `prefix` is what subjects put in front of the listed names.
void judge_nodes(const Snapshot& snapshot, Judgement& judgement, const Subject& host, std::string_view list,
                 std::string_view prefix, std::string_view what) {
  const auto names = snapshot.list(host, list);
  if (!names) return judgement.unknown(host, names);
  if (names.value->empty())
    return judgement.pass(host, "none", fmt::format("there is no {} here", what), {names.observation});
  Doors doors;
  doors.basis.push_back(names.observation);
  for (const std::string& name : *names) look_at(snapshot, host.child("device", std::string(prefix) + name), doors);
  if (!doors.open.empty())
    return judgement.fail(host, listed(doors.open), fmt::format("every user may open {}", listed(doors.open)),
                          doors.basis);
  if (!doors.unseen.empty()) return judgement.unknown(host, doors.unseen.front(), doors.basis);
  judgement.pass(host, listed(doors.closed), fmt::format("no {} is open to all users", what), doors.basis);
}

void umad_closed(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts())
    judge_nodes(snapshot, judgement, host, "devices.umad", "", "umad or issm node");
}

void ipmi_closed(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) judge_nodes(snapshot, judgement, host, "devices.ipmi", "", "IPMI node");
}

void imex_channels_closed(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts())
    judge_nodes(snapshot, judgement, host, "devices.imex", "imex-", "IMEX channel");
}

Doors rshim_doors(const Snapshot& snapshot, const Subject& host, const TextList& names) {
  Doors doors;
  for (const std::string& name : names) {
    const auto folder = snapshot.integer(host.child("device", name), "device.mode");
    const std::size_t before = doors.basis.size();
    for (const Subject& device : snapshot.parts(host, "device"))
      if (device.id().starts_with(name + "-")) look_at(snapshot, device, doors);
    if (doors.basis.size() > before) continue;
    // Nothing inside was seen: its own mode may keep users out, and with them whoever looked.
    doors.basis.push_back(folder.observation);
    if (!folder || (*folder & kEnter) != 0) doors.unseen.push_back(fmt::format("what is in {} was not seen", name));
  }
  return doors;
}

void judge_rshim(const Snapshot& snapshot, Judgement& judgement, const Subject& host) {
  const auto names = snapshot.list(host, "devices.rshim");
  const auto network = snapshot.list(host, "interface.tmfifo");
  const Doors doors = rshim_doors(snapshot, host, names.value.value_or(TextList()));
  Basis basis = doors.basis;
  basis.insert(basis.end(), {names.observation, network.observation});
  if (!doors.open.empty())
    return judgement.fail(host, listed(doors.open), fmt::format("every user may open {}", listed(doors.open)), basis);
  if (network && !network.value->empty())
    return judgement.fail(
        host, fmt::format("{}", fmt::join(*network, ", ")),
        fmt::format("the DPU's network console {} is an interface of this host", network.value->front()), basis);
  if (!names) return judgement.unknown(host, names);
  if (!doors.unseen.empty()) return judgement.unknown(host, doors.unseen.front(), basis);
  if (!names.value->empty())
    return judgement.warn(host, fmt::format("{}", fmt::join(*names, ", ")),
                          "users can't open rshim, but whoever is root on the host owns the DPU", basis);
  if (!network) return judgement.unknown(host, network);
  judgement.pass(host, "none", "neither rshim nor a tmfifo_net interface is here", basis);
}

void rshim_hidden(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) judge_rshim(snapshot, judgement, host);
}

}  // namespace

extern const Family device_nodes = {
    {"security.umad-closed", umad_closed},
    {"security.ipmi-closed", ipmi_closed},
    {"security.imex-channels-closed", imex_channels_closed},
    {"security.rshim-hidden", rshim_hidden},
};

}  // namespace assay::judge::checks
