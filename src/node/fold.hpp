// srun --label is how lines of many nodes share one stream and stay told apart, and it cuts a line after 1,024 bytes
// as if it had ended there. So an agent started with ASSAY_FOLD=WIDTH breaks its lines itself, and the launcher joins
// them again:
//
//   {"type":…}            a line that fits is sent as it is (JSON lines begin with "{")
//   ~{"type":"raw",…      a piece, more follows
//   =…}                   the last piece
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace assay::node {

// `line` has no "\n"; the result ends with one.
std::string fold(std::string_view line, std::size_t width);

// Pieces in, whole lines out. What isn't folded, or folded wrongly, passes as it came: it is for the reader of lines
// to make sense of it. Bounded: a line that never ends is handed over in parts.
class Unfolder {
 public:
  using Whole = std::function<void(std::string_view)>;  // a line with its "\n", or a part of an endless one without
  void feed(std::string_view piece, const Whole& whole);

 private:
  std::string pending_;
};

}  // namespace assay::node
