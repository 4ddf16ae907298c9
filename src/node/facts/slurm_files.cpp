// Slurm's configuration as it is written on this host. It tells what is meant; slurm.cpp tells what runs.
#include <fmt/format.h>

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "node/facts/slurm_files_detail.hpp"
#include "node/reader.hpp"
#include "slurm/text.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"slurm.conf-path", "", "", "where this host keeps slurm.conf"},
    {"slurm.file.AccountingStorageType", "", "", "as written in slurm.conf"},
    {"slurm.file.AuthType", "", "", "as written in slurm.conf"},
    {"slurm.file.ClusterName", "", "", "as written in slurm.conf"},
    {"slurm.file.GresTypes", "", "", "as written in slurm.conf"},
    {"slurm.file.HealthCheckInterval", "", "", "as written in slurm.conf"},
    {"slurm.file.HealthCheckNodeState", "", "", "as written in slurm.conf"},
    {"slurm.file.HealthCheckProgram", "", "", "as written in slurm.conf"},
    {"slurm.file.JobAcctGatherType", "", "", "as written in slurm.conf"},
    {"slurm.file.JobContainerType", "", "", "as written in slurm.conf"},
    {"slurm.file.MetricsAuthUsers", "", "", "as written in slurm.conf"},
    {"slurm.file.MetricsParameters", "", "", "as written in slurm.conf"},
    {"slurm.file.MetricsType", "", "", "as written in slurm.conf"},
    {"slurm.file.PrivateData", "", "", "as written in slurm.conf"},
    {"slurm.file.ProctrackType", "", "", "as written in slurm.conf"},
    {"slurm.file.PrologFlags", "", "", "as written in slurm.conf"},
    {"slurm.file.TaskPlugin", "", "", "as written in slurm.conf"},
    {"slurm.file.TopologyPlugin", "", "", "as written in slurm.conf"},
    {"slurm.health-program-mode", "", "", "permission bits of the HealthCheckProgram named in slurm.conf"},
    {"slurm.cgroup-file", "", "", "the settings of cgroup.conf, names in lower case"},
    {"slurm.job-container-file", "", "", "the settings of job_container.conf, names in lower case"},
    {"slurm.topology-file.leaves", "", "", "switches and blocks of topology.conf that have nodes"},
    {"slurm.topology-file.nodes", "", "", "nodes named in topology.conf"},
    {"slurm.gres-file.gpu-devices", "", "", "device files that gres.conf gives to gpu"},
    {"slurm.gres-file.autodetect", "", "", "how gres.conf lets GPUs be found by themselves: nvml, rsmi, off"},
    {"slurm.plugstack", "", "", "plug-ins that plugstack.conf loads, by file name: spank_pyxis.so"},
};

constexpr std::string_view kFilePrefix = "slurm.file.";

void say_settings(const std::string& path, const Seen<slurm::Conf>& conf, Findings& findings) {
  for (const Emits& emits : kEmits) {
    if (!emits.name.starts_with(kFilePrefix)) continue;
    const auto key = emits.name.substr(kFilePrefix.size());
    if (!conf) {
      findings.absent({}, emits.name, conf.error(), path);
    } else if (const std::string* value = conf->setting(text::lower(key))) {
      findings.see({}, emits.name, *value, path);
    } else {
      findings.absent({}, emits.name, {Absence::missing, fmt::format("{} doesn't set {}", path, key)}, path);
    }
  }
}

// The program is run by slurmd as a command line: its first word is the file.
void say_health_program(Host& host, const Seen<slurm::Conf>& conf, Findings& findings) {
  const std::string* program = conf ? conf->setting("healthcheckprogram") : nullptr;
  if (program == nullptr || program->empty()) {
    findings.absent({}, "slurm.health-program-mode",
                    conf ? Absent{Absence::unsupported, "no HealthCheckProgram is set"} : conf.error(), "slurm.conf");
    return;
  }
  const std::string file = program->substr(0, program->find(' '));
  findings.say({}, "slurm.health-program-mode",
               host.status(file).map([](const FileStatus& status) { return std::int64_t{status.mode}; }), file);
}

// A small file whose settings are told as they are.
void say_record(Host& host, const std::string& path, std::string_view name, Findings& findings) {
  findings.say({}, name, slurm::read_conf(host, path).map([](const slurm::Conf& conf) {
    Record record;
    for (const auto& line : conf.lines)
      for (const auto& [key, value] : line) record[key] = value;
    return record;
  }),
               path);
}

