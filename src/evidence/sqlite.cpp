#include "evidence/sqlite.hpp"

#include <sqlite3.h>

namespace assay::sqlite {

namespace {

Error error_of(sqlite3* handle, const Words& say) {
  const char* file = sqlite3_db_filename(handle, "main");
  const std::string where = file == nullptr ? "" : file;
  const std::string words = sqlite3_errmsg(handle);
  switch (sqlite3_errcode(handle)) {
    case SQLITE_FULL: return {Error::Kind::environment, "room to write", "a full disk", where, say.full};
    case SQLITE_IOERR: return {Error::Kind::environment, "a disk that takes writes", words, where, say.failing};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return {Error::Kind::environment, "a folder we may write to", words, where, say.refused};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Error::Kind::environment, "to be the only writer", "another one at work", where, say.busy};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {Error::Kind::usage, say.file, "a damaged file, or none of ours (" + words + ")", where, say.damaged};
    default: return {Error::Kind::environment, "the database to answer", words, where, ""};
  }
}

}  // namespace

const Words kEvidenceWords = {"an evidence database",
                              "free some space, then go on with --resume; everything recorded so far is safe",
                              "check the disk's space, quota and health, then go on with --resume",
                              "choose another with --out DIR",
                              "wait for the other assay to end",
                              "give a run folder that assay made"};

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3_stmt* statement, const Words& words) : statement_(statement), words_(&words) {}

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}
Statement& Statement::bind(int index, double value) {
  sqlite3_bind_double(statement_.get(), index, value);
  return *this;
}
Statement& Statement::bind(int index, std::string_view value) {
  sqlite3_bind_text64(statement_.get(), index, value.empty() ? "" : value.data(), value.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
  return *this;
}
Statement& Statement::bind_null(int index) {
  sqlite3_bind_null(statement_.get(), index);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  auto error = error_of(sqlite3_db_handle(statement_.get()), *words_);
  sqlite3_reset(statement_.get());
  return failure(std::move(error));
}

Result<void> Statement::run() {
  for (;;) {
    const auto row = step();
    if (!row) return failure(row.error());
    if (!*row) break;
  }
  reset();
  return {};
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string_view Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes == nullptr
             ? std::string_view()
             : std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}
bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

Value Statement::plain(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER: return integer(column);
    case SQLITE_FLOAT: return real(column);
    default: return std::string(text(column));
  }
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<Database> Database::open(const std::filesystem::path& file, Mode mode, const Words& words) {
  sqlite3* handle = nullptr;
  const int flags = mode == Mode::create  ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                    : mode == Mode::write ? SQLITE_OPEN_READWRITE
                                          : SQLITE_OPEN_READONLY;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  Database database(handle, words);
  if (code != SQLITE_OK)
    return failure({Error::Kind::environment, words.file, sqlite3_errstr(code), file.string(),
                    "check the path and its permissions"});
  sqlite3_extended_result_codes(handle, 0);
  return database;
}

Result<void> Database::execute(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return failure(error_of(handle_.get(), *words_));
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK)
    return failure(error_of(handle_.get(), *words_));
  return Statement(statement, *words_);
}

Result<Transaction> Transaction::begin(Database& database) {
  if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun) return failure(begun.error());
  return Transaction(database);
}

Result<void> Transaction::commit() {
  auto committed = database_->execute("COMMIT");
  if (committed) database_ = nullptr;
  return committed;
}

Transaction::Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  if (database_ != nullptr) static_cast<void>(database_->execute("ROLLBACK"));
}

}  // namespace assay::sqlite
