// What NVIDIA's bulletins write in the place of a range of versions, in some 280 phrasings. A text is read whole or
// refused whole: what isn't understood is never guessed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisory/advisory.hpp"
#include "base/error.hpp"

namespace assay::advisory::formats {

// An affected text: "All versions up to and including 1.17.7 (CDI mode only for versions prior to 1.17.5)".
struct AffectedText {
  std::vector<Range> ranges;          // an end that the text includes is in `last`
  std::vector<std::string> versions;  // named one by one
  std::vector<std::string> conditions;
  std::string conditions_before;  // the conditions hold only for versions older than this; empty: for all
  std::string note;               // words in brackets that say no more of versions
};
tl::expected<AffectedText, std::string> read_affected(std::string_view text, std::string_view product);

// A mended text: "1.17.8", "46.3008 or newer", "6.16.0-5, 6.18.0-5". Empty list: it says that there will be none. The
// error is what was expected.
tl::expected<std::vector<std::string>, std::string> read_fixed(std::string_view text, std::string_view product);

}  // namespace assay::advisory::formats
