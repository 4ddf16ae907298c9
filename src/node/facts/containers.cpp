// What runs containers here, and the switches of NVIDIA's container toolkit and of Docker that decide how far a
// container reaches. Versions are the packages reader's.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "node/facts/toml_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"container.runtimes", "", "",
     "which of docker, containerd, crio, podman, enroot, apptainer, singularity, runc, crun, nerdctl are installed"},
    {"container-toolkit.installed", "", "", "is NVIDIA's container toolkit here?"},
    {"container-toolkit.config", "", "", "its config.toml; where several are found, the one of the GPU operator"},
    {"container-toolkit.envvar-when-unprivileged", "", "",
     "accept-nvidia-visible-devices-envvar-when-unprivileged: may any container ask for GPUs by a variable?"},
    {"container-toolkit.volume-mounts", "", "", "accept-nvidia-visible-devices-as-volume-mounts"},
    {"container-toolkit.cuda-compat-from-container", "", "", "features.allow-cuda-compat-libs-from-container"},
    {"container-toolkit.ldconfig-from-container", "", "", "features.allow-ldconfig-from-container"},
    {"container-toolkit.ignores-imex-requests", "", "", "features.ignore-imex-channel-requests"},
    {"container-toolkit.ldconfig", "", "", "nvidia-container-cli.ldconfig; a leading @ means the host's own"},
    {"container-toolkit.no-cgroups", "", "", "nvidia-container-cli.no-cgroups: are GPUs left out of device cgroups?"},
    {"container-toolkit.mode", "", "", "nvidia-container-runtime.mode: auto, legacy, cdi, csv"},
    {"docker.default-runtime", "", "", "default-runtime of /etc/docker/daemon.json"},
    {"docker.hosts", "", "", "hosts of daemon.json: where the daemon listens"},
    {"docker.userns-remap", "", "", "userns-remap of daemon.json"},
    {"docker.socket-mode", "", "1", "permission bits of /run/docker.sock: who may open it is root"},
};

constexpr std::string_view kToolkitConfigs[] = {
    "/usr/local/nvidia/toolkit/.config/nvidia-container-runtime/config.toml",  // as the GPU operator installs it
    "/etc/nvidia-container-runtime/config.toml",
};

// Not there only if every place for it was looked into.
Seen<bool> installed(Host& host, std::string_view program) {
  Seen<bool> found = false;
  for (const auto folder : {"/usr/bin/", "/usr/local/bin/", "/usr/sbin/", "/usr/local/nvidia/toolkit/", "/opt/bin/"}) {
    const auto status = host.status(std::string(folder) + std::string(program));
    if (status) return true;
    if (status.error().reason != Absence::missing) found = tl::unexpected(status.error());
  }
  return found;
}

Seen<bool> any_installed(Host& host, std::initializer_list<std::string_view> programs) {
  Seen<bool> found = false;
  for (const auto program : programs) {
    const auto here = installed(host, program);
    if (here && *here) return true;
    if (!here) found = here;
  }
  return found;
}

// An unpacked sosreport has settings and no programs: what isn't in it says nothing.
Absent no_programs() { return {Absence::unsupported, "this folder tree has no /usr/bin"}; }

void say_runtimes(Host& host, Findings& findings) {
  if (!host.exists("/usr/bin")) return findings.absent({}, "container.runtimes", no_programs(), "/usr/bin");
  TextList found;
  for (const auto program :
       {"docker", "containerd", "crio", "podman", "enroot", "apptainer", "singularity", "runc", "crun", "nerdctl"}) {
    const auto here = installed(host, program);
    if (!here) return findings.absent({}, "container.runtimes", here.error(), "/usr/bin");
    if (*here) found.emplace_back(program);
  }
  findings.see({}, "container.runtimes", found, "/usr/bin, /usr/local/bin, /usr/sbin");
}

// One setting under its own name; a key that isn't in the file is missing, and what that means is the check's to say.
struct Switch {
  std::string_view name;
  std::string_view key;
  bool yes_or_no;
};

