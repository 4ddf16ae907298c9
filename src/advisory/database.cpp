#include "advisory/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "evidence/sqlite.hpp"

namespace assay::advisory {

namespace {

constexpr int kSchema = 1;
constexpr const char* kTables = R"sql(
CREATE TABLE advisory (
  id INTEGER PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, aliases TEXT NOT NULL, title TEXT NOT NULL,
  severity INTEGER NOT NULL, vector TEXT NOT NULL, url TEXT NOT NULL, published TEXT NOT NULL, modified TEXT NOT NULL,
  withdrawn TEXT NOT NULL, fixed_date TEXT NOT NULL, UNIQUE (source, name));
CREATE TABLE affected (
  advisory INTEGER NOT NULL REFERENCES advisory ON DELETE CASCADE, ecosystem TEXT NOT NULL, package TEXT NOT NULL,
  platform TEXT NOT NULL, says INTEGER NOT NULL, ranges TEXT NOT NULL, fixed TEXT NOT NULL, spared TEXT NOT NULL, introduced TEXT NOT NULL,
  versions TEXT NOT NULL, conditions TEXT NOT NULL, note TEXT NOT NULL);
CREATE INDEX affected_by_package ON affected (ecosystem, package);
CREATE INDEX affected_by_advisory ON affected (advisory);
CREATE TABLE exploited (cve TEXT PRIMARY KEY, since TEXT NOT NULL, source TEXT NOT NULL);
CREATE TABLE cycle (
  product TEXT NOT NULL, line TEXT NOT NULL, released TEXT NOT NULL, end TEXT NOT NULL, ended INTEGER NOT NULL,
  extended_end TEXT NOT NULL, latest TEXT NOT NULL, latest_date TEXT NOT NULL, source TEXT NOT NULL,
  PRIMARY KEY (product, line));
CREATE TABLE ecosystem (ecosystem TEXT PRIMARY KEY, newest TEXT NOT NULL);
CREATE TABLE source (source TEXT PRIMARY KEY, imported TEXT NOT NULL);
)sql";

constexpr sqlite::Words kWords = {"a database of advisories that assay made",
                                  "free some space, then import again: what was there before still is",
                                  "check the disk's space, quota and health, then import again",
                                  "choose another file with --database FILE",
                                  "wait for the other import to end",
                                  "move the file away, then import again"};

// Lists lie in one column each. The separators can't be in a version, and nothing else needs them.
constexpr char kBetween = '\x1f', kWithin = '\x1e';

std::string plain(std::string_view text) {
  std::string kept(text);
  std::replace_if(
      kept.begin(), kept.end(), [](char c) { return c == kBetween || c == kWithin; }, '?');
  return kept;
}

std::string joined(const std::vector<std::string>& items) {
  std::string all;
  for (const std::string& item : items) all += (all.empty() ? "" : std::string(1, kBetween)) + plain(item);
  return all;
}

std::vector<std::string> parted(std::string_view all) {
  std::vector<std::string> items;
  if (all.empty()) return items;
  for (const std::string_view item : text::split(all, kBetween)) items.emplace_back(item);
  return items;
}

std::string joined(const std::vector<Range>& ranges) {
  std::string all;
  for (const Range& range : ranges) {
    if (!all.empty()) all += kBetween;
    all += plain(range.introduced) + kWithin + plain(range.fixed) + kWithin + plain(range.last);
  }
  return all;
}

std::vector<Range> ranges_from(std::string_view all) {
  std::vector<Range> ranges;
  if (all.empty()) return ranges;
  for (const std::string_view one : text::split(all, kBetween)) {
    const auto parts = text::split(one, kWithin);
    if (parts.size() == 3) ranges.push_back({std::string(parts[0]), std::string(parts[1]), std::string(parts[2])});
  }
  return ranges;
}

std::shared_ptr<const Advisory> advisory_from(const sqlite::Statement& row, int at) {
  auto advisory = std::make_shared<Advisory>();
  const auto text = [&](int column) { return std::string(row.text(at + column)); };
  advisory->source = text(1);
  advisory->id = text(2);
  advisory->aliases = parted(row.text(at + 3));
  advisory->title = text(4);
  advisory->severity = static_cast<Severity>(std::clamp<std::int64_t>(row.integer(at + 5), 0, 5));
  advisory->vector = text(6);
  advisory->url = text(7);
  advisory->published = text(8);
  advisory->modified = text(9);
  advisory->withdrawn = text(10);
  advisory->fixed_date = text(11);
  return advisory;
}

// Columns of `affected` from `platform` on.
Affected affected_from(const sqlite::Statement& row, std::string_view ecosystem, std::string_view package) {
  Affected affected;
  affected.ecosystem = ecosystem;
  affected.package = package;
  affected.platform = row.text(0);
  affected.says = static_cast<Affected::Says>(std::clamp<std::int64_t>(row.integer(1), 0, 2));
  affected.ranges = ranges_from(row.text(2));
  affected.fixed = parted(row.text(3));
  affected.spared = parted(row.text(4));
  affected.introduced = row.text(5);
  affected.versions = parted(row.text(6));
  affected.conditions = parted(row.text(7));
  affected.note = row.text(8);
  return affected;
}

}  // namespace

