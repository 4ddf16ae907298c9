// One thing seen, or one thing that couldn't be seen and why. Not seeing something is an observation too: what a check
// says about a blind spot rests on it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evidence/subject.hpp"

namespace assay {

using TextList = std::vector<std::string>;
using Record = std::map<std::string, std::string>;
using Value = std::variant<bool, std::int64_t, double, std::string, TextList, Record>;

// Why something wasn't seen.
enum class Absence {
  permission,   // it is there, but not for us
  unsupported,  // this system, driver or target can't tell
  missing,      // the file, program or device isn't there
  timeout,      // it didn't answer in time
  malformed,    // it answered something that can't be read
};

std::string_view name_of(Absence reason);
Result<Absence> absence_from(std::string_view name);

struct Absent {
  Absence reason = Absence::missing;
  std::string detail;  // what was tried and what came: "open /dev/kmsg: Operation not permitted"
  bool operator==(const Absent&) const = default;
};

struct Observation {
  std::int64_t id = 0;  // given by the store; 0 before
  Subject subject;
  std::string name;  // dotted: gpu.memory-total
  std::variant<Value, Absent> seen;
  std::string unit;       // UCUM ("By", "Gbit/s", "Cel", "1" for a count), empty for text
  std::int64_t time = 0;  // ns since 1970 UTC, by the clock of the node that saw it
  std::string source;     // the reader and the file or command: "infiniband: /sys/class/…/rate"
  std::string artifact;   // SHA-256 (hex) of the raw output it was read from; empty if none

  const Value* value() const { return std::get_if<Value>(&seen); }
  const Absent* absent() const { return std::get_if<Absent>(&seen); }
};

// A value as people read it: lists joined by ", ", records as k=v, doubles to 6 digits, then the unit.
std::string to_text(const Value& value, std::string_view unit = {});
std::string to_text(const Observation& observation);

}  // namespace assay
