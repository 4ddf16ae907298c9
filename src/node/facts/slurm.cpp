// What Slurm itself says: its running configuration, nodes, partitions, topology, accounting and queue. slurmctld may
// be down or slow: it is asked for its configuration first, and when that gets no answer nothing more is asked. Inside
// a job step only the first node asks, so that an audit of a thousand nodes isn't a thousand questions.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/text.hpp"
#include "node/facts/slurm_files_detail.hpp"
#include "node/reader.hpp"
#include "slurm/state.hpp"
#include "slurm/text.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"slurm.present", "", "",
     "is this host part of a Slurm cluster: it has a slurm.conf, runs in a job, or scontrol finds a controller. No "
     "only "
     "if all of them were looked for"},
    {"slurm.asked", "", "", "did this host put questions to slurmctld; in a job step only the first node does"},
    {"slurm.config.AccountingStorageEnforce", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.AccountingStorageType", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.AuthType", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.ClusterName", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.DefMemPerNode", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.Epilog", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.GresTypes", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.HealthCheckInterval", "", "", "running value, as scontrol show config tells it: 300 sec"},
    {"slurm.config.HealthCheckNodeState", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.HealthCheckProgram", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.JobAcctGatherType", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.JobContainerType", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.MetricsAuthUsers", "", "", "running value, as scontrol show config tells it (since 25.11)"},
    {"slurm.config.MetricsParameters", "", "", "running value, as scontrol show config tells it (since 25.11)"},
    {"slurm.config.MetricsType", "", "", "running value, as scontrol show config tells it (since 25.11)"},
    {"slurm.config.MpiDefault", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.NamespaceType", "", "", "running value, as scontrol show config tells it (since 25.11)"},
    {"slurm.config.PrivateData", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.ProctrackType", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.Prolog", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.PrologFlags", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.RebootProgram", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.ReturnToService", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.SLURM_CONF", "", "", "where slurmctld has its slurm.conf"},
    {"slurm.config.SLURM_VERSION", "", "", "version of slurmctld"},
    {"slurm.config.SelectType", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.SlurmUser", "", "", "running value, as scontrol show config tells it: slurm(2000)"},
    {"slurm.config.SlurmdTimeout", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.TaskPlugin", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.TopologyParam", "", "", "running value, as scontrol show config tells it"},
    {"slurm.config.TopologyPlugin", "", "", "running value, as scontrol show config tells it"},
    {"slurm.cgroup.ConstrainDevices", "", "", "cgroup.conf as slurmctld read it, where this version tells"},
    {"slurm.node-count", "", "1", "nodes that slurmctld knows"},
    {"slurm.node-state", "slurm-node", "",
     "state with its flags: IDLE+DRAIN. One that slurmctld only waits for is looked at again for 5 s"},
    {"slurm.node-reason", "slurm-node", "", "why it is down or drained, in its administrator's words"},
    {"slurm.node-gres", "slurm-node", "", "configured generic resources: gpu:h100:8"},
    {"slurm.node-tres", "slurm-node", "", "what it has to give, as slurmctld counts it: cpu=2,mem=1000M,gres/gpu=8"},
    {"slurm.node-hostname", "slurm-node", "", "host name of the machine behind the node's name"},
    {"slurm.node-version", "slurm-node", "", "version of its slurmd"},
    {"slurm.partition-state", "slurm-partition", "", "UP, DOWN, DRAIN or INACTIVE"},
    {"slurm.partition-nodes", "slurm-partition", "", "its nodes, as a host list"},
    {"slurm.topology.leaves", "", "", "switches and blocks that have nodes, as slurmctld has them"},
    {"slurm.topology.nodes", "", "", "nodes in the topology, as slurmctld has it"},
    {"slurm.accounting-clusters", "", "", "clusters that the accounting database knows; seen only if it answers"},
    {"slurm.jobs", "", "", "jobs of the queue that this user may see, counted by state"},
};

constexpr std::string_view kConfigPrefix = "slurm.config.";
constexpr process::Limits kPatience{std::chrono::seconds(5), 16u << 20};
constexpr int kMoreLooks = 5;
constexpr std::chrono::seconds kBetweenLooks{1};
constexpr process::Limits kLongPatience{std::chrono::seconds(10), 32u << 20};

// A command's stdout if it ended well; what its failure means otherwise.
Seen<std::string> tell(Host& host, const std::vector<std::string>& argv, process::Limits limits = kPatience) {
  return host.run(argv, limits).and_then([&](const process::Output& output) -> Seen<std::string> {
    if (output.status == 0) return output.out;
    const Absent why = assay::slurm::why_failed(fmt::format("{}", fmt::join(argv, " ")), output);
    return unseen(why.reason, why.detail);
  });
}

bool first_of_its_step(Host& host) {
  const auto step = host.environment("SLURM_STEP_ID");
  const auto index = host.environment("SLURM_NODEID");
  return !step || !index || *index == "0";
}

void say_config(const Seen<assay::slurm::Config>& config, Findings& findings) {
  constexpr auto kFrom = "scontrol show config";
  const auto one = [&](std::string_view name, std::string_view key, auto section) {
    if (!config) return findings.absent({}, name, config.error(), kFrom);
    const auto& settings = (*config).*section;
    const auto found = settings.find(std::string(key));
    if (found == settings.end())
      return findings.absent({}, name, {Absence::unsupported, fmt::format("scontrol show config has no {}", key)},
                             kFrom);
    findings.see({}, name, found->second, kFrom);
  };
  for (const Emits& emits : kEmits)
    if (emits.name.starts_with(kConfigPrefix))
      one(emits.name, emits.name.substr(kConfigPrefix.size()), &assay::slurm::Config::settings);
  one("slurm.cgroup.ConstrainDevices", "ConstrainDevices", &assay::slurm::Config::cgroup);
}

// JSON where this version has it and it can be read; else the text, which every version has.
Seen<std::vector<assay::slurm::Node>> nodes_of(Host& host) {
  if (const auto nodes =
          tell(host, {"scontrol", "show", "nodes", "--json"}, kLongPatience).and_then(assay::slurm::parse_nodes_json))
    return nodes;
  return tell(host, {"scontrol", "-o", "show", "nodes"}, kLongPatience).and_then(assay::slurm::parse_nodes_text);
}

// A node that was just resumed, or whose slurmctld has just started, counts as not responding until it has answered a
// ping, a second or so later. What is told is what stays so.
Seen<std::vector<assay::slurm::Node>> settled_nodes(Host& host) {
  auto nodes = nodes_of(host);
  for (int look = 0; look < kMoreLooks && nodes; ++look) {
    if (std::none_of(nodes->begin(), nodes->end(), [](const auto& node) {
          return assay::slurm::fitness_of(node.state) == assay::slurm::Fitness::awaited;
        }))
      break;
    std::this_thread::sleep_for(kBetweenLooks);
    auto again = nodes_of(host);
    if (!again) break;
    nodes = std::move(again);
  }
  return nodes;
}

void say_nodes(Host& host, Findings& findings) {
  constexpr auto kFrom = "scontrol show nodes";
  const auto nodes = settled_nodes(host);
  if (!nodes) return findings.absent({}, "slurm.node-count", nodes.error(), kFrom);
  findings.see({}, "slurm.node-count", static_cast<std::int64_t>(nodes->size()), kFrom);
  for (const assay::slurm::Node& node : *nodes) {
    const Subject subject = Subject().child("slurm-node", node.name);
    findings.see(subject, "slurm.node-state", node.state, kFrom);
    findings.see(subject, "slurm.node-reason", node.reason, kFrom);
    findings.see(subject, "slurm.node-gres", node.gres, kFrom);
    findings.see(subject, "slurm.node-tres", node.tres, kFrom);
    findings.see(subject, "slurm.node-hostname", node.hostname, kFrom);
    findings.see(subject, "slurm.node-version", node.version, kFrom);
  }
}

void say_partitions(Host& host, Findings& findings) {
  const auto partitions =
      tell(host, {"scontrol", "-o", "show", "partition"}).and_then(assay::slurm::parse_partitions_text);
  if (!partitions) return findings.absent({}, "slurm.partition-state", partitions.error(), "scontrol show partition");
  for (const assay::slurm::Partition& partition : *partitions) {
    const Subject subject = Subject().child("slurm-partition", partition.name);
    findings.see(subject, "slurm.partition-state", partition.state, "scontrol show partition");
    findings.see(subject, "slurm.partition-nodes", partition.nodes, "scontrol show partition");
  }
}

void say_topology(Host& host, Findings& findings) {
  const auto topology = tell(host, {"scontrol", "show", "topology"}).and_then(assay::slurm::parse_topology_text);
  findings.say({}, "slurm.topology.leaves", topology.map([](const auto& t) { return t.leaves; }),
               "scontrol show topology");
  findings.say({}, "slurm.topology.nodes", topology.map([](const auto& t) { return t.nodes; }),
               "scontrol show topology");
}

void say_accounting(Host& host, Findings& findings) {
  const auto table = tell(host, {"sacctmgr", "-P", "show", "cluster", "format=Cluster,ControlHost"})
                         .and_then([](const std::string& text) { return assay::slurm::parse_table(text); });
  findings.say({}, "slurm.accounting-clusters", table.map([](const assay::slurm::Table& whole) {
    TextList clusters;
    for (const auto& row : whole.rows) clusters.push_back(row.front());
    return clusters;
  }),
               "sacctmgr show cluster");
}

void say_queue(Host& host, Findings& findings) {
  findings.say({}, "slurm.jobs",
               tell(host, {"squeue", "-h", "-o", "%T"}, kLongPatience).and_then(assay::slurm::count_states), "squeue");
}

void ask_controller(Host& host, const Seen<assay::slurm::Config>& config, Findings& findings) {
  say_config(config, findings);
  if (!config) {
    for (const auto name : {"slurm.node-count", "slurm.partition-state", "slurm.topology.leaves",
                            "slurm.topology.nodes", "slurm.accounting-clusters", "slurm.jobs"})
      findings.absent({}, name, config.error(), "scontrol show config");
    return;
  }
  say_nodes(host, findings);
  say_partitions(host, findings);
  say_topology(host, findings);
  say_accounting(host, findings);
  say_queue(host, findings);
}

void read(Host& host, Findings& findings) {
  const auto conf = slurm::find_conf(host);
  const bool in_job = host.environment("SLURM_JOB_ID").has_value();
  const bool asks = host.live() && first_of_its_step(host);
  findings.see({}, "slurm.asked", asks, "environment");
  if (!asks && host.live()) return findings.see({}, "slurm.present", true, "environment");
  const auto config = tell(host, {"scontrol", "show", "config"}).and_then(assay::slurm::parse_config);
  const bool nowhere = !config && (config.error().reason == Absence::missing || !host.live());
  if (conf || in_job || config) {
    findings.see({}, "slurm.present", true, conf ? *conf : "scontrol show config");
  } else if (nowhere && conf.error().reason == Absence::missing) {
    findings.see({}, "slurm.present", false, conf.error().detail + "; " + config.error().detail);
    return;
  } else {
    findings.absent({}, "slurm.present", conf.error().reason == Absence::missing ? config.error() : conf.error(),
                    "scontrol show config");
  }
  ask_controller(host, config, findings);
}

}  // namespace

extern const Reader slurm = {"slurm", "what Slurm's controller says", std::chrono::seconds(60), kEmits, read};

}  // namespace assay::node::facts
