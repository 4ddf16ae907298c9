#include "node/fold.hpp"

#include "node/protocol.hpp"

namespace assay::node {

std::string fold(std::string_view line, std::size_t width) {
  if (width < 2 || line.size() <= width) return std::string(line) + "\n";
  std::string folded;
  folded.reserve(line.size() + line.size() / width * 2 + 2);
  while (line.size() > width - 1) {
    folded.append("~").append(line.substr(0, width - 1)).append("\n");
    line.remove_prefix(width - 1);
  }
  return folded.append("=").append(line).append("\n");
}

void Unfolder::feed(std::string_view piece, const Whole& whole) {
  const char mark = piece.empty() ? '\0' : piece.front();
  if (mark == '~') {
    pending_.append(piece.substr(1));
    if (pending_.size() <= kLongestLine) return;
    whole(pending_);
    pending_.clear();
  } else if (mark == '=') {
    whole(pending_.append(piece.substr(1)).append("\n"));
    pending_.clear();
  } else {
    if (!pending_.empty()) whole(pending_.append("\n"));
    pending_.clear();
    whole(std::string(piece) + "\n");
  }
}

}  // namespace assay::node