std::string value_of(const slurm::ConfLine& line, std::string_view key) {
  for (const auto& [each, value] : line)
    if (each == key) return value;
  return {};
}

Seen<assay::slurm::Topology> topology_in(const slurm::Conf& conf) {
  std::string text;
  for (const auto& line : conf.lines) {
    const std::string switch_name = value_of(line, "switchname");
    const std::string block_name = value_of(line, "blockname");
    if (switch_name.empty() && block_name.empty()) continue;
    text += switch_name.empty() ? "BlockName=" + block_name : "SwitchName=" + switch_name;
    if (const auto nodes = value_of(line, "nodes"); !nodes.empty()) text += " Nodes=" + nodes;
    if (const auto switches = value_of(line, "switches"); !switches.empty()) text += " Switches=" + switches;
    text += "\n";
  }
  return assay::slurm::parse_topology_text(text);
}

void say_topology(Host& host, const std::string& path, Findings& findings) {
  const auto topology = slurm::read_conf(host, path).and_then(topology_in);
  findings.say({}, "slurm.topology-file.leaves", topology.map([](const auto& t) { return t.leaves; }), path);
  findings.say({}, "slurm.topology-file.nodes", topology.map([](const auto& t) { return t.nodes; }), path);
}

void say_gres(Host& host, const std::string& path, Findings& findings) {
  const auto conf = slurm::read_conf(host, path);
  if (!conf) {
    findings.absent({}, "slurm.gres-file.gpu-devices", conf.error(), path);
    findings.absent({}, "slurm.gres-file.autodetect", conf.error(), path);
    return;
  }
  TextList devices;
  std::string autodetect = "off";
  for (const auto& line : conf->lines) {
    if (const auto how = value_of(line, "autodetect"); !how.empty()) autodetect = how;
    if (value_of(line, "name") != "gpu") continue;
    const auto files = hostlist::expand(value_of(line, "file"));
    if (files) devices.insert(devices.end(), files->begin(), files->end());
  }
  findings.see({}, "slurm.gres-file.gpu-devices", devices, path);
  findings.see({}, "slurm.gres-file.autodetect", autodetect, path);
}

// "required /usr/lib/slurm/spank_pyxis.so args", "include /etc/slurm/plugstack.conf.d/*.conf"
void add_plugins(Host& host, std::string_view text, TextList& plugins, int depth) {
  for (const std::string_view line : text::lines(text)) {
    const auto words = text::words(line.substr(0, line.find('#')));
    if (words.size() < 2) continue;
    const std::string_view path = words[1];
    const auto name = path.substr(path.rfind('/') + 1);
    if (words[0] == "required" || words[0] == "optional") plugins.emplace_back(name);
    if (words[0] != "include" || depth == 0) continue;
    const bool pattern = name.starts_with('*');
    const std::string folder(path.substr(0, path.size() - name.size()));
    const auto entries = pattern ? host.names(folder) : Seen<TextList>(TextList{std::string(name)});
    if (!entries) continue;
    for (const std::string& entry : *entries)
      if (!pattern || entry.ends_with(name.substr(1)))
        if (const auto content = host.text(folder + entry)) add_plugins(host, *content, plugins, depth - 1);
  }
}

void say_plugstack(Host& host, const std::string& path, Findings& findings) {
  findings.say({}, "slurm.plugstack", host.text(path).map([&](const std::string& content) {
    TextList plugins;
    add_plugins(host, content, plugins, 4);
    return plugins;
  }),
               path);
}

void read(Host& host, Findings& findings) {
  const auto path = slurm::find_conf(host);
  findings.say({}, "slurm.conf-path", path, "slurm.conf");
  const auto conf = path.and_then([&](const std::string& found) { return slurm::read_conf(host, found); });
  say_settings(path.value_or("slurm.conf"), conf, findings);
  say_health_program(host, conf, findings);
  // The other files lie beside slurm.conf, or where the package would put them.
  const std::string folder = path ? path->substr(0, path->rfind('/') + 1) : "/etc/slurm/";
  say_record(host, folder + "cgroup.conf", "slurm.cgroup-file", findings);
  say_record(host, folder + "job_container.conf", "slurm.job-container-file", findings);
  say_topology(host, folder + "topology.conf", findings);
  say_gres(host, folder + "gres.conf", findings);
  say_plugstack(host, folder + "plugstack.conf", findings);
}

}  // namespace

extern const Reader slurm_files = {"slurm-files", "Slurm's configuration files", std::chrono::seconds(10), kEmits,
                                   read};

}  // namespace assay::node::facts
