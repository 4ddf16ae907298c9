#include "evidence/store.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "evidence/artifacts.hpp"
#include "evidence/codec.hpp"
#include "evidence/store_impl.hpp"

namespace assay {

namespace {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

constexpr const char* kSchema = R"(
CREATE TABLE fact (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE step (id INTEGER PRIMARY KEY, host TEXT NOT NULL, name TEXT NOT NULL, state INTEGER NOT NULL,
                   detail TEXT NOT NULL, superseded INTEGER NOT NULL DEFAULT 0);
CREATE INDEX step_key ON step (host, name) WHERE superseded = 0;
-- value has no affinity: "12" stays a text; subject, name, unit, source and artifact are terms: each such text is kept once
CREATE TABLE observation (id INTEGER PRIMARY KEY, step INTEGER NOT NULL, subject INTEGER NOT NULL, name INTEGER NOT NULL,
                          absent TEXT, value BLOB, json INTEGER NOT NULL, unit INTEGER NOT NULL, time INTEGER NOT NULL,
                          source INTEGER NOT NULL, artifact INTEGER NOT NULL);
CREATE TABLE verdict (id INTEGER PRIMARY KEY, chk TEXT NOT NULL, subject TEXT NOT NULL, status TEXT NOT NULL,
                      measured TEXT NOT NULL, expected TEXT NOT NULL, why TEXT NOT NULL, fix TEXT NOT NULL,
                      evidence TEXT NOT NULL);
)";

Form bind_value(Statement& row, int column, const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return row.bind(column, *whole), Form::plain;
  if (const auto* number = std::get_if<double>(&value)) return row.bind(column, *number), Form::plain;
  if (const auto* words = std::get_if<std::string>(&value))
    return row.bind(column, std::string_view(*words)), Form::plain;
  if (const auto* yes = std::get_if<bool>(&value)) return row.bind(column, std::int64_t{*yes}), Form::boolean;
  row.bind(column, std::string_view(codec::dump(codec::to_json(value))));
  return Form::json;
}

}  // namespace

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const fs::path& Store::folder() const { return impl_->folder; }

namespace {

Result<void> run_all(Database& database, std::initializer_list<const char*> statements) {
  for (const char* sql : statements)
    if (auto done = database.execute(sql); !done) return done;
  return {};
}

Result<void> check_version(Database& database, const fs::path& file) {
  auto query = database.prepare("PRAGMA user_version");
  if (!query) return failure(query.error());
  const auto row = query->step();
  if (!row) return failure(row.error());
  const auto version = query->integer(0);
  if (version == kSchemaVersion) return {};
  return failure({Error::Kind::usage, fmt::format("evidence of schema version {}", kSchemaVersion),
                  fmt::format("version {}", version), file.string(),
                  version > kSchemaVersion
                      ? "use the assay that made it, or a newer one"
                      : "it is no run of assay, or one that was never begun: begin it with --out and this folder"});
}

// A view or a virtual table under one of our names can run for ever, or do things of its own when it is read.
Result<void> check_tables(Database& database, const fs::path& file) {
  auto query = database.prepare(
      "SELECT type || ' ' || name FROM sqlite_master WHERE (type NOT IN ('table', 'index') OR sql LIKE 'CREATE "
      "VIRTUAL%') "
      "LIMIT 1");
  if (!query) return failure(query.error());
  const auto row = query->step();
  if (!row) return failure(row.error());
  if (!*row) return {};
  return failure({Error::Kind::usage, "an evidence database of tables and indexes", std::string(query->text(0)),
                  file.string(), "give a run folder that assay made"});
}

// Killed before the first transaction: a folder that holds nothing of a run.
bool is_never_begun(const fs::path& run) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run, error)) {
    const std::string name = entry.path().filename().string();
    if (name == "artifacts" ? !fs::is_empty(entry.path(), error) : !name.starts_with("evidence.db")) return false;
  }
  const fs::path file = run / "evidence.db";
  if (error || !fs::is_regular_file(file, error)) return !error;
  auto database = Database::open(file, Database::Mode::read);
  auto query = database ? database->prepare("SELECT count(*) FROM sqlite_master") : failure(database.error());
  if (!query) return false;
  const auto row = query->step();
  return row && *row && query->integer(0) == 0;
}

Error cannot_make(const fs::path& folder, const std::string& words) {
  return {Error::Kind::environment, "to make the run folder", words, folder.string(),
          "choose another place with --out DIR"};
}

}  // namespace

