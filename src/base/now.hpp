// The time of day, as evidence tells it.
#pragma once

#include <chrono>
#include <cstdint>

namespace assay {

// ns since 1970 UTC.
inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace assay
