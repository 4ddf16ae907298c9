// How long a log reaches back: what "no error in it" is worth.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::node::kernel_log {

// What time it is where the log is written, as far as that is known. In a saved log it isn't: its newest message stands
// for it.
struct Now {
  std::optional<double> since_boot;   // s
  std::optional<std::int64_t> clock;  // s since 1970
};

// Seconds from the oldest message to now. Nothing if the times can't be understood or don't follow each other.
std::optional<double> reach(std::string_view first, std::string_view last, const Now& now);

// Is a message of this time older than the running kernel? False where that isn't known: only a calendar's time can be.
bool before_boot(std::string_view when, const Now& now);

}  // namespace assay::node::kernel_log
