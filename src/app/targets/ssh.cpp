#include "cluster/ssh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "app/not_empty.hpp"
#include "app/target_kind.hpp"
#include "base/hostlist.hpp"

namespace assay::app::targets {

namespace {

class Ssh : public Way {
 public:
  void add_options(CLI::App& app) override {
    auto* ssh =
        app.add_option("--ssh", options_.nodes, "these hosts, by your own ssh client and configuration: n[1-16],m1");
    ssh->group(kTargetGroup)->check(not_empty);
    app.add_option("--ssh-config", options_.config, "an ssh configuration file other than yours (ssh -F)")
        ->group(kTargetGroup)
        ->needs(ssh)
        ->check(not_empty);
    app.add_option("--connect-timeout", options_.connect_timeout,
                   "seconds for ssh to connect; a host that says nothing for three times as long is given up")
        ->group(kTargetGroup)
        ->needs(ssh)
        ->check(CLI::Range(1, 600));
  }
  bool given() const override { return !options_.nodes.empty(); }
  Login login() const override { return Login::if_asked; }

  // Host lists become the names they stand for, each once.
  Result<void> settle() override {
    auto names = hostlist::expand(fmt::format("{}", fmt::join(options_.nodes, ",")));
    if (!names) {
      names.error().where = "--ssh " + names.error().where;
      return failure(names.error());
    }
    std::set<std::string> known;
    std::erase_if(*names, [&](const std::string& name) { return !known.insert(name).second; });
    options_.nodes = std::move(*names);
    return {};
  }

  std::string words() const override { return "--ssh " + hostlist::fold(options_.nodes, ","); }

  nlohmann::json to_json() const override {
    return {{"nodes", options_.nodes}, {"config", options_.config}, {"connect_timeout", options_.connect_timeout}};
  }
  void read_json(const nlohmann::json& json) override {
    options_.nodes = json.at("nodes").get<std::vector<std::string>>();
    options_.config = json.at("config").get<std::string>();
    options_.connect_timeout = json.at("connect_timeout").get<int>();
  }

  Result<std::unique_ptr<cluster::Launcher>> launcher(cluster::Waiting /*waiting*/) const override {
    return cluster::make_ssh(options_);
  }

 private:
  cluster::SshOptions options_;
};

std::unique_ptr<Way> make() { return std::make_unique<Ssh>(); }

}  // namespace

extern const TargetKind ssh = {"ssh", make};

}  // namespace assay::app::targets
