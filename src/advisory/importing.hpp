// From files of feeds into the database: each document to the format that recognizes it, all in one transaction.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "advisory/archive.hpp"
#include "advisory/database.hpp"

namespace assay::advisory {

struct Imported {
  struct PerFormat {
    std::uint64_t documents = 0;
    std::uint64_t advisories = 0;
    std::uint64_t ranges = 0;     // texts that tell versions, refused ones included
    std::uint64_t refused = 0;    // of these
    std::uint64_t elsewhere = 0;  // of these, such as speak of other systems
  };

  std::map<std::string, PerFormat> formats;
  std::uint64_t bytes = 0;
  std::uint64_t unknown_documents = 0;  // that no format recognizes
  std::uint64_t refused_documents = 0;  // recognized, or over a bound, and not taken
  std::vector<Refusal> refused;         // the first kKeptRefusals
  std::uint64_t refusals = 0;           // all
  double seconds = 0;

  std::uint64_t documents() const;
};
inline constexpr std::size_t kKeptRefusals = 10'000;

struct ImportOptions {
  Bounds bounds;
  std::string day;                                     // ISO date of the import
  std::function<void(std::uint64_t documents)> shown;  // now and then, for a progress line; may be empty
  const std::atomic<bool>* stop = nullptr;             // set: ends without a change
};

// Nothing is changed unless it ends well. Refused documents don't hinder the others; none at all that was read is an
// error, and so is a path that isn't there.
Result<Imported> import_feeds(Database& database, const std::vector<std::filesystem::path>& paths,
                              const ImportOptions& options);

}  // namespace assay::advisory
