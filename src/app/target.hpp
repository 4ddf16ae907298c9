// What to look at: the options that every looking command shares.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/launcher.hpp"

namespace CLI {
class App;
}

namespace assay::app {

struct Target {
  bool local = false;
  std::vector<std::string> ssh;  // as typed: n[1-3],m1; one name each after expand_hosts()
  std::string ssh_config;
  int connect_timeout = 10;  // s
  bool slurm = false;
  cluster::SlurmOptions slurm_options;
  std::string root;           // a folder that stands for a machine
  std::string cluster;        // what to call it
  std::optional<bool> login;  // look at this host too; unsaid: with --slurm
};

void add_target_options(CLI::App& app, Target& target);
// The names of those that this call was given: "--ssh, --cluster"; "" for none.
std::string target_options_given(const CLI::App& app);

// Host lists of --ssh become the names they stand for, each once.
Result<void> expand_hosts(Target& target);

// Is this host the cluster's login host, to be looked at beside its nodes? Slurm's commands answer where they are
// meant to be used; ssh works from any laptop.
bool looks_at_login(const Target& target);

// One line that says it again, many names in few words: "--ssh n[1-500]". Kept in the run, so that --resume needs no
// options.
std::string to_text(const Target& target);
std::string to_json_text(const Target& target);
Result<Target> target_from_json_text(const std::string& text);

Result<std::unique_ptr<cluster::Launcher>> make_launcher(const Target& target, cluster::Waiting waiting);

}  // namespace assay::app
