// Writes steps in a thread of its own: a durable write may take seconds on a busy or distant file system, and the
// nodes' streams are read meanwhile. Steps that come during a write are written together by the next one.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "evidence/store.hpp"

namespace assay::cluster {

class Recorder {
 public:
  // Called in the recorder's thread, never twice at once.
  using Record = std::function<Result<void>(const std::vector<StepResult>&)>;

  explicit Recorder(Record record);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();  // as finish(), its word unheard

  // Waits while too much is waiting. An earlier write's error comes back here; nothing is written after one.
  Result<void> take(std::vector<StepResult> steps);
  // All is written when this returns without an error.
  Result<void> finish();

 private:
  void work();
  Result<void> word() const;

  Record record_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::condition_variable written_;
  std::vector<StepResult> waiting_;
  bool ending_ = false;
  std::optional<Error> error_;
  std::thread thread_;
};

}  // namespace assay::cluster