struct Database::Impl {
  explicit Impl(sqlite::Database opened) : database(std::move(opened)) {}

  sqlite::Database database;
  std::optional<sqlite::Transaction> transaction;
  std::set<std::string> touched;              // sources of this import
  std::map<std::string, std::string> newest;  // of its ecosystems, the newest record's date
  mutable std::map<std::int64_t, std::shared_ptr<const Advisory>> loaded;
  mutable std::optional<sqlite::Statement> finding;  // prepared once: an audit asks a thousand times

  Result<void> add_advisory(const Advisory& advisory);
  Result<void> add_affected(std::int64_t id, const Affected& affected);
};

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

namespace {

Result<void> check_schema(sqlite::Database& database, const std::filesystem::path& file) {
  auto version = database.prepare("PRAGMA user_version");
  if (!version) return failure(version.error());
  if (const auto row = version->step(); !row) return failure(row.error());
  if (version->integer(0) == kSchema) return {};
  return failure({Error::Kind::usage, fmt::format("a database of advisories of version {}", kSchema),
                  fmt::format("version {}", version->integer(0)), file.string(), kWords.damaged});
}

}  // namespace

Result<Database> Database::create_or_open(const std::filesystem::path& file) {
  std::error_code error;
  const bool there = std::filesystem::exists(file, error) && std::filesystem::file_size(file, error) > 0;
  if (!there && !file.parent_path().empty()) {
    std::filesystem::create_directories(file.parent_path(), error);
    if (error)
      return failure({Error::Kind::environment, "a folder for the advisories", error.message(),
                      file.parent_path().string(), kWords.refused});
  }
  auto database = sqlite::Database::open(file, sqlite::Database::Mode::create, kWords);
  if (!database) return failure(database.error());
  if (auto set = database->execute("PRAGMA foreign_keys = ON"); !set) return failure(set.error());
  if (!there) {
    auto begun = sqlite::Transaction::begin(*database);
    if (!begun) return failure(begun.error());
    if (auto made = database->execute(kTables); !made) return failure(made.error());
    if (auto set = database->execute(fmt::format("PRAGMA user_version = {}", kSchema).c_str()); !set)
      return failure(set.error());
    if (auto committed = begun->commit(); !committed) return failure(committed.error());
  }
  if (auto checked = check_schema(*database, file); !checked) return failure(checked.error());
  return Database(std::make_unique<Impl>(std::move(*database)));
}

Result<std::optional<Database>> Database::open_for_reading(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return std::optional<Database>();
  if (!std::filesystem::is_regular_file(status))
    return failure({Error::Kind::usage, kWords.file, "a folder or a device", file.string(), kWords.refused});
  auto database = sqlite::Database::open(file, sqlite::Database::Mode::read, kWords);
  if (!database) return failure(database.error());
  if (auto checked = check_schema(*database, file); !checked) return failure(checked.error());
  return std::optional(Database(std::make_unique<Impl>(std::move(*database))));
}

Result<void> Database::begin() {
  auto transaction = sqlite::Transaction::begin(impl_->database);
  if (!transaction) return failure(transaction.error());
  impl_->transaction.emplace(std::move(*transaction));
  return {};
}

