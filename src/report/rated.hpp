// The rating as the faces read it. It comes as JSON (rating's to_json), so that a report can also show a rating made by
// another version; what isn't there or isn't of the expected type reads as empty, and is then shown as not seen.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace assay::report {

struct Rated {
  // Shares of the best score, 0 to 1; people see them times a hundred.
  struct Span {
    double low = 0, high = 1;
  };
  struct Criterion {
    std::string id, title;
    double weight = 0, seen = 0;
    bool applies = true;
    Span score;
  };
  struct Closing {
    std::string title, words;
  };
  std::string rubric;
  std::string summary;              // one sentence
  std::string tier;                 // empty: not enough was seen to name one
  std::string tier_low, tier_high;  // what it could be at the ends of the score
  Span score;
  double seen = 0;                        // share of the rubric's weight
  std::vector<std::string> failed_gates;  // in words
  std::size_t open_gates = 0;             // of which nobody knows yet
  std::vector<Closing> closes;            // what would narrow the score most comes first
  std::vector<Criterion> criteria;
};

// Nothing if the run wasn't rated.
std::optional<Rated> read_rating(const nlohmann::ordered_json& rating);

// "71 to 83" of 100; "71" if both ends round to the same.
std::string to_text(const Rated::Span& span);
std::string percent(double share);  // "64 %"

}  // namespace assay::report
