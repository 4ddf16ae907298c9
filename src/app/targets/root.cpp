// A folder that stands for a machine: an unpacked sosreport, a mounted image. It is looked at from here, and called by
// its own host name.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/not_empty.hpp"
#include "app/target_kind.hpp"
#include "cluster/local.hpp"
#include "node/host.hpp"

namespace assay::app::targets {

namespace {

namespace fs = std::filesystem;

std::string folder_name(const std::string& folder) {
  const auto path = fs::weakly_canonical(folder);
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

// What a host may be called (RFC 1123), so that a hostile tree can't call itself anything.
bool is_host_name(std::string_view name) {
  return !name.empty() && name.size() <= 253 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

// This machine's launcher, for what a tree is called.
class Tree : public cluster::Launcher {
 public:
  explicit Tree(std::string root) : root_(std::move(root)) {}

  std::string name() const override { return "root"; }
  std::string cluster() override { return folder_name(root_); }
  Result<std::vector<cluster::Node>> nodes() override {
    auto nodes = local_->nodes();
    if (!nodes) return nodes;
    const auto name = node::Host(root_, nullptr).line("/etc/hostname");
    for (cluster::Node& node : *nodes) node.called = name && is_host_name(*name) ? *name : folder_name(root_);
    return nodes;
  }
  std::vector<std::vector<std::string>> parties(const std::vector<std::string>& nodes) override {
    return local_->parties(nodes);
  }
  std::size_t at_once() const override { return local_->at_once(); }
  std::chrono::seconds start_limit() const override { return local_->start_limit(); }
  Result<cluster::Party> launch(const std::vector<std::string>& nodes, const std::vector<std::string>& argv) override {
    return local_->launch(nodes, argv);
  }
  std::string explain(int status, std::string_view err) const override { return local_->explain(status, err); }

 private:
  std::string root_;
  std::unique_ptr<cluster::Launcher> local_ = cluster::make_local();
};

class Root : public Way {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("--root", root_, "a folder that stands for a machine: an unpacked sosreport, a mounted image")
        ->group(kTargetGroup)
        ->check(not_empty);
  }
  bool given() const override { return !root_.empty(); }
  // Resuming from another folder must look at the same tree.
  Result<void> settle() override {
    root_ = fs::absolute(root_).lexically_normal().string();
    return {};
  }
  std::string words() const override { return "--root " + root_; }
  std::string root() const override { return root_; }
  nlohmann::json to_json() const override { return {{"folder", root_}}; }
  void read_json(const nlohmann::json& json) override { root_ = json.at("folder").get<std::string>(); }

  Result<std::unique_ptr<cluster::Launcher>> launcher(cluster::Waiting /*waiting*/) const override {
    std::error_code error;
    if (!fs::is_directory(root_, error))
      return failure(
          {Error::Kind::usage, "a folder", error ? error.message() : "something else", "--root " + root_, ""});
    if (root_ == "/") return cluster::make_local();
    return std::make_unique<Tree>(root_);
  }

 private:
  std::string root_;
};

std::unique_ptr<Way> make() { return std::make_unique<Root>(); }

}  // namespace

extern const TargetKind root = {"root", make};

}  // namespace assay::app::targets
