// A run's evidence on disk: RUN/evidence.db (SQLite, WAL) and RUN/artifacts/ab/abcd….zst (named by the SHA-256 of what
// they hold). Everything is written in steps: what one reader saw on one node, with the word how it ended, is one
// transaction, durable when record() returns; a process killed at any moment leaves whole steps or none. Artifacts are
// on disk before the rows that name them. Nothing is ever deleted: a step done again supersedes its earlier rows.
//
// The writer holds the database exclusively (no shared memory, so it works on network file systems too): a second
// writer is refused with words.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evidence/observation.hpp"
#include "evidence/verdict.hpp"

namespace assay {

inline constexpr int kSchemaVersion = 1;

// One piece of work of a run: a reader on a host, or another named step.
struct StepKey {
  std::string host;  // path of the subject it looks at: cluster/acme/node/n1
  std::string name;  // the reader's id
  auto operator<=>(const StepKey&) const = default;
};

enum class StepState {
  done,    // ended by itself: not done again on resume
  failed,  // never answered, timed out or crashed: what it said is kept, and resume tries again
};

struct StepResult {
  StepKey key;
  StepState state = StepState::done;
  std::string detail;
  std::vector<Observation> observations;  // full subjects; artifact is filled in from `raw`
  std::string raw;                        // transcript; empty: no artifact
};

// Facts about the run as a whole: tool version, target, start, end, the plan. Keys are free, values are text.
using RunFacts = std::map<std::string, std::string>;

class Store {
 public:
  // `run` must not exist yet, or be an empty folder.
  static Result<Store> create(const std::filesystem::path& run, const RunFacts& facts);
  static Result<Store> open_for_writing(const std::filesystem::path& run);
  static Result<Store> open_for_reading(const std::filesystem::path& run);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::filesystem::path& folder() const;

  Result<void> record(const std::vector<StepResult>& steps);
  Result<void> set_facts(const RunFacts& facts);
  Result<RunFacts> facts() const;

  // Steps that needn't be done again.
  Result<std::set<StepKey>> finished() const;
  struct StepEnd {
    StepKey key;
    StepState state;
    std::string detail;
  };
  Result<std::vector<StepEnd>> steps() const;

  // Current observations (superseded ones left out), in the order of their ids.
  Result<std::vector<Observation>> observations() const;
  Result<std::string> artifact(const std::string& sha256) const;
  // Its file is there; whether it holds what it should is known only by reading it.
  bool holds_artifact(const std::string& sha256) const;

  // Replaces the verdicts of an earlier judging.
  Result<void> set_verdicts(const std::vector<Verdict>& verdicts);
  Result<std::vector<Verdict>> verdicts() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
