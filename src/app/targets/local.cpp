#include "cluster/local.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/target_kind.hpp"

namespace assay::app::targets {

namespace {

class Local : public Way {
 public:
  void add_options(CLI::App& app) override {
    app.add_flag("--local", given_, "this machine (the default)")->group(kTargetGroup);
  }
  bool given() const override { return given_; }
  std::string words() const override { return "--local"; }
  nlohmann::json to_json() const override { return nlohmann::json::object(); }
  void read_json(const nlohmann::json& /*json*/) override {}
  Result<std::unique_ptr<cluster::Launcher>> launcher(cluster::Waiting /*waiting*/) const override {
    return cluster::make_local();
  }

 private:
  bool given_ = false;
};

std::unique_ptr<Way> make() { return std::make_unique<Local>(); }

}  // namespace

extern const TargetKind local = {"local", make};

}  // namespace assay::app::targets
