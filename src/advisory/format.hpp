// A format of feeds. One file in formats/ is one: it defines, with NAME the file's name,
//
//   const Format assay::advisory::formats::NAME = {"name", "what it is and who publishes it", recognizes, read};
//
// and nothing else changes. Both functions are pure. The text is hostile: whatever comes is read or refused with words,
// and what can't be read is listed, never guessed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisory/advisory.hpp"
#include "base/error.hpp"

namespace assay::advisory {

// One file of a feed, or one member of an archive. The text's buffer goes on for kPadding bytes behind its end, of any
// content: simdjson reads in blocks.
struct Document {
  std::string name;  // path, inside the archive too: "all.zip!ALSA-2023:6938.json"
  std::string_view text;
};
inline constexpr std::size_t kPadding = 64;

// Something in a document that wasn't taken, so that it can be listed.
struct Refusal {
  std::string document;
  std::string subject;  // which product, package or record; empty: the whole document
  std::string came;     // the text that couldn't be read, at most 200 bytes, as it came
  std::string why;      // what was expected
};

// What one document held.
struct Batch {
  std::vector<Advisory> advisories;
  std::vector<Exploited> exploited;
  std::vector<Cycle> cycles;
  std::vector<Refusal> refused;
  std::size_t ranges = 0;     // texts or events that tell versions, refused ones included
  std::size_t elsewhere = 0;  // of these, such as speak of systems that Assay doesn't look at (Windows, Android)
};

// A document of which more can't be read is none of its format. Reading stops there and refuses it whole, as a list of
// 100 million zeros would otherwise become as many refusals.
inline constexpr std::size_t kMostRefused = 10'000;
inline bool too_much_refused(const Batch& batch) { return batch.refused.size() > kMostRefused; }
inline Result<Batch> unless_too_much_refused(Batch batch, const Document& document) {
  if (!too_much_refused(batch)) return batch;
  return tl::unexpected<Error>({Error::Kind::usage, "a document of this format", "more than 10,000 things that aren't",
                                document.name, "get the feed again from its publisher"});
}

struct Format {
  std::string_view name;   // "csaf"
  std::string_view about;  // one line for people
  // By the name and the first bytes; cheap. At most one format says yes.
  bool (*recognizes)(const Document& document);
  // An error refuses the whole document: not well-formed, or not of this format after all.
  Result<Batch> (*read)(const Document& document);
};

const std::vector<const Format*>& all_formats();

}  // namespace assay::advisory
