// What both halves of the store share: store.cpp writes, store_reading.cpp reads.
#pragma once

#include <string>
#include <unordered_map>

#include "evidence/sqlite.hpp"
#include "evidence/store.hpp"

namespace assay {

// How a value lies in its column: as itself, or as JSON where SQLite has no such type.
enum class Form { plain = 0, json = 1, boolean = 2 };

struct Store::Impl {
  std::filesystem::path folder;
  sqlite::Database database;
  std::unordered_map<std::string, std::int64_t> terms;

  std::filesystem::path artifacts() const { return folder / "artifacts"; }
  Result<void> load_terms();
  Result<std::int64_t> term(const std::string& text, sqlite::Statement& insert);
  Result<std::int64_t> begin_step(const StepResult& step);
  Result<void> insert_observations(std::int64_t step_id, const StepResult& step, const std::string& artifact);
};

}  // namespace assay
