// Which of the daemons that a GPU cluster lives by run here: as systemd tells, and as processes, since many run inside
// containers that systemd knows nothing of.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "node/facts/processes_detail.hpp"
#include "node/facts/systemd_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"services.manager", "", "", "systemd, or none"},
    {"service.running", "service", "", "does it run, as a unit or as a process?"},
    {"service.processes", "service", "1", "processes of that name"},
    {"service.state", "service", "", "ActiveState of its unit: active, inactive, failed, activating"},
    {"service.enabled", "service", "", "UnitFileState of its unit: enabled, disabled, masked, static"},
    {"service.restarts", "service", "1", "times that systemd has started it again"},
};

struct Service {
  std::string_view name;
  std::vector<std::string_view> units;
  std::vector<std::string_view> processes;  // whole names; the kernel keeps 15 bytes
};

const std::vector<Service>& known() {
  static const std::vector<Service> all = {
      {"slurmd", {"slurmd"}, {"slurmd"}},
      {"slurmctld", {"slurmctld"}, {"slurmctld"}},
      {"slurmdbd", {"slurmdbd"}, {"slurmdbd"}},
      {"munged", {"munge"}, {"munged"}},
      {"nvidia-fabricmanager", {"nvidia-fabricmanager"}, {"nv-fabricmanage"}},
      {"nvidia-persistenced", {"nvidia-persistenced"}, {"nvidia-persiste"}},
      {"nvidia-imex", {"nvidia-imex"}, {"nvidia-imex"}},
      {"nvidia-dcgm", {"nvidia-dcgm", "dcgm"}, {"nv-hostengine"}},
      {"dcgm-exporter", {"dcgm-exporter", "nvidia-dcgm-exporter"}, {"dcgm-exporter"}},
      {"node-exporter",
       {"node_exporter", "prometheus-node-exporter", "node-exporter"},
       {"node_exporter", "prometheus-node", "node-exporter"}},
      {"kubelet",
       {"kubelet", "k3s", "k3s-agent", "rke2-agent", "rke2-server"},
       {"kubelet", "k3s-agent", "k3s-server", "rke2"}},
      {"containerd", {"containerd"}, {"containerd"}},
      {"dockerd", {"docker"}, {"dockerd"}},
      {"crio", {"crio"}, {"crio"}},
      {"rootlesskit", {}, {"rootlesskit"}},
      {"chronyd", {"chronyd", "chrony"}, {"chronyd"}},
      {"ntpd", {"ntpd", "ntp", "ntpsec"}, {"ntpd"}},
      {"systemd-timesyncd", {"systemd-timesyncd"}, {"systemd-timesyn"}},
      {"sshd", {"ssh", "sshd"}, {"sshd"}},
      {"opensm", {"opensm", "opensmd"}, {"opensm"}},
      {"irqbalance", {"irqbalance"}, {"irqbalance"}},
  };
  return all;
}

Seen<Units> read_units(Host& host) {
  if (!host.exists("/run/systemd/system"))
    return unseen(host.live() ? Absence::missing : Absence::unsupported, "systemd doesn't run here");
  std::vector<std::string> argv = {"systemctl", "show", "--no-pager",
                                   "--property=Id,LoadState,ActiveState,UnitFileState,NRestarts", "--"};
  std::vector<std::string> asked;
  for (const Service& service : known())
    for (const std::string_view unit : service.units) asked.emplace_back(unit);
  for (const std::string& unit : asked) argv.push_back(unit + ".service");
  return host.output(argv, {std::chrono::seconds(4), 1u << 20}).and_then([&](const std::string& output) {
    return parse_show(output, asked);
  });
}

// Of a service's possible units the one that is loaded; an active one first.
const Properties* unit_of(const Service& service, const Units& units) {
  const Properties* loaded = nullptr;
  for (const std::string_view name : service.units) {
    const auto found = units.find(std::string(name));
    if (found == units.end()) continue;
    const Properties& unit = found->second;
    const auto load = unit.find("LoadState");
    if (load == unit.end() || (load->second != "loaded" && load->second != "masked")) continue;
    const auto active = unit.find("ActiveState");
    if (active != unit.end() && active->second == "active") return &unit;
    if (loaded == nullptr) loaded = &unit;
  }
  return loaded;
}

Seen<std::string> property(const Properties& unit, const std::string& key) {
  const auto found = unit.find(key);
  if (found == unit.end() || found->second.empty()) return unseen(Absence::missing, "systemd tells no " + key);
  return found->second;
}

// Without systemd services.manager has said so, once for all of them.
void say_unit(Findings& findings, const Service& service, const Units& units) {
  const Subject subject = Subject().child("service", service.name);
  const Properties* unit = unit_of(service, units);
  if (unit == nullptr)
    return findings.absent(subject, "service.state",
                           {Absence::missing, fmt::format("systemd has no unit for {}", service.name)},
                           "systemctl show");
  findings.say(subject, "service.state", property(*unit, "ActiveState"), "systemctl show");
  findings.say(subject, "service.enabled", property(*unit, "UnitFileState"), "systemctl show");
  const auto restarts = property(*unit, "NRestarts").and_then([](const std::string& count) -> Seen<std::int64_t> {
    const auto number = text::integer(count);
    if (!number) return unseen(Absence::malformed, "NRestarts=" + count);
    return *number;
  });
  findings.say(subject, "service.restarts", restarts, "systemctl show");
}

Seen<std::int64_t> count_of(const Service& service, const Seen<std::vector<Process>>& running) {
  return running.map([&](const std::vector<Process>& all) {
    return static_cast<std::int64_t>(std::count_if(all.begin(), all.end(), [&](const Process& process) {
      return std::find(service.processes.begin(), service.processes.end(), process.name) != service.processes.end();
    }));
  });
}

// A unit that is active runs; otherwise the processes decide. Neither seen: nothing is said of it.
Seen<bool> runs(const Service& service, const Seen<Units>& units, const Seen<std::int64_t>& count) {
  const Properties* unit = units ? unit_of(service, *units) : nullptr;
  if (unit != nullptr && property(*unit, "ActiveState").value_or("") == "active") return true;
  return count.map([](std::int64_t number) { return number > 0; });
}

void read(Host& host, Findings& findings) {
  const auto units = read_units(host);
  if (units) {
    findings.see({}, "services.manager", std::string("systemd"), "systemctl show");
  } else if (units.error().reason == Absence::missing) {
    findings.see({}, "services.manager", std::string("none"), "/run/systemd/system");
  } else {
    findings.absent({}, "services.manager", units.error(), "systemctl show");
  }
  const auto running = processes(host);
  std::string matched;
  for (const Service& service : known()) {
    const Subject subject = Subject().child("service", service.name);
    const auto count = count_of(service, running);
    findings.say(subject, "service.processes", count, "/proc");
    findings.say(subject, "service.running", runs(service, units, count), units ? "systemctl show, /proc" : "/proc");
    if (units) say_unit(findings, service, *units);
    if (count) matched += fmt::format("{} {}\n", *count, service.name);
  }
  if (running) host.note("processes by service", matched);
}

}  // namespace

extern const Reader services = {"services", "daemons that run", std::chrono::seconds(8), kEmits, read};

}  // namespace assay::node::facts
