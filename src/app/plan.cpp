#include "app/plan.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "node/host.hpp"

namespace assay::app {

namespace {

bool is_tree(const Target& target) { return !target.root.empty() && target.root != "/"; }

std::string folder_name(const std::string& folder) {
  const auto path = std::filesystem::weakly_canonical(folder);
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

// What a host may be called (RFC 1123), so that a hostile tree can't call itself anything.
bool is_host_name(std::string_view name) {
  return !name.empty() && name.size() <= 253 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

std::string tree_host(const std::string& root) {
  const auto name = node::Host(root, nullptr).line("/etc/hostname");
  return name && is_host_name(*name) ? *name : folder_name(root);
}

}  // namespace

Subject cluster_of(const Target& target, cluster::Launcher& launcher) {
  const std::string& named = target.cluster;
  return Subject().child("cluster", !named.empty()    ? named
                                    : is_tree(target) ? folder_name(target.root)
                                                      : launcher.cluster());
}

Result<Plan> make_plan(const Target& target, cluster::Launcher& launcher, const Subject& cluster) {
  const auto nodes = launcher.nodes();
  if (!nodes) return failure(nodes.error());
  Plan plan;
  for (const cluster::Node& node : *nodes)
    plan.push_back({node.name, cluster.child("node", is_tree(target) ? tree_host(target.root) : node.name),
                    node.unreachable, false});
  if (plan.empty())
    return failure({Error::Kind::usage, "at least one node", "none", to_text(target), "name nodes that are up"});
  if (looks_at_login(target)) {
    const auto self = cluster::make_local()->nodes();
    const std::string name = self->front().name;
    const bool among =
        std::any_of(plan.begin(), plan.end(), [&](const PlannedHost& host) { return host.node == name; });
    if (!among) plan.push_back({name, cluster.child("login", name), {}, true});
  }
  return plan;
}

std::string plan_to_text(const Plan& plan) {
  nlohmann::json hosts = nlohmann::json::array();
  for (const PlannedHost& host : plan)
    hosts.push_back(
        {{"node", host.node}, {"path", host.subject.path()}, {"unreachable", host.unreachable}, {"login", host.login}});
  return hosts.dump();
}

Result<Plan> plan_from_text(const std::string& text) {
  try {
    Plan plan;
    for (const auto& host : nlohmann::json::parse(text)) {
      const auto subject = Subject::parse(host.at("path").get<std::string>());
      if (!subject) return failure(subject.error());
      plan.push_back({host.at("node").get<std::string>(), *subject, host.at("unreachable").get<std::string>(),
                      host.at("login").get<bool>()});
    }
    return plan;
  } catch (const nlohmann::json::exception& error) {
    return failure({Error::Kind::usage, "the run's plan as JSON", error.what(), "evidence.db", "start a new run"});
  }
}

}  // namespace assay::app
