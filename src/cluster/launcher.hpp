// How nodes are reached. A launcher knows which nodes there are, and starts one command on some of them with their
// streams in our hands; what is said over the streams is the session's business (session.hpp). Verbs: nodes, parties,
// launch, explain.
//
// A party is what one process reaches: one node by ssh, all nodes by srun, where all members read the same stdin.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/process.hpp"

namespace assay::cluster {

struct Node {
  std::string name;
  std::string unreachable;  // why it isn't worth trying ("drained: bad DIMM"); empty: it is
  std::string called = {};  // in evidence; empty: its name
};

struct Member {
  std::string node;
  int out = -1;  // what it prints; ours to read and close
};

struct Party {
  process::Child child;  // its `in` feeds every member; `err` carries the launcher's own words
  std::vector<Member> members;
};

class Launcher {
 public:
  Launcher() = default;
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  virtual ~Launcher() = default;

  virtual std::string name() const = 0;  // local, ssh, slurm
  // These may ask a scheduler, and keep what it answered: a run has one launcher from its plan to its end.
  virtual std::string cluster() = 0;  // what to call the cluster if nobody says
  virtual Result<std::vector<Node>> nodes() = 0;
  virtual std::vector<std::vector<std::string>> parties(const std::vector<std::string>& nodes) = 0;
  virtual std::size_t at_once() const = 0;               // parties running at the same time
  virtual std::chrono::seconds start_limit() const = 0;  // until a host says its first word (a queue may be long)
  // `argv` is started on every node of the party.
  virtual Result<Party> launch(const std::vector<std::string>& nodes, const std::vector<std::string>& argv) = 0;
  // What the end of the party's process means, in words for a person: "ssh: Permission denied (publickey)".
  virtual std::string explain(int status, std::string_view err) const = 0;
  // Why one member's stream ended while the others go on.
  virtual std::string explain_member(std::string_view /*node*/, std::string_view /*err*/) const {
    return "its stream ended early";
  }
  // From being asked to end (SIGTERM) until it is killed: a scheduler's client has a job to cancel.
  virtual std::chrono::milliseconds grace() const { return std::chrono::milliseconds(500); }
};

// For a launcher that has to wait for others: it tells in words what for, and gives up once stop_fd is readable.
struct Waiting {
  std::function<void(const std::string&)> tell;  // may be empty
  int stop_fd = -1;
};

}  // namespace assay::cluster
