// What was imported: one SQLite file, found by product. An import is one transaction: killed half-way, the old data is
// what there is. Records are kept by source and id; one that is already there is replaced if the new one isn't older.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisory/advisory.hpp"
#include "advisory/format.hpp"
#include "base/error.hpp"

namespace assay::advisory {

// One product of one advisory, as it is looked up.
struct Record {
  std::shared_ptr<const Advisory> advisory;  // without `affected`
  Affected affected;
};

// How much of a source there is, and how old.
struct SourceState {
  std::string source;
  std::uint64_t records = 0;
  std::string newest;    // ISO date of the newest record: how far what it knows reaches
  std::string imported;  // ISO date of the last import
};

class Database {
 public:
  static Result<Database> create_or_open(const std::filesystem::path& file);
  // Nothing (no error) if there is no such file: nothing was imported yet.
  static Result<std::optional<Database>> open_for_reading(const std::filesystem::path& file);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // begin, add…, commit: another process sees all of it or nothing. `day` is the ISO date of the import.
  Result<void> begin();
  Result<void> add(const Batch& batch);
  Result<void> commit(const std::string& day);

  Result<std::vector<Record>> find(std::string_view ecosystem, std::string_view package) const;
  // The ISO date of this ecosystem's newest record. Nothing: there is none, so nothing can be said of its packages.
  Result<std::optional<std::string>> newest(std::string_view ecosystem) const;
  Result<std::optional<Exploited>> exploited(std::string_view cve) const;
  Result<std::vector<Cycle>> cycles(std::string_view product) const;
  Result<std::vector<SourceState>> sources() const;

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay::advisory
