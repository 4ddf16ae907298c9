// OSV's events to intervals, as its schema evaluates them: events are sorted by version, `introduced` opens, `fixed`
// and `last_affected` close, and what opens an open interval or closes a closed one tells nothing new.
#pragma once

#include <string>
#include <vector>

#include "advisory/advisory.hpp"
#include "advisory/json.hpp"
#include "version/order.hpp"

namespace assay::advisory::formats {

struct Ranges {
  std::vector<Range> read;
  struct Unread {
    std::string came;
    std::string why;
  };
  std::vector<Unread> unread;
  std::size_t told = 0;  // ranges there were
  std::size_t git = 0;   // of these, such as tell commits
};

// `list` is an array of ranges; another kind of value is one that can't be read, and none at all is no range.
Ranges ranges_of(json::Element list, version::Scheme scheme);

// What lies in both. Both end in `fixed` or not at all.
std::vector<Range> intersection(const std::vector<Range>& left, const std::vector<Range>& right,
                                version::Scheme scheme);

}  // namespace assay::advisory::formats
