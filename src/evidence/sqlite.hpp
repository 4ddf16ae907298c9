// SQLite with results instead of codes. SQLite's own API rather than a database layer: the run folder is always SQLite,
// and telling a full disk from a locked or damaged file needs its extended codes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "evidence/observation.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace assay::sqlite {

// What an error calls the file, and what to do about it.
struct Words {
  const char* file;     // "an evidence database"
  const char* full;     // of a full disk
  const char* failing;  // of a disk that fails
  const char* refused;  // of a place that can't be written
  const char* busy;     // of another writer
  const char* damaged;
};
extern const Words kEvidenceWords;

class Statement {
 public:
  Statement(sqlite3_stmt* statement, const Words& words);
  // 1-based, in order of the "?"s.
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);
  Statement& bind(int index, std::string_view value);
  Statement& bind_null(int index);

  Result<bool> step();  // true: a row is there
  Result<void> run();   // step() to the end, then ready for other values
  void reset();

  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;  // until the next step
  bool is_null(int column) const;
  // Whatever the column holds: an integer, a real, or text.
  Value plain(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const Words* words_;
};

class Database {
 public:
  enum class Mode { create, write, read };
  static Result<Database> open(const std::filesystem::path& file, Mode mode, const Words& words = kEvidenceWords);

  Result<void> execute(const char* sql);
  Result<Statement> prepare(std::string_view sql) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  Database(sqlite3* handle, const Words& words) : handle_(handle), words_(&words) {}
  std::unique_ptr<sqlite3, Close> handle_;
  const Words* words_;
};

// BEGIN IMMEDIATE … COMMIT; rolls back when it ends without commit().
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Result<void> commit();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace assay::sqlite
