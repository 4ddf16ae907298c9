#include "app/target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/hostlist.hpp"
#include "report/fold.hpp"

namespace assay::app {

void add_target_options(CLI::App& app, Target& target) {
  app.add_flag("--local", target.local, "this machine (the default)")->group("Target");
  app.add_option("--ssh", target.ssh, "these hosts, by your own ssh client and configuration: n[1-16],m1")
      ->group("Target");
  app.add_option("--ssh-config", target.ssh_config, "an ssh configuration file other than yours (ssh -F)")
      ->group("Target");
  app.add_option("--connect-timeout", target.connect_timeout,
                 "seconds for ssh to connect; a host that says nothing for three times as long is given up")
      ->group("Target")
      ->check(CLI::Range(1, 600));
  app.add_flag("--slurm", target.slurm, "nodes of this Slurm cluster, one srun task each")->group("Target");
  auto& slurm = target.slurm_options;
  app.add_option("-p,--partition", slurm.partition, "Slurm partition")->group("Target");
  app.add_option("-N,--nodes", slurm.node_count, "how many nodes (default: all that are up)")
      ->group("Target")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("-w,--nodelist", slurm.nodelist, "these Slurm nodes: n[1-4]")->group("Target");
  app.add_option("-A,--account", slurm.account, "Slurm account")->group("Target");
  app.add_option("-q,--qos", slurm.qos, "Slurm quality of service")->group("Target");
  app.add_option("-C,--constraint", slurm.constraint, "Slurm constraint")->group("Target");
  app.add_option("--reservation", slurm.reservation, "Slurm reservation")->group("Target");
  app.add_option("-t,--time", slurm.time, "Slurm time limit of the job")->group("Target");
  app.add_option("--wait", slurm.wait, "seconds to wait in the queue before giving up")
      ->group("Target")
      ->check(CLI::Range(1, 86400));
  app.add_option("--root", target.root, "a folder that stands for a machine: an unpacked sosreport, a mounted image")
      ->group("Target")
      ->check([](const std::string& folder) { return folder.empty() ? "expected a folder" : ""; });
  app.add_option("--cluster", target.cluster, "what to call the cluster in the report")->group("Target");
  app.add_flag("--login,!--no-login", target.login,
               "look at this host too, as the cluster's login host: with --slurm that is so unless you say --no-login, "
               "with --ssh only if you say --login")
      ->group("Target");
}

Result<void> expand_hosts(Target& target) {
  auto names = hostlist::expand(fmt::format("{}", fmt::join(target.ssh, ",")));
  if (!names) {
    names.error().where = "--ssh " + names.error().where;
    return failure(names.error());
  }
  std::set<std::string> known;
  std::erase_if(*names, [&](const std::string& name) { return !known.insert(name).second; });
  target.ssh = std::move(*names);
  return {};
}

bool looks_at_login(const Target& target) {
  return target.login.value_or(target.slurm) && (target.slurm || !target.ssh.empty());
}

bool names_target(const Target& target) {
  return target.local || !target.ssh.empty() || target.slurm || !target.root.empty();
}

std::string to_text(const Target& target) {
  if (!target.ssh.empty()) {
    std::string names = report::fold_names(target.ssh);
    std::erase(names, ' ');
    return "--ssh " + names;
  }
  if (target.slurm) return "--slurm";
  if (!target.root.empty()) return "--root " + target.root;
  return "--local";
}

std::string to_json_text(const Target& target) {
  const auto& slurm = target.slurm_options;
  return nlohmann::json{{"ssh", target.ssh},
                        {"ssh_config", target.ssh_config},
                        {"connect_timeout", target.connect_timeout},
                        {"slurm", target.slurm},
                        {"partition", slurm.partition},
                        {"nodes", slurm.node_count},
                        {"nodelist", slurm.nodelist},
                        {"account", slurm.account},
                        {"qos", slurm.qos},
                        {"constraint", slurm.constraint},
                        {"reservation", slurm.reservation},
                        {"time", slurm.time},
                        {"wait", slurm.wait},
                        {"root", target.root},
                        {"cluster", target.cluster}}
      .dump();
}

Result<Target> target_from_json_text(const std::string& text) {
  try {
    const auto json = nlohmann::json::parse(text);
    Target target;
    target.ssh = json.at("ssh").get<std::vector<std::string>>();
    target.ssh_config = json.at("ssh_config").get<std::string>();
    target.connect_timeout = json.at("connect_timeout").get<int>();
    target.slurm = json.at("slurm").get<bool>();
    auto& slurm = target.slurm_options;
    slurm.partition = json.at("partition").get<std::string>();
    slurm.node_count = json.at("nodes").get<int>();
    slurm.nodelist = json.at("nodelist").get<std::string>();
    slurm.account = json.at("account").get<std::string>();
    slurm.qos = json.at("qos").get<std::string>();
    slurm.constraint = json.at("constraint").get<std::string>();
    slurm.reservation = json.at("reservation").get<std::string>();
    slurm.time = json.at("time").get<std::string>();
    slurm.wait = json.at("wait").get<int>();
    target.root = json.at("root").get<std::string>();
    target.cluster = json.at("cluster").get<std::string>();
    return target;
  } catch (const nlohmann::json::exception& error) {
    return failure({Error::Kind::usage, "the run's target as JSON", error.what(), "evidence.db", "start a new run"});
  }
}

Result<std::unique_ptr<cluster::Launcher>> make_launcher(const Target& target, cluster::Waiting waiting) {
  const int kinds = target.local + !target.ssh.empty() + target.slurm + !target.root.empty();
  if (kinds > 1)
    return failure(
        {Error::Kind::usage, "one target", "several", "--local, --ssh, --slurm, --root", "give one of them"});
  std::error_code error;
  if (!target.root.empty() && !std::filesystem::is_directory(target.root, error))
    return failure(
        {Error::Kind::usage, "a folder", error ? error.message() : "something else", "--root " + target.root, ""});
  if (!target.ssh.empty()) return cluster::make_ssh({target.ssh, target.ssh_config, 32, target.connect_timeout});
  if (target.slurm) return cluster::make_slurm(target.slurm_options, std::move(waiting));
  return cluster::make_local();
}

}  // namespace assay::app
