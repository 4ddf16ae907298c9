// srun --label is how lines of many nodes share one stream and stay told apart, and it puts a line's end after every
// piece of at most 1,024 bytes that it carries, whether or not one was there. So an agent started with ASSAY_FRAMES=1
// marks where its lines begin (STX, 0x02) and end (ETX, 0x03), which JSON never holds, and the launcher joins what lies
// between. Whole lines kept short by the agent would do too, but make srun carry them one by one. (Measured once each,
// with cat of 44 MB from 64 tasks: 2.6 s labeled, 1.1 s unbuffered without labels.)
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace assay::node {

// `line` has no "\n"; the result ends with one.
std::string frame(std::string_view line);

// Pieces in, whole lines out. What is in no frame (the bootstrap's word, a shell's warning) passes as it came. Bounded:
// a frame that never ends is handed over in parts.
class Unframer {
 public:
  using Whole = std::function<void(std::string_view)>;  // a line with its "\n", or a part of an endless one without
  void feed(std::string_view piece, const Whole& whole);

 private:
  bool inside_ = false;
  std::string pending_;
};

}  // namespace assay::node
