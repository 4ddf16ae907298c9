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

class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement);
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
};

class Database {
 public:
  enum class Mode { create, write, read };
  static Result<Database> open(const std::filesystem::path& file, Mode mode);

  Result<void> execute(const char* sql);
  Result<Statement> prepare(std::string_view sql) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  explicit Database(sqlite3* handle) : handle_(handle) {}
  std::unique_ptr<sqlite3, Close> handle_;
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
