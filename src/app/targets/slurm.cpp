#include "cluster/slurm.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/not_empty.hpp"
#include "app/target_kind.hpp"

namespace assay::app::targets {

namespace {

class Slurm : public Way {
 public:
  void add_options(CLI::App& app) override {
    auto* slurm = app.add_flag("--slurm", given_, "nodes of this Slurm cluster, one srun task each");
    slurm->group(kTargetGroup);
    // Without --slurm they would say nothing, and another machine than the one that was meant would be looked at.
    const auto add = [&](const char* name, auto& value, const char* about) {
      return app.add_option(name, value, about)->group(kTargetGroup)->needs(slurm);
    };
    add("-p,--partition", options_.partition, "Slurm partition")->check(not_empty);
    add("-N,--nodes", options_.node_count, "how many nodes (default: all that are up)")
        ->check(CLI::Range(1, 1'000'000));
    add("-w,--nodelist", options_.nodelist, "these Slurm nodes: n[1-4]")->check(not_empty);
    add("-A,--account", options_.account, "Slurm account")->check(not_empty);
    add("-q,--qos", options_.qos, "Slurm quality of service")->check(not_empty);
    add("-C,--constraint", options_.constraint, "Slurm constraint")->check(not_empty);
    add("--reservation", options_.reservation, "Slurm reservation")->check(not_empty);
    add("-t,--time", options_.time, "Slurm time limit of the job")->check(not_empty);
    add("--wait", options_.wait, "seconds to wait in the queue before giving up")->check(CLI::Range(1, 86400));
  }
  bool given() const override { return given_; }
  Login login() const override { return Login::unless_refused; }
  std::string words() const override { return "--slurm"; }

  nlohmann::json to_json() const override {
    return {{"partition", options_.partition},     {"nodes", options_.node_count}, {"nodelist", options_.nodelist},
            {"account", options_.account},         {"qos", options_.qos},          {"constraint", options_.constraint},
            {"reservation", options_.reservation}, {"time", options_.time},        {"wait", options_.wait}};
  }
  void read_json(const nlohmann::json& json) override {
    options_.partition = json.at("partition").get<std::string>();
    options_.node_count = json.at("nodes").get<int>();
    options_.nodelist = json.at("nodelist").get<std::string>();
    options_.account = json.at("account").get<std::string>();
    options_.qos = json.at("qos").get<std::string>();
    options_.constraint = json.at("constraint").get<std::string>();
    options_.reservation = json.at("reservation").get<std::string>();
    options_.time = json.at("time").get<std::string>();
    options_.wait = json.at("wait").get<int>();
  }

  Result<std::unique_ptr<cluster::Launcher>> launcher(cluster::Waiting waiting) const override {
    return cluster::make_slurm(options_, std::move(waiting));
  }

 private:
  bool given_ = false;
  cluster::SlurmOptions options_;
};

std::unique_ptr<Way> make() { return std::make_unique<Slurm>(); }

}  // namespace

extern const TargetKind slurm = {"slurm", make};

}  // namespace assay::app::targets
