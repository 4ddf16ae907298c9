#include "cluster/recorder.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace assay::testing {
namespace {

using cluster::Recorder;

std::vector<StepResult> steps(int first, int count) {
  std::vector<StepResult> made;
  for (int i = first; i < first + count; ++i)
    made.push_back({{"cluster/c/node/n1", std::to_string(i)}, {}, {}, {}, {}});
  return made;
}

TEST(Recorder, WritesAllInOrder) {
  std::vector<std::string> written;
  Recorder recorder([&](const std::vector<StepResult>& batch) {
    for (const StepResult& step : batch) written.push_back(step.key.name);
    return Result<void>();
  });
  for (int i = 0; i < 10'000; i += 10) ASSERT_TRUE(recorder.take(steps(i, 10)));
  ASSERT_TRUE(recorder.finish());
  ASSERT_EQ(written.size(), 10'000u);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(written[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST(Recorder, NothingGivenIsNothingWritten) {
  Recorder recorder([](const std::vector<StepResult>&) -> Result<void> {
    ADD_FAILURE() << "called with nothing to write";
    return {};
  });
  EXPECT_TRUE(recorder.take({}));
  EXPECT_TRUE(recorder.finish());
}

TEST(Recorder, AnErrorComesBackAndNothingIsWrittenAfterIt) {
  std::atomic<int> calls = 0;
  Recorder recorder([&](const std::vector<StepResult>&) -> Result<void> {
    ++calls;
    return failure({Error::Kind::environment, "to write", "No space left on device", "evidence.db", ""});
  });
  Result<void> told;
  // More than may wait: a writer that has given up must not be waited for either.
  for (int i = 0; i < 100'000 && told; i += 100) told = recorder.take(steps(i, 100));
  const auto end = recorder.finish();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().came, "No space left on device");
  EXPECT_EQ(calls, 1);
}

TEST(Recorder, LeftAloneItWritesWhatItWasGiven) {
  std::size_t written = 0;
  {
    Recorder recorder([&](const std::vector<StepResult>& batch) {
      written += batch.size();
      return Result<void>();
    });
    ASSERT_TRUE(recorder.take(steps(0, 3)));
  }
  EXPECT_EQ(written, 3u);
}

}  // namespace
}  // namespace assay::testing
