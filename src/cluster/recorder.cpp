#include "cluster/recorder.hpp"

#include <chrono>
#include <iterator>
#include <utility>

namespace assay::cluster {

namespace {

// One durable write costs as much as a thousand rows, so a write waits a little for company.
constexpr std::chrono::milliseconds kGathering{50};
constexpr std::size_t kEnough = 128;
// With this many waiting the nodes are read no further until some are written.
constexpr std::size_t kMost = 4096;

}  // namespace

Recorder::Recorder(Record record) : record_(std::move(record)), thread_([this] { work(); }) {}

Recorder::~Recorder() {
  if (thread_.joinable()) static_cast<void>(finish());
}

Result<void> Recorder::word() const { return error_ ? Result<void>(failure(*error_)) : Result<void>(); }

Result<void> Recorder::take(std::vector<StepResult> steps) {
  std::unique_lock lock(mutex_);
  written_.wait(lock, [&] { return waiting_.size() < kMost || error_; });
  std::move(steps.begin(), steps.end(), std::back_inserter(waiting_));
  given_.notify_one();
  return word();
}

Result<void> Recorder::finish() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  given_.notify_one();
  thread_.join();
  return word();
}

void Recorder::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    given_.wait(lock, [&] { return !waiting_.empty() || ending_; });
    given_.wait_for(lock, kGathering, [&] { return waiting_.size() >= kEnough || ending_; });
    if (waiting_.empty()) return;
    const auto batch = std::exchange(waiting_, {});
    lock.unlock();
    auto done = record_(batch);
    lock.lock();
    if (!done) error_ = done.error();
    written_.notify_one();
    if (error_) return;
  }
}

}  // namespace assay::cluster
