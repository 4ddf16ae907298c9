// pam_limits' files: who gets which limit at login.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::node::facts {

struct LimitEntry {
  std::string domain;  // a user, @group, *, or a range of user ids
  std::string type;    // soft, hard, or - for both
  std::string item;    // memlock
  std::string value;   // KiB for memlock, or unlimited, infinity, -1
};

// The entries of one file, in its order. pam_limits skips what isn't four words, and so does this.
std::vector<LimitEntry> parse_limits(std::string_view text);

}  // namespace assay::node::facts
