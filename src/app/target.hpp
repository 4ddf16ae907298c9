// What to look at: the options that every looking command shares.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cluster/launcher.hpp"

namespace CLI {
class App;
}

namespace assay::app {

struct Target {
  bool local = false;
  std::vector<std::string> ssh;
  std::string ssh_config;
  int connect_timeout = 10;  // s
  bool slurm = false;
  cluster::SlurmOptions slurm_options;
  std::string root;       // a folder that stands for a machine
  std::string cluster;    // what to call it
  bool no_login = false;  // don't look at this (login) host too
};

void add_target_options(CLI::App& app, Target& target);

// Was any target given?
bool names_target(const Target& target);

// One line that says it again: "--ssh n1,n2". Kept in the run, so that --resume needs no options.
std::string to_text(const Target& target);
std::string to_json_text(const Target& target);
Result<Target> target_from_json_text(const std::string& text);

Result<std::unique_ptr<cluster::Launcher>> make_launcher(const Target& target, cluster::Waiting waiting);

}  // namespace assay::app
