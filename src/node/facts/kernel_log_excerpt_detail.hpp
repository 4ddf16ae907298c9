// What of a log goes into the transcript. A log has megabytes, and a cluster many of them; a verdict rests on few
// lines: those that something is said of, with what stands around them, and the first and last, which tell how far it
// reaches.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "node/facts/kernel_log_events_detail.hpp"

namespace assay::node::kernel_log {

// Lines as they came, in order; "… 120 lines left out" stands for the others, and the first line tells how many there
// were.
std::string excerpt(std::string_view text, const Log& log, std::span<const Event> told);

}  // namespace assay::node::kernel_log