namespace {

Result<void> write_facts(Database& database, const RunFacts& facts) {
  auto insert = database.prepare("INSERT OR REPLACE INTO fact (key, value) VALUES (?, ?)");
  if (!insert) return failure(insert.error());
  for (const auto& [key, value] : facts)
    if (auto done = insert->bind(1, std::string_view(key)).bind(2, std::string_view(value)).run(); !done) return done;
  return {};
}

// The version goes in last, with everything that makes a run: one killed earlier was never begun.
Result<void> begin_run(Database& database, const RunFacts& facts) {
  auto transaction = Transaction::begin(database);
  if (!transaction) return failure(transaction.error());
  if (auto done = database.execute(kSchema); !done) return done;
  if (auto done = write_facts(database, facts); !done) return done;
  if (auto done = database.execute("PRAGMA user_version=1"); !done) return done;
  return transaction->commit();
}

}  // namespace

Result<Store> Store::create(const fs::path& run, const RunFacts& facts) {
  std::error_code error;
  if (fs::exists(run, error) && !fs::is_empty(run, error) && !is_never_begun(run))
    return failure({Error::Kind::usage, "a new run folder", "one that holds something", run.string(),
                    "give another --out, or go on with it by --resume"});
  fs::create_directories(run / "artifacts", error);
  if (error) return failure(cannot_make(run, error.message()));
  auto database = Database::open(run / "evidence.db", Database::Mode::create);
  if (!database) return failure(database.error());
  if (auto done =
          run_all(*database, {"PRAGMA locking_mode=EXCLUSIVE", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL"});
      !done)
    return failure(done.error());
  if (auto begun = begin_run(*database, facts); !begun) return failure(begun.error());
  return Store(std::make_unique<Impl>(Impl{run, std::move(*database), {}}));
}

namespace {

Result<Database> open_existing(const fs::path& run, Database::Mode mode) {
  const fs::path file = run / "evidence.db";
  std::error_code error;
  // Opening a FIFO would wait for a writer.
  if (!fs::is_regular_file(file, error))
    return failure({Error::Kind::usage, "a run folder with evidence.db",
                    error ? error.message() : (fs::exists(file, error) ? "one that is no file" : "none"), run.string(),
                    "give the folder that an earlier assay named"});
  auto database = Database::open(file, mode);
  if (!database) return database;
  if (mode == Database::Mode::write)
    if (auto done = run_all(*database, {"PRAGMA locking_mode=EXCLUSIVE", "PRAGMA synchronous=FULL"}); !done)
      return failure(done.error());
  if (auto version = check_version(*database, file); !version) return failure(version.error());
  if (auto tables = check_tables(*database, file); !tables) return failure(tables.error());
  if (mode == Database::Mode::write)  // takes the lock now, so that a second writer is told at once
    if (auto done = run_all(*database, {"PRAGMA journal_mode=WAL", "BEGIN EXCLUSIVE", "COMMIT"}); !done)
      return failure(done.error());
  return database;
}

}  // namespace

Result<Store> Store::open_for_writing(const fs::path& run) {
  auto database = open_existing(run, Database::Mode::write);
  if (!database) return failure(database.error());
  Store store(std::make_unique<Impl>(Impl{run, std::move(*database), {}}));
  if (auto loaded = store.impl_->load_terms(); !loaded) return failure(loaded.error());
  return store;
}

Result<Store> Store::open_for_reading(const fs::path& run) {
  // A database left in WAL mode needs a writable folder to be read; one on read-only media is opened as it lies.
  auto database = open_existing(run, Database::Mode::read);
  if (!database) return failure(database.error());
  return Store(std::make_unique<Impl>(Impl{run, std::move(*database), {}}));
}

Result<void> Store::Impl::load_terms() {
  auto query = database.prepare("SELECT id, text FROM term");
  if (!query) return failure(query.error());
  for (;;) {
    const auto row = query->step();
    if (!row) return failure(row.error());
    if (!*row) return {};
    terms.emplace(query->text(1), query->integer(0));
  }
}

Result<std::int64_t> Store::Impl::term(const std::string& text, Statement& insert) {
  if (const auto known = terms.find(text); known != terms.end()) return known->second;
  const auto id = static_cast<std::int64_t>(terms.size()) + 1;
  if (auto done = insert.bind(1, id).bind(2, std::string_view(text)).run(); !done) return failure(done.error());
  terms.emplace(text, id);
  return id;
}

Result<std::int64_t> Store::Impl::begin_step(const StepResult& step) {
  auto supersede = database.prepare("UPDATE step SET superseded = 1 WHERE host = ? AND name = ? AND superseded = 0");
  if (!supersede) return failure(supersede.error());
  supersede->bind(1, std::string_view(step.key.host)).bind(2, std::string_view(step.key.name));
  if (auto done = supersede->run(); !done) return failure(done.error());
  auto insert = database.prepare("INSERT INTO step (host, name, state, detail) VALUES (?, ?, ?, ?) RETURNING id");
  if (!insert) return failure(insert.error());
  insert->bind(1, std::string_view(step.key.host)).bind(2, std::string_view(step.key.name));
  insert->bind(3, static_cast<std::int64_t>(step.state)).bind(4, std::string_view(step.detail));
  const auto row = insert->step();
  if (!row) return failure(row.error());
  return insert->integer(0);
}

Result<void> Store::Impl::insert_observations(std::int64_t step_id, const StepResult& step,
                                              const std::string& artifact) {
  auto insert_term = database.prepare("INSERT INTO term (id, text) VALUES (?, ?)");
  auto insert = database.prepare(
      "INSERT INTO observation (step, subject, name, absent, value, json, unit, time, source, artifact) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert_term) return failure(insert_term.error());
  if (!insert) return failure(insert.error());
  for (const Observation& observation : step.observations) {
    int column = 0;
    insert->bind(++column, step_id);
    for (const std::string* text : {&observation.subject.path(), &observation.name}) {
      const auto id = term(*text, *insert_term);
      if (!id) return failure(id.error());
      insert->bind(++column, *id);
    }
    Form form = Form::plain;
    if (const Absent* absent = observation.absent()) {
      insert->bind(++column, name_of(absent->reason));
      insert->bind(++column, std::string_view(absent->detail));
    } else {
      insert->bind_null(++column);
      form = bind_value(*insert, ++column, *observation.value());
    }
    insert->bind(++column, static_cast<std::int64_t>(form));
    const auto unit = term(observation.unit, *insert_term);
    const auto source = term(observation.source, *insert_term);
    const auto held = term(artifact, *insert_term);
    for (const auto* id : {&unit, &source, &held})
      if (!*id) return failure(id->error());
    insert->bind(++column, *unit);
    insert->bind(++column, observation.time);
    insert->bind(++column, *source);
    insert->bind(++column, *held);
    if (auto done = insert->run(); !done) return done;
  }
  return {};
}

Result<void> Store::record(const std::vector<StepResult>& steps) {
  std::vector<std::string_view> raw;
  for (const StepResult& step : steps)
    if (!step.raw.empty()) raw.push_back(step.raw);
  const auto shas = artifacts::put(impl_->artifacts(), raw);
  if (!shas) return failure(shas.error());
  auto next_sha = shas->begin();
  const auto known_terms = impl_->terms.size();
  auto transaction = Transaction::begin(impl_->database);
  if (!transaction) return failure(transaction.error());
  const auto undo = [&](const Error& error) {
    std::erase_if(impl_->terms,
                  [&](const auto& entry) { return entry.second > static_cast<std::int64_t>(known_terms); });
    return failure(error);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto id = impl_->begin_step(steps[i]);
    if (!id) return undo(id.error());
    if (auto done = impl_->insert_observations(*id, steps[i], steps[i].raw.empty() ? std::string() : *next_sha++);
        !done)
      return undo(done.error());
  }
  if (auto done = transaction->commit(); !done) return undo(done.error());
  return {};
}

Result<void> Store::set_facts(const RunFacts& facts) {
  auto transaction = Transaction::begin(impl_->database);
  if (!transaction) return failure(transaction.error());
  if (auto written = write_facts(impl_->database, facts); !written) return written;
  return transaction->commit();
}

Result<void> Store::set_verdicts(const std::vector<Verdict>& verdicts) {
  auto transaction = Transaction::begin(impl_->database);
  if (!transaction) return failure(transaction.error());
  {
    if (auto cleared = impl_->database.execute("DELETE FROM verdict"); !cleared) return cleared;
    auto insert = impl_->database.prepare(
        "INSERT INTO verdict (chk, subject, status, measured, expected, why, fix, evidence) VALUES (?, ?, ?, ?, ?, ?, "
        "?, ?)");
    if (!insert) return failure(insert.error());
    for (const Verdict& v : verdicts) {
      const std::string evidence = nlohmann::json(v.evidence).dump();
      int column = 0;
      for (const std::string_view text : {std::string_view(v.check), std::string_view(v.subject.path()),
                                          name_of(v.status), std::string_view(v.measured), std::string_view(v.expected),
                                          std::string_view(v.why), std::string_view(v.fix), std::string_view(evidence)})
        insert->bind(++column, text);
      if (auto done = insert->run(); !done) return done;
    }
  }
  return transaction->commit();
}

}  // namespace assay
