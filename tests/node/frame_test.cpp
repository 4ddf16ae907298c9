#include "node/frame.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "node/protocol.hpp"

namespace assay::node {
namespace {

// As srun would carry it: pieces of `size` bytes, each split where a line ends.
std::string carried(std::string_view text, std::size_t size) {
  Unframer unframer;
  std::string result;
  for (; !text.empty(); text.remove_prefix(std::min(size, text.size()))) {
    std::string_view chunk = text.substr(0, size);
    while (!chunk.empty()) {
      const auto end = chunk.find('\n');
      unframer.feed(chunk.substr(0, end), [&](std::string_view whole) { result += whole; });
      chunk.remove_prefix(end == std::string_view::npos ? chunk.size() : end + 1);
    }
  }
  return result;
}

TEST(Frame, LinesComeWholeHoweverTheyAreCut) {
  const std::string sent = frame(R"({"a":1})") + frame(R"({"b":"long"})");
  for (std::size_t size = 1; size < 40; ++size) EXPECT_EQ(carried(sent, size), "{\"a\":1}\n{\"b\":\"long\"}\n") << size;
}

TEST(Frame, WhatIsInNoFrameIsPassedOn) {
  EXPECT_EQ(carried("{\"type\":\"need\"}\nbash: warning\n" + frame("{}") + "\n\x03tail\n", 1000),
            "{\"type\":\"need\"}\nbash: warning\n{}\n\x03tail\n");
}

TEST(Frame, AnEndlessOneIsHandedOverInParts) {
  Unframer unframer;
  std::size_t most = 0;
  unframer.feed("\x02", [](std::string_view) {});
  for (int i = 0; i < 5000; ++i)
    unframer.feed(std::string(1000, 'x'), [&](std::string_view whole) { most = std::max(most, whole.size()); });
  EXPECT_GT(most, kLongestLine);
  EXPECT_LE(most, kLongestLine + 1000);
}

RC_GTEST_PROP(Frame, JoinsBackToWhatItWas, (std::string line)) {
  std::erase_if(line, [](char c) { return c == '\n' || c == '\x02' || c == '\x03'; });
  const auto size = *rc::gen::inRange<std::size_t>(1, 40);
  RC_ASSERT(carried(frame(line), size) == line + "\n");
}

}  // namespace
}  // namespace assay::node
