// A kind of target: what --ssh, --slurm and the like stand for. One file under targets/ is one kind: it defines, with
// NAME the file's name,
//
//   const TargetKind assay::app::targets::NAME = {"name", make};
//
// CMake lists the folder, so a new launcher is one new file there, beside the launcher itself in src/cluster.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/launcher.hpp"

namespace CLI {
class App;
}

namespace assay::app {

// What --help puts the options under; and all that are in it are refused beside --resume.
inline constexpr const char* kTargetGroup = "Target";

// A target of one kind, as a call or a run's folder says it.
class Way {
 public:
  Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  virtual void add_options(CLI::App& app) = 0;
  virtual bool given() const = 0;  // by the option that names the kind
  // What was typed becomes what it means, wherever the run is taken up again.
  virtual Result<void> settle() { return {}; }
  // One line that says it again, many names in few words: "--ssh n[1-500]".
  virtual std::string words() const = 0;
  // Kept in the run, so that --resume needs no options. Reading may throw what nlohmann::json throws.
  virtual nlohmann::json to_json() const = 0;
  virtual void read_json(const nlohmann::json& json) = 0;
  virtual Result<std::unique_ptr<cluster::Launcher>> launcher(cluster::Waiting waiting) const = 0;
  virtual std::string root() const { return "/"; }  // of what the agents look at
  // Is this host the login host of what is looked at? Slurm's commands answer where they are meant to be used; ssh
  // works from any laptop; and a single machine has none.
  enum class Login { none, if_asked, unless_refused };
  virtual Login login() const { return Login::none; }
};

struct TargetKind {
  std::string_view name;
  std::unique_ptr<Way> (*make)();
};

const std::vector<const TargetKind*>& target_kinds();

}  // namespace assay::app