Result<void> Database::Impl::add_affected(std::int64_t id, const Affected& affected) {
  auto insert = database.prepare("INSERT INTO affected VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert) return failure(insert.error());
  const std::string ranges = joined(affected.ranges), fixed = joined(affected.fixed), spared = joined(affected.spared),
                    versions = joined(affected.versions), conditions = joined(affected.conditions);
  insert->bind(1, id).bind(2, affected.ecosystem).bind(3, affected.package).bind(4, affected.platform);
  insert->bind(5, static_cast<std::int64_t>(affected.says)).bind(6, ranges).bind(7, fixed);
  insert->bind(8, spared).bind(9, affected.introduced).bind(10, versions).bind(11, conditions);
  insert->bind(12, affected.note);
  return insert->run();
}

Result<void> Database::Impl::add_advisory(const Advisory& advisory) {
  touched.insert(advisory.source);
  auto newer = database.prepare("SELECT 1 FROM advisory WHERE source = ? AND name = ? AND modified > ?");
  if (!newer) return failure(newer.error());
  const auto row = newer->bind(1, advisory.source).bind(2, advisory.id).bind(3, advisory.modified).step();
  if (!row) return failure(row.error());
  if (*row) return {};
  auto remove = database.prepare("DELETE FROM advisory WHERE source = ? AND name = ?");
  if (!remove) return failure(remove.error());
  if (auto removed = remove->bind(1, advisory.source).bind(2, advisory.id).run(); !removed)
    return failure(removed.error());
  auto insert = database.prepare("INSERT INTO advisory VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id");
  if (!insert) return failure(insert.error());
  const std::string aliases = joined(advisory.aliases);
  insert->bind(1, advisory.source).bind(2, advisory.id).bind(3, aliases).bind(4, advisory.title);
  insert->bind(5, static_cast<std::int64_t>(advisory.severity)).bind(6, advisory.vector).bind(7, advisory.url);
  insert->bind(8, advisory.published).bind(9, advisory.modified).bind(10, advisory.withdrawn);
  insert->bind(11, advisory.fixed_date);
  if (const auto inserted = insert->step(); !inserted) return failure(inserted.error());
  const std::int64_t id = insert->integer(0);
  if (auto ended = insert->run(); !ended) return failure(ended.error());
  for (const Affected& affected : advisory.affected) {
    if (auto added = add_affected(id, affected); !added) return failure(added.error());
    std::string& day = newest[affected.ecosystem];
    day = std::max({day, advisory.modified, advisory.published});
  }
  return {};
}

Result<void> Database::add(const Batch& batch) {
  for (const Advisory& advisory : batch.advisories)
    if (auto added = impl_->add_advisory(advisory); !added) return failure(added.error());
  for (const Exploited& one : batch.exploited) {
    auto insert = impl_->database.prepare("INSERT OR REPLACE INTO exploited VALUES (?, ?, ?)");
    if (!insert) return failure(insert.error());
    impl_->touched.insert(one.source);
    if (auto done = insert->bind(1, one.cve).bind(2, one.since).bind(3, one.source).run(); !done)
      return failure(done.error());
  }
  for (const Cycle& cycle : batch.cycles) {
    auto insert = impl_->database.prepare("INSERT OR REPLACE INTO cycle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (!insert) return failure(insert.error());
    impl_->touched.insert(cycle.source);
    insert->bind(1, cycle.product).bind(2, cycle.line).bind(3, cycle.released).bind(4, cycle.end);
    insert->bind(5, static_cast<std::int64_t>(cycle.ended)).bind(6, cycle.extended_end).bind(7, cycle.latest);
    if (auto done = insert->bind(8, cycle.latest_date).bind(9, cycle.source).run(); !done) return failure(done.error());
  }
  return {};
}

Result<void> Database::commit(const std::string& day) {
  for (const std::string& source : impl_->touched) {
    auto insert = impl_->database.prepare("INSERT OR REPLACE INTO source VALUES (?, ?)");
    if (!insert) return failure(insert.error());
    if (auto done = insert->bind(1, source).bind(2, day).run(); !done) return failure(done.error());
  }
  for (const auto& [ecosystem, newest] : impl_->newest) {
    auto insert = impl_->database.prepare(
        "INSERT INTO ecosystem VALUES (?, ?) ON CONFLICT DO UPDATE SET newest = max(newest, excluded.newest)");
    if (!insert) return failure(insert.error());
    if (auto done = insert->bind(1, ecosystem).bind(2, newest).run(); !done) return failure(done.error());
  }
  impl_->touched.clear();
  impl_->newest.clear();
  auto committed = impl_->transaction->commit();
  if (committed) impl_->transaction.reset();
  return committed;
}

Result<std::vector<Record>> Database::find(std::string_view ecosystem, std::string_view package) const {
  if (!impl_->finding) {
    auto prepared = impl_->database.prepare(
        "SELECT platform, says, ranges, fixed, spared, introduced, versions, conditions, note, advisory.* "
        "FROM affected JOIN advisory ON advisory.id = advisory WHERE ecosystem = ? AND package = ? ORDER BY name");
    if (!prepared) return failure(prepared.error());
    impl_->finding.emplace(std::move(*prepared));
  }
  sqlite::Statement& rows = *impl_->finding;
  rows.reset();
  rows.bind(1, ecosystem).bind(2, package);
  std::vector<Record> records;
  for (;;) {
    const auto row = rows.step();
    if (!row) return failure(row.error());
    if (!*row) break;
    auto& advisory = impl_->loaded[rows.integer(9)];
    if (!advisory) advisory = advisory_from(rows, 9);
    records.push_back({advisory, affected_from(rows, ecosystem, package)});
  }
  rows.reset();
  return records;
}

Result<std::optional<std::string>> Database::newest(std::string_view ecosystem) const {
  auto row = impl_->database.prepare("SELECT newest FROM ecosystem WHERE ecosystem = ?");
  if (!row) return failure(row.error());
  const auto found = row->bind(1, ecosystem).step();
  if (!found) return failure(found.error());
  return *found ? std::optional(std::string(row->text(0))) : std::nullopt;
}

Result<std::optional<Exploited>> Database::exploited(std::string_view cve) const {
  auto row = impl_->database.prepare("SELECT since, source FROM exploited WHERE cve = ?");
  if (!row) return failure(row.error());
  const auto found = row->bind(1, cve).step();
  if (!found) return failure(found.error());
  if (!*found) return std::optional<Exploited>();
  return std::optional(Exploited{std::string(cve), std::string(row->text(0)), std::string(row->text(1))});
}

Result<std::vector<Cycle>> Database::cycles(std::string_view product) const {
  auto rows = impl_->database.prepare("SELECT * FROM cycle WHERE product = ?");
  if (!rows) return failure(rows.error());
  rows->bind(1, product);
  std::vector<Cycle> cycles;
  for (;;) {
    const auto row = rows->step();
    if (!row) return failure(row.error());
    if (!*row) return cycles;
    const auto text = [&](int column) { return std::string(rows->text(column)); };
    cycles.push_back({text(0), text(1), text(2), text(3), rows->integer(4) != 0, text(5), text(6), text(7), text(8)});
  }
}

Result<std::vector<SourceState>> Database::sources() const {
  auto rows = impl_->database.prepare(
      "SELECT source.source, (SELECT count(*) FROM advisory WHERE advisory.source = source.source) + "
      "(SELECT count(*) FROM exploited WHERE exploited.source = source.source) + "
      "(SELECT count(*) FROM cycle WHERE cycle.source = source.source), "
      "max(coalesce((SELECT max(max(modified, published)) FROM advisory WHERE advisory.source = source.source), ''), "
      "coalesce((SELECT max(since) FROM exploited WHERE exploited.source = source.source), ''), "
      "coalesce((SELECT max(latest_date) FROM cycle WHERE cycle.source = source.source), '')), imported "
      "FROM source ORDER BY 1");
  if (!rows) return failure(rows.error());
  std::vector<SourceState> states;
  for (;;) {
    const auto row = rows->step();
    if (!row) return failure(row.error());
    if (!*row) return states;
    states.push_back({std::string(rows->text(0)), static_cast<std::uint64_t>(rows->integer(1)),
                      std::string(rows->text(2)), std::string(rows->text(3))});
  }
}

}  // namespace assay::advisory
