#include "app/target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/not_empty.hpp"

namespace assay::app {

namespace {

std::size_t place_of_kind(std::string_view name) {
  const auto& kinds = target_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto* kind) { return kind->name == name; });
  return static_cast<std::size_t>(found - kinds.begin());
}

}  // namespace

Target::Target() : chosen_(place_of_kind("local")) {
  for (const TargetKind* kind : target_kinds()) ways_.push_back(kind->make());
}

void Target::add_options(CLI::App& app) {
  for (const auto& one : ways_) one->add_options(app);
  app.add_option("--cluster", cluster_, "what to call the cluster in the report")
      ->group(kTargetGroup)
      ->check(not_empty);
  // Not by reference: CLI11 takes an optional for a count and sets it to 0, which would be --no-login.
  app.add_flag_function(
         "--login,!--no-login", [this](std::int64_t count) { login_ = count > 0; },
         "look at this host too, as the cluster's login host: with --slurm that is so unless you say --no-login, "
         "with --ssh only if you say --login")
      ->group(kTargetGroup);
}

Result<void> Target::settle() {
  std::vector<std::string> given;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    if (!ways_[i]->given()) continue;
    given.push_back(fmt::format("--{}", target_kinds()[i]->name));
    chosen_ = i;
  }
  if (given.size() > 1)
    return failure(
        {Error::Kind::usage, "one target", "several", fmt::format("{}", fmt::join(given, ", ")), "give one of them"});
  if (login_ && way().login() == Way::Login::none)
    return failure({Error::Kind::usage, "a cluster that this host is the login host of", "none",
                    *login_ ? "--login" : "--no-login", "give it beside --ssh or --slurm, or leave it out"});
  return ways_[chosen_]->settle();
}

Result<std::unique_ptr<cluster::Launcher>> Target::launcher(cluster::Waiting waiting) const {
  return way().launcher(std::move(waiting));
}

bool Target::looks_at_login() const {
  return way().login() != Way::Login::none && login_.value_or(way().login() == Way::Login::unless_refused);
}

std::string Target::to_json_text() const {
  return nlohmann::json{{"kind", target_kinds()[chosen_]->name}, {"cluster", cluster_}, {"options", way().to_json()}}
      .dump();
}

Result<Target> Target::from_json_text(const std::string& text) {
  const auto refuse = [](std::string came) {
    return failure({Error::Kind::usage, "the run's target as JSON", std::move(came), "evidence.db", "start a new run"});
  };
  try {
    const auto json = nlohmann::json::parse(text);
    Target target;
    const auto kind = json.at("kind").get<std::string>();
    target.chosen_ = place_of_kind(kind);
    if (target.chosen_ == target.ways_.size()) return refuse("the kind \"" + kind + "\"");
    target.cluster_ = json.at("cluster").get<std::string>();
    target.ways_[target.chosen_]->read_json(json.at("options"));
    return target;
  } catch (const nlohmann::json::exception& error) {
    return refuse(error.what());
  }
}

std::string target_options_given(const CLI::App& app) {
  std::vector<std::string> given;
  for (const CLI::Option* option : app.get_options())
    if (option->get_group() == kTargetGroup && option->count() > 0) given.push_back(option->get_name());
  return fmt::format("{}", fmt::join(given, ", "));
}

}  // namespace assay::app
