// What to look at: one of the kinds under targets/, and the options that all of them share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/target_kind.hpp"

namespace assay::app {

class Target {
 public:
  Target();  // one of every kind, none chosen

  void add_options(CLI::App& app);
  // Chooses the one kind that the call named, or else this machine, and says what was typed in full.
  Result<void> settle();

  std::string words() const { return way().words(); }
  std::string root() const { return way().root(); }
  Result<std::unique_ptr<cluster::Launcher>> launcher(cluster::Waiting waiting) const;
  // What to call the cluster; "" if the call doesn't say.
  const std::string& cluster() const { return cluster_; }
  // Is this host the cluster's login host, to be looked at beside its nodes?
  bool looks_at_login() const;

  std::string to_json_text() const;
  static Result<Target> from_json_text(const std::string& text);

 private:
  const Way& way() const { return *ways_[chosen_]; }

  std::vector<std::unique_ptr<Way>> ways_;  // as target_kinds()
  std::size_t chosen_ = 0;
  std::string cluster_;
  std::optional<bool> login_;  // unsaid: as the kind has it
};

// The names of the options of a target that this call was given: "--ssh, --cluster"; "" for none.
std::string target_options_given(const CLI::App& app);

}  // namespace assay::app
