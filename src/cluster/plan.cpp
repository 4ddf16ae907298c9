#include "cluster/plan.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cluster/local.hpp"

namespace assay::cluster {

Result<Plan> make_plan(Launcher& launcher, const Subject& cluster, bool with_login) {
  const auto nodes = launcher.nodes();
  if (!nodes) return failure(nodes.error());
  Plan plan;
  for (const Node& node : *nodes)
    plan.push_back(
        {node.name, cluster.child("node", node.called.empty() ? node.name : node.called), node.unreachable, false});
  if (plan.empty())
    return failure({Error::Kind::usage, "at least one node", "none", "--" + launcher.name(), "name nodes that are up"});
  if (!with_login) return plan;
  const auto self = make_local()->nodes();
  const std::string name = self->front().name;
  const bool among = std::any_of(plan.begin(), plan.end(), [&](const PlannedHost& host) { return host.node == name; });
  if (!among) plan.push_back({name, cluster.child("login", name), {}, true});
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

}  // namespace assay::cluster