constexpr Switch kSwitches[] = {
    {"container-toolkit.envvar-when-unprivileged", "accept-nvidia-visible-devices-envvar-when-unprivileged", true},
    {"container-toolkit.volume-mounts", "accept-nvidia-visible-devices-as-volume-mounts", true},
    {"container-toolkit.cuda-compat-from-container", "features.allow-cuda-compat-libs-from-container", true},
    {"container-toolkit.ldconfig-from-container", "features.allow-ldconfig-from-container", true},
    {"container-toolkit.ignores-imex-requests", "features.ignore-imex-channel-requests", true},
    {"container-toolkit.ldconfig", "nvidia-container-cli.ldconfig", false},
    {"container-toolkit.no-cgroups", "nvidia-container-cli.no-cgroups", true},
    {"container-toolkit.mode", "nvidia-container-runtime.mode", false},
};

void say_switch(Findings& findings, const Switch& wanted, const Settings& settings, const std::string& from) {
  const auto found = settings.find(std::string(wanted.key));
  if (found == settings.end())
    return findings.absent({}, wanted.name, {Absence::missing, fmt::format("{} does not set {}", from, wanted.key)},
                           from);
  if (!wanted.yes_or_no) return findings.see({}, wanted.name, found->second, from);
  if (found->second == "true" || found->second == "false")
    return findings.see({}, wanted.name, found->second == "true", from);
  findings.absent({}, wanted.name,
                  {Absence::malformed, fmt::format("{} is {}, not true or false", wanted.key, found->second)}, from);
}

std::string toolkit_config(Host& host) {
  for (const std::string_view path : kToolkitConfigs) {
    const auto status = host.status(std::string(path));
    if (status || status.error().reason != Absence::missing) return std::string(path);
  }
  return std::string(kToolkitConfigs[1]);
}

void say_toolkit(Host& host, Findings& findings) {
  const std::string path = toolkit_config(host);
  const auto text = host.text(path);
  const Seen<bool> here = text ? Seen<bool>(true)
                               : any_installed(host, {"nvidia-container-runtime", "nvidia-ctk", "nvidia-container-cli",
                                                      "nvidia-container-runtime-hook"});
  if (!here || *here || host.exists("/usr/bin")) {
    findings.say({}, "container-toolkit.installed", here, "/usr/bin, " + path);
  } else {
    findings.absent({}, "container-toolkit.installed", no_programs(), "/usr/bin");
  }
  const auto settings = text.and_then([](const std::string& content) { return parse_toml(content); });
  if (!settings) {
    findings.absent({}, "container-toolkit.config", settings.error(), path);
    for (const Switch& each : kSwitches) findings.absent({}, each.name, settings.error(), path);
    return;
  }
  findings.see({}, "container-toolkit.config", path, path);
  for (const Switch& each : kSwitches) say_switch(findings, each, *settings, path);
}

using nlohmann::json;

Seen<json> read_json(Host& host, const std::string& path) {
  return host.text(path).and_then([&](const std::string& content) -> Seen<json> {
    auto parsed = json::parse(content, nullptr, false);
    if (!parsed.is_object()) return unseen(Absence::malformed, path + " is no JSON object");
    return parsed;
  });
}

Seen<std::string> text_field(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return unseen(Absence::missing, std::string("daemon.json does not set ") + key);
  if (!found->is_string()) return unseen(Absence::malformed, std::string(key) + " is no text");
  return found->get<std::string>();
}

Seen<TextList> list_field(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return unseen(Absence::missing, std::string("daemon.json does not set ") + key);
  TextList items;
  for (const json& item : *found) {
    if (!item.is_string()) return unseen(Absence::malformed, std::string(key) + " is no list of texts");
    items.push_back(item.get<std::string>());
  }
  return items;
}

void say_docker(Host& host, Findings& findings) {
  const std::string path = "/etc/docker/daemon.json";
  const auto config = read_json(host, path);
  const auto field = [&](const char* key) {
    return config.and_then([&](const json& object) { return text_field(object, key); });
  };
  findings.say({}, "docker.default-runtime", field("default-runtime"), path);
  findings.say({}, "docker.userns-remap", field("userns-remap"), path);
  findings.say({}, "docker.hosts", config.and_then([](const json& object) { return list_field(object, "hosts"); }),
               path);
  findings.say({}, "docker.socket-mode",
               host.status("/run/docker.sock").map([](const FileStatus& s) { return std::int64_t{s.mode}; }),
               "/run/docker.sock");
}

void read(Host& host, Findings& findings) {
  say_runtimes(host, findings);
  say_toolkit(host, findings);
  say_docker(host, findings);
}

}  // namespace

extern const Reader containers = {"containers", "container runtimes and their switches", std::chrono::seconds(5),
                                  kEmits, read};

}  // namespace assay::node::facts
