// A value, or why there is none.
#pragma once

#include <string>
#include <utility>

#include "evidence/observation.hpp"

namespace assay {

template <class T>
using Seen = tl::expected<T, Absent>;

inline tl::unexpected<Absent> unseen(Absence reason, std::string detail) {
  return tl::unexpected<Absent>(Absent{reason, std::move(detail)});
}

}  // namespace assay
