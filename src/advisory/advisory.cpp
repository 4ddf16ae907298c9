#include "advisory/advisory.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace assay::advisory {

namespace {

constexpr std::array<std::pair<Severity, std::string_view>, 6> kSeverities = {{{Severity::unknown, "unknown"},
                                                                               {Severity::none, "none"},
                                                                               {Severity::low, "low"},
                                                                               {Severity::medium, "medium"},
                                                                               {Severity::high, "high"},
                                                                               {Severity::critical, "critical"}}};

}  // namespace

std::string_view name_of(Severity severity) { return kSeverities[static_cast<std::size_t>(severity)].second; }

Severity severity_from(std::string_view word) {
  const std::string lower = text::lower(word);
  for (const auto& [severity, name] : kSeverities)
    if (lower == name) return severity;
  if (lower == "moderate") return Severity::medium;  // Red Hat, AlmaLinux, GitHub
  if (lower == "important") return Severity::high;   // Red Hat, AlmaLinux
  return Severity::unknown;
}

Severity severity_of_score(double score) {
  if (!(score >= 0 && score <= 10)) return Severity::unknown;
  if (score == 0) return Severity::none;
  if (score < 4) return Severity::low;
  if (score < 7) return Severity::medium;
  return score < 9 ? Severity::high : Severity::critical;
}

}  // namespace assay::advisory
