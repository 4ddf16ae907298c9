// What lets a container reach further than it should, by settings of the node: NVIDIA's container toolkit, the kubelet.
#include <fmt/format.h>

#include <array>

#include "judge/findings.hpp"

namespace assay::judge::checks {

namespace {

// A switch that must not be on. Where the file doesn't set it, NVIDIA's default holds.
struct Switch {
  std::string_view observation;
  std::string_view key;
  bool on_by_default;
  Status on;
  std::string_view harm;
};

constexpr std::array<Switch, 4> kSwitches = {{
    {"container-toolkit.envvar-when-unprivileged", "accept-nvidia-visible-devices-envvar-when-unprivileged", true,
     Status::fail, "any image that asks sees every GPU of the node"},
    {"container-toolkit.cuda-compat-from-container", "allow-cuda-compat-libs-from-container", false, Status::fail,
     "it opens again a path by which containers got out"},
    {"container-toolkit.ldconfig-from-container", "allow-ldconfig-from-container", false, Status::fail,
     "it opens again a path by which containers got out"},
    {"container-toolkit.no-cgroups", "no-cgroups", false, Status::warn, "GPUs are left out of device control groups"},
}};

void look_at(const Snapshot& snapshot, const Subject& host, const Switch& which, Findings& found) {
  const auto value = snapshot.boolean(host, which.observation);
  found.rest_on({value.observation});
  if (!value && !value.missing()) return found.gap(value.gap);
  if (!value.value.value_or(which.on_by_default)) return;
  const std::string words =
      value ? fmt::format("{} = true", which.key) : fmt::format("{} is not set, and its default is true", which.key);
  found.add({which.on, words, fmt::format("{}: {}", words, which.harm)});
}

void look_at_ldconfig(const Snapshot& snapshot, const Subject& host, Findings& found) {
  const auto path = snapshot.text(host, "container-toolkit.ldconfig");
  found.rest_on({path.observation});
  if (!path && !path.missing()) return found.gap(path.gap);
  if (!path || path.value->starts_with('@')) return;
  const std::string words = fmt::format("ldconfig = \"{}\" (the container's own)", *path);
  found.fail(words, words);
}

void judge_toolkit(const Snapshot& snapshot, Judgement& judgement, const Subject& host) {
  const auto installed = snapshot.boolean(host, "container-toolkit.installed");
  if (!installed) return judgement.unknown(host, installed);
  if (!*installed)
    return judgement.not_applicable(host, "NVIDIA's container toolkit isn't installed here", {installed.observation});
  Findings found;
  found.rest_on({installed.observation});
  for (const Switch& which : kSwitches) look_at(snapshot, host, which, found);
  look_at_ldconfig(snapshot, host, found);
  found.say(host,
            {Status::pass, "hardened", "containers get the GPUs that they were given, and the host's own libraries"},
            judgement);
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
  Findings found;
  found.rest_on({present.observation, anonymous.observation, mode.observation, port.observation});
  const auto open = [&](const std::string& words) { found.fail(words, "the kubelet is open: " + words); };
  if (anonymous && *anonymous) open("anonymous requests are let in");
  if (mode && *mode == "AlwaysAllow") open("authorization mode AlwaysAllow");
  if (port && *port != 0) open(fmt::format("read-only port {}", *port));
  for (const std::string& gap : {anonymous.gap, mode.gap, port.gap})
    if (!gap.empty()) found.gap(gap);
  found.say(host,
            {Status::pass, "closed",
             fmt::format("no anonymous requests, authorization {}, no read-only port", mode.value.value_or("unread"))},
            judgement);
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
