// What the readers of a log's lines share: how a line is told once its form is known, and the shapes of times.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::node::kernel_log {

// A line in a known form.
struct Read {
  std::string when;  // empty if `relative`
  std::string message;
  bool kernel = true;     // false: somebody else's message
  bool relative = false;  // its time is told as so long after the line before
};

bool digit(char c);
// Does `text` begin with this shape? '9' stands for a digit, everything else for itself.
bool shaped(std::string_view text, std::string_view shape);
bool begins_with_weekday(std::string_view text);
bool begins_with_month(std::string_view text);

// Behind ".123456" at `at`, or `at` itself if there is no fraction.
std::size_t behind_fraction(std::string_view text, std::size_t at);
// Where an ISO time at the start of the line ends; 0 if there is none.
std::size_t iso_end(std::string_view line);

// A line of journalctl -o json.
std::optional<Read> read_journal(std::string_view line);

}  // namespace assay::node::kernel_log
