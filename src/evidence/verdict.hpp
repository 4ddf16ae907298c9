// What a check says of one subject. A verdict stands on observations, and says what was measured, what was expected and
// by whose word, in one sentence why, and what to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/subject.hpp"

namespace assay {

enum class Status { pass, warn, fail, unknown, not_applicable };

std::string_view name_of(Status status);
Result<Status> status_from(std::string_view name);

struct Verdict {
  std::string check;
  Subject subject;
  Status status = Status::unknown;
  std::string measured;                // as text with its unit; empty if nothing was
  std::string expected;                // with its provenance
  std::string why;                     // one sentence
  std::string fix;                     // empty unless warn or fail
  std::vector<std::int64_t> evidence;  // observation ids
  // Unknown for want of rights: something it rests on is there, but was kept from the user that looked, who wasn't
  // root. Follows from the evidence, so it isn't recorded.
  bool hidden = false;
};

}  // namespace assay
