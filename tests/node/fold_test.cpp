#include "node/fold.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "base/text.hpp"
#include "node/protocol.hpp"

namespace assay::node {
namespace {

std::string unfolded(std::string_view lines) {
  Unfolder unfolder;
  std::string result;
  for (const std::string_view line : text::lines(lines))
    unfolder.feed(line, [&](std::string_view whole) { result += whole; });
  return result;
}

TEST(Fold, LeavesShortLinesAndBreaksLongOnes) {
  EXPECT_EQ(fold("{\"a\":1}", 80), "{\"a\":1}\n");
  EXPECT_EQ(fold("{23456789", 4), "~{23\n~456\n=789\n");
  EXPECT_EQ(unfolded("~{23\n~456\n=78\n{}\n"), "{2345678\n{}\n");
}

TEST(Fold, WhatIsFoldedWronglyIsPassedOn) {
  EXPECT_EQ(unfolded("~{\"half\n{\"whole\":1}\nbash: warning\n"), "{\"half\n{\"whole\":1}\nbash: warning\n");
}

TEST(Fold, AnEndlessLineIsHandedOverInParts) {
  Unfolder unfolder;
  std::size_t most = 0;
  const std::string piece = "~" + std::string(999, 'x');
  for (int i = 0; i < 5000; ++i)
    unfolder.feed(piece, [&](std::string_view whole) { most = std::max(most, whole.size()); });
  EXPECT_GT(most, kLongestLine);
  EXPECT_LT(most, kLongestLine + 1000);
}

RC_GTEST_PROP(Fold, JoinsBackToWhatItWas, (std::string line)) {
  line.erase(std::remove(line.begin(), line.end(), '\n'), line.end());
  line.erase(std::remove(line.begin(), line.end(), '\r'), line.end());
  const auto width = *rc::gen::inRange<std::size_t>(2, 40);
  const std::string folded = fold("{" + line, width);
  for (const std::string_view piece : text::lines(folded)) RC_ASSERT(piece.size() <= width);
  RC_ASSERT(unfolded(folded) == "{" + line + "\n");
}

}  // namespace
}  // namespace assay::node
