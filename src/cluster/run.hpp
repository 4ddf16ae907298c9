// A run: its folder, what it set out to see, and looking at what is left of that. It is the same whether it begins,
// goes on after a kill, or has nothing left to do.
//
//   auto run = Run::begin({folder, cluster, plan, …});       // or Run::go_on(folder)
//   run->look(launcher, agents, options, tell);              // true: it came to its end
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "cluster/plan.hpp"
#include "cluster/session.hpp"
#include "evidence/store.hpp"

namespace assay::cluster {

struct Beginning {
  std::filesystem::path folder;  // empty: assay-runs/CLUSTER/TIME
  Subject cluster;
  Plan plan;
  std::string target;       // in words
  std::string target_file;  // what makes its launcher again
  std::string version;      // of assay
};

struct Looking {
  SessionOptions session;
  std::vector<std::string> readers;                                                // that every host has
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();  // when the looking began
};

class Run {
 public:
  static Result<Run> begin(const Beginning& beginning);
  static Result<Run> go_on(const std::filesystem::path& folder);

  const std::string& target_file() const { return target_file_; }
  // Does what isn't done yet: this host first where it is the login host, then the nodes, by `launcher`. False if it
  // was stopped before its end. How long it looked is noted while it does, so that a kill costs a few seconds of it at
  // most.
  Result<bool> look(Launcher& launcher, const AgentSet& agents, const Looking& looking, const Session::Tell& tell);
  Store take_store() && { return std::move(store_); }

 private:
  class Stopwatch;
  Run(Store store, Plan plan, std::string target_file)
      : store_(std::move(store)), plan_(std::move(plan)), target_file_(std::move(target_file)) {}
  Result<void> record_unreachable(const node::Vocabulary& vocabulary);
  Result<std::vector<Work>> work_left(const std::vector<std::string>& readers, bool login) const;

  Store store_;
  Plan plan_;
  std::string target_file_;
};

}  // namespace assay::cluster
