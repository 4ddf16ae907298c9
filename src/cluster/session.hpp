// Runs agents on hosts through a launcher and hands over what they saw as recorded steps. One poll loop: a
// host that dies, hangs, never starts or babbles is ended at its own limit and costs its own steps.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cluster/bootstrap.hpp"
#include "cluster/launcher.hpp"
#include "evidence/store.hpp"
#include "node/vocabulary.hpp"

namespace assay::cluster {

struct SessionOptions {
  std::chrono::seconds host_limit{120};  // from a host's first word to its last
  std::string root = "/";                // what the agents look at
  int stop_fd = -1;                      // readable: stop now, cleanly
  node::Vocabulary vocabulary;           // what agents may say
};

// What is to be done on one host.
struct Work {
  std::string node;               // as the launcher names it
  Subject host;                   // as evidence names it
  std::set<std::string> readers;  // steps still to do
};

struct Progress {
  std::size_t steps_done = 0, steps = 0;
  std::size_t hosts_done = 0, hosts = 0;
};

class Session {
 public:
  // Called with whole steps, in batches, in a thread of its own (see Recorder); when it fails the session stops and
  // passes the error on.
  using Record = std::function<Result<void>(const std::vector<StepResult>&)>;
  using Tell = std::function<void(const Progress&)>;

  Session(Launcher& launcher, const AgentSet& agents, SessionOptions options);

  // True if all was done or given up; false if it was stopped before.
  Result<bool> run(const std::vector<Work>& work, const Record& record, const Tell& tell);

 private:
  Launcher& launcher_;
  const AgentSet& agents_;
  SessionOptions options_;
};

}  // namespace assay::cluster
