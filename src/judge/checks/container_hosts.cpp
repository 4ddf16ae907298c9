// What lets a container reach further than it should, by settings of the node: NVIDIA's container toolkit, the kubelet.
#include <fmt/format.h>

#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

using Basis = std::vector<const Observation*>;

struct Faults {
  std::vector<std::string> hard;
  std::vector<std::string> mild;
  std::string gap;  // of the first setting that couldn't be read
  Basis basis;
};

// A switch that must not be on. Where the file doesn't set it, NVIDIA's default holds.
void look_at(const Snapshot& snapshot, const Subject& host, std::string_view name, std::string_view key,
             bool on_by_default, std::vector<std::string>& found, Faults& faults) {
  const auto value = snapshot.boolean(host, name);
  faults.basis.push_back(value.observation);
  if (value) {
    if (*value) found.push_back(fmt::format("{} = true", key));
  } else if (value.missing()) {
    if (on_by_default) found.push_back(fmt::format("{} is not set, and its default is true", key));
  } else if (faults.gap.empty()) {
    faults.gap = value.gap;
  }
}

void look_at_ldconfig(const Snapshot& snapshot, const Subject& host, Faults& faults) {
  const auto path = snapshot.text(host, "container-toolkit.ldconfig");
  faults.basis.push_back(path.observation);
  if (path) {
    if (!path.value->starts_with('@'))
      faults.hard.push_back(fmt::format("ldconfig = \"{}\" (the container's own)", *path));
  } else if (!path.missing() && faults.gap.empty()) {
    faults.gap = path.gap;
  }
}

Faults toolkit_faults(const Snapshot& snapshot, const Subject& host) {
  Faults faults;
  look_at(snapshot, host, "container-toolkit.envvar-when-unprivileged",
          "accept-nvidia-visible-devices-envvar-when-unprivileged", true, faults.hard, faults);
  look_at(snapshot, host, "container-toolkit.cuda-compat-from-container", "allow-cuda-compat-libs-from-container",
          false, faults.hard, faults);
  look_at(snapshot, host, "container-toolkit.ldconfig-from-container", "allow-ldconfig-from-container", false,
          faults.hard, faults);
  look_at_ldconfig(snapshot, host, faults);
  look_at(snapshot, host, "container-toolkit.no-cgroups", "no-cgroups", false, faults.mild, faults);
  return faults;
}

void judge_toolkit(const Snapshot& snapshot, Judgement& judgement, const Subject& host) {
  const auto installed = snapshot.boolean(host, "container-toolkit.installed");
  if (!installed) return judgement.unknown(host, installed);
  if (!*installed)
    return judgement.not_applicable(host, "NVIDIA's container toolkit isn't installed here", {installed.observation});
  Faults faults = toolkit_faults(snapshot, host);
  faults.basis.push_back(installed.observation);
  if (!faults.hard.empty()) {
    faults.hard.insert(faults.hard.end(), faults.mild.begin(), faults.mild.end());
    return judgement.fail(host, fmt::format("{}", fmt::join(faults.hard, "; ")), faults.hard.front(), faults.basis);
  }
  if (!faults.gap.empty()) return judgement.unknown(host, faults.gap, faults.basis);
  if (!faults.mild.empty())
    return judgement.warn(host, fmt::format("{}", fmt::join(faults.mild, "; ")),
                          faults.mild.front() + ": GPUs are left out of device control groups", faults.basis);
  judgement.pass(host, "hardened", "containers get the GPUs that they were given, and the host's own libraries",
                 faults.basis);
}

void container_toolkit_hardened(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) judge_toolkit(snapshot, judgement, host);
}

void judge_kubelet(const Snapshot& snapshot, Judgement& judgement, const Subject& host) {
  const auto present = snapshot.boolean(host, "kubelet.present");
  if (!present) return judgement.unknown(host, present);
  if (!*present) return judgement.not_applicable(host, "no kubelet here", {present.observation});
  const auto anonymous = snapshot.boolean(host, "kubelet.anonymous-auth");
  const auto mode = snapshot.text(host, "kubelet.authorization-mode");
  const auto port = snapshot.integer(host, "kubelet.read-only-port");
  const Basis basis = {present.observation, anonymous.observation, mode.observation, port.observation};
  std::vector<std::string> open;
  if (anonymous && *anonymous) open.emplace_back("anonymous requests are let in");
  if (mode && *mode == "AlwaysAllow") open.emplace_back("authorization mode AlwaysAllow");
  if (port && *port != 0) open.push_back(fmt::format("read-only port {}", *port));
  if (!open.empty())
    return judgement.fail(host, fmt::format("{}", fmt::join(open, "; ")), "the kubelet is open: " + open.front(),
                          basis);
  for (const std::string& gap : {anonymous.gap, mode.gap, port.gap})
    if (!gap.empty()) return judgement.unknown(host, gap, basis);
  judgement.pass(host, "closed", fmt::format("no anonymous requests, authorization {}, no read-only port", *mode),
                 basis);
}

void kubelet_closed(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) judge_kubelet(snapshot, judgement, host);
}

}  // namespace

extern const Family container_hosts = {
    {"security.container-toolkit-hardened", container_toolkit_hardened},
    {"security.kubelet-closed", kubelet_closed},
};

}  // namespace assay::judge::checks
