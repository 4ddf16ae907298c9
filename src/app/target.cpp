#include "app/target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/hostlist.hpp"

namespace assay::app {

namespace {

constexpr const char* kGroup = "Target";

}  // namespace

void add_target_options(CLI::App& app, Target& target) {
  app.add_flag("--local", target.local, "this machine (the default)")->group(kGroup);
  auto* ssh = app.add_option("--ssh", target.ssh, "these hosts, by your own ssh client and configuration: n[1-16],m1");
  app.add_option("--ssh-config", target.ssh_config, "an ssh configuration file other than yours (ssh -F)")
      ->group(kGroup)
      ->needs(ssh->group(kGroup));
  app.add_option("--connect-timeout", target.connect_timeout,
                 "seconds for ssh to connect; a host that says nothing for three times as long is given up")
      ->group(kGroup)
      ->needs(ssh)
      ->check(CLI::Range(1, 600));
  auto* slurm = app.add_flag("--slurm", target.slurm, "nodes of this Slurm cluster, one srun task each");
  slurm->group(kGroup);
  // Without --slurm they would say nothing, and another machine than the one that was meant would be looked at.
  const auto of_slurm = [&](const char* name, auto& value, const char* about) {
    return app.add_option(name, value, about)->group(kGroup)->needs(slurm);
  };
  auto& options = target.slurm_options;
  of_slurm("-p,--partition", options.partition, "Slurm partition");
  of_slurm("-N,--nodes", options.node_count, "how many nodes (default: all that are up)")
      ->check(CLI::Range(1, 1'000'000));
  of_slurm("-w,--nodelist", options.nodelist, "these Slurm nodes: n[1-4]");
  of_slurm("-A,--account", options.account, "Slurm account");
  of_slurm("-q,--qos", options.qos, "Slurm quality of service");
  of_slurm("-C,--constraint", options.constraint, "Slurm constraint");
  of_slurm("--reservation", options.reservation, "Slurm reservation");
  of_slurm("-t,--time", options.time, "Slurm time limit of the job");
  of_slurm("--wait", options.wait, "seconds to wait in the queue before giving up")->check(CLI::Range(1, 86400));
  app.add_option("--root", target.root, "a folder that stands for a machine: an unpacked sosreport, a mounted image")
      ->group(kGroup)
      ->check([](const std::string& folder) { return folder.empty() ? "expected a folder" : ""; });
  app.add_option("--cluster", target.cluster, "what to call the cluster in the report")->group(kGroup);
  // Not by reference: CLI11 takes an optional for a count and sets it to 0, which would be --no-login.
  app.add_flag_function(
         "--login,!--no-login", [&target](std::int64_t count) { target.login = count > 0; },
         "look at this host too, as the cluster's login host: with --slurm that is so unless you say --no-login, "
         "with --ssh only if you say --login")
      ->group(kGroup);
}

std::string target_options_given(const CLI::App& app) {
  std::vector<std::string> given;
  for (const CLI::Option* option : app.get_options())
    if (option->get_group() == kGroup && option->count() > 0) given.push_back(option->get_name());
  return fmt::format("{}", fmt::join(given, ", "));
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

std::string to_text(const Target& target) {
  if (!target.ssh.empty()) return "--ssh " + hostlist::fold(target.ssh, ",");
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
  if (target.login && target.ssh.empty() && !target.slurm)
    return failure({Error::Kind::usage, "a cluster that this host is the login host of", "none",
                    *target.login ? "--login" : "--no-login", "give it beside --ssh or --slurm, or leave it out"});
  std::error_code error;
  if (!target.root.empty() && !std::filesystem::is_directory(target.root, error))
    return failure(
        {Error::Kind::usage, "a folder", error ? error.message() : "something else", "--root " + target.root, ""});
  if (!target.ssh.empty()) return cluster::make_ssh({target.ssh, target.ssh_config, 32, target.connect_timeout});
  if (target.slurm) return cluster::make_slurm(target.slurm_options, std::move(waiting));
  return cluster::make_local();
}

}  // namespace assay::app
