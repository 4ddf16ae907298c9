#include "node/frame.hpp"

#include "node/protocol.hpp"

namespace assay::node {

namespace {

constexpr char kStart = '\x02';
constexpr char kEnd = '\x03';

}  // namespace

std::string frame(std::string_view line) {
  std::string framed;
  framed.reserve(line.size() + 3);
  framed += kStart;
  return framed.append(line).append({kEnd, '\n'});
}

void Unframer::feed(std::string_view piece, const Whole& whole) {
  while (!piece.empty()) {
    const auto mark = piece.find(inside_ ? kEnd : kStart);
    const auto part = piece.substr(0, mark);
    if (inside_) {
      pending_ += part;
    } else if (!part.empty()) {
      whole(std::string(part) + "\n");
    }
    if (mark == std::string_view::npos) break;
    if (inside_) {
      whole(pending_ += '\n');
      pending_.clear();
    }
    inside_ = !inside_;
    piece.remove_prefix(mark + 1);
  }
  if (pending_.size() <= kLongestLine) return;
  whole(pending_);
  pending_.clear();
}

}  // namespace assay::node
