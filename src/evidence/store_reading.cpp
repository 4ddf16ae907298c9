// The reading half of the store. What is read was written by assay, but a run folder travels: it may have been damaged
// or changed by hand, and is read as strictly as anything else.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "evidence/artifacts.hpp"
#include "evidence/codec.hpp"
#include "evidence/store_impl.hpp"

namespace assay {

using sqlite::Database;
using sqlite::Statement;

Result<RunFacts> Store::facts() const {
  auto query = impl_->database.prepare("SELECT key, value FROM fact");
  if (!query) return failure(query.error());
  RunFacts facts;
  for (;;) {
    const auto row = query->step();
    if (!row) return failure(row.error());
    if (!*row) return facts;
    facts.emplace(query->text(0), query->text(1));
  }
}

Result<std::vector<Store::StepEnd>> Store::steps() const {
  auto query = impl_->database.prepare("SELECT host, name, state, detail FROM step WHERE superseded = 0 ORDER BY id");
  if (!query) return failure(query.error());
  std::vector<StepEnd> ends;
  for (;;) {
    const auto row = query->step();
    if (!row) return failure(row.error());
    if (!*row) return ends;
    ends.push_back({{std::string(query->text(0)), std::string(query->text(1))},
                    query->integer(2) == 0 ? StepState::done : StepState::failed,
                    std::string(query->text(3))});
  }
}

Result<std::set<StepKey>> Store::finished() const {
  const auto ends = steps();
  if (!ends) return failure(ends.error());
  std::set<StepKey> keys;
  for (const StepEnd& end : *ends)
    if (end.state == StepState::done) keys.insert(end.key);
  return keys;
}

namespace {

Error damaged(const std::filesystem::path& run, std::string came) {
  return {Error::Kind::usage, "evidence as assay writes it", std::move(came), run.string(),
          "the run was changed or is damaged: use a copy of it"};
}

Error damaged_row(const std::filesystem::path& run, std::string_view table, std::int64_t id, const Error& why) {
  return damaged(run, fmt::format("row {} of the table {}: expected {}, got {}", id, table, why.expected, why.came));
}

// Every term once, as text; index 0 is unused.
Result<std::vector<std::string>> all_terms(const Database& database, const std::filesystem::path& run) {
  std::vector<std::string> texts(1);
  auto query = database.prepare("SELECT id, text FROM term ORDER BY id");
  if (!query) return failure(query.error());
  for (;;) {
    const auto row = query->step();
    if (!row) return failure(row.error());
    if (!*row) return texts;
    if (query->integer(0) != static_cast<std::int64_t>(texts.size()))
      return failure(damaged(run, "terms that aren't numbered from 1"));
    texts.emplace_back(query->text(1));
  }
}

Result<std::variant<Value, Absent>> seen_in(const Statement& row, int absent_column) {
  const int value_column = absent_column + 1;
  if (!row.is_null(absent_column)) {
    const auto reason = absence_from(row.text(absent_column));
    if (!reason) return failure(reason.error());
    return std::variant<Value, Absent>(Absent{*reason, std::string(row.text(value_column))});
  }
  switch (static_cast<Form>(row.integer(absent_column + 2))) {
    case Form::boolean: return std::variant<Value, Absent>(Value(row.integer(value_column) != 0));
    case Form::json:
      return codec::value_from_json(nlohmann::json::parse(row.text(value_column), nullptr, false)).map([](Value value) {
        return std::variant<Value, Absent>(std::move(value));
      });
    case Form::plain: break;
  }
  return std::variant<Value, Absent>(row.plain(value_column));
}

}  // namespace

Result<std::vector<Observation>> Store::observations() const {
  const auto terms = all_terms(impl_->database, impl_->folder);
  if (!terms) return failure(terms.error());
  std::vector<Subject> subjects(terms->size());
  auto query = impl_->database.prepare(
      "SELECT o.id, o.subject, o.name, o.absent, o.value, o.json, o.unit, o.time, o.source, o.artifact "
      "FROM observation o JOIN step s ON s.id = o.step WHERE s.superseded = 0 ORDER BY o.id");
  if (!query) return failure(query.error());
  std::vector<Observation> result;
  const auto known = [&](int column) {
    return query->integer(column) > 0 && static_cast<std::size_t>(query->integer(column)) < terms->size();
  };
  const auto term = [&](int column) -> const std::string& {
    return (*terms)[static_cast<std::size_t>(query->integer(column))];
  };
  for (;;) {
    const auto row = query->step();
    if (!row) return failure(row.error());
    if (!*row) return result;
    for (const int column : {1, 2, 6, 8, 9})
      if (!known(column)) return failure(damaged(impl_->folder, "an observation of a term that isn't there"));
    Subject& subject = subjects[static_cast<std::size_t>(query->integer(1))];
    if (subject.empty()) {
      const auto parsed = Subject::parse(term(1));
      if (!parsed) return failure(damaged_row(impl_->folder, "observation", query->integer(0), parsed.error()));
      subject = *parsed;
    }
    auto seen = seen_in(*query, 3);
    if (!seen) return failure(damaged_row(impl_->folder, "observation", query->integer(0), seen.error()));
    result.push_back(
        {query->integer(0), subject, term(2), std::move(*seen), term(6), query->integer(7), term(8), term(9)});
  }
}

bool Store::holds_artifact(const std::string& sha256) const { return artifacts::holds(impl_->artifacts(), sha256); }

Result<std::string> Store::artifact(const std::string& sha256) const {
  return artifacts::get(impl_->artifacts(), sha256);
}

Result<std::vector<Verdict>> Store::verdicts() const {
  auto query = impl_->database.prepare(
      "SELECT chk, subject, status, measured, expected, why, fix, evidence, id FROM verdict ORDER BY id");
  if (!query) return failure(query.error());
  std::vector<Verdict> result;
  for (;;) {
    const auto row = query->step();
    if (!row) return failure(row.error());
    if (!*row) return result;
    const auto subject = Subject::parse(query->text(1));
    const auto status = status_from(query->text(2));
    if (!subject) return failure(damaged_row(impl_->folder, "verdict", query->integer(8), subject.error()));
    if (!status) return failure(damaged_row(impl_->folder, "verdict", query->integer(8), status.error()));
    const auto text = [&](int column) { return std::string(query->text(column)); };
    const auto evidence = nlohmann::json::parse(query->text(7), nullptr, false);
    result.push_back({text(0), *subject, *status, text(3), text(4), text(5), text(6),
                      evidence.is_array() ? evidence.get<std::vector<std::int64_t>>() : std::vector<std::int64_t>()});
  }
}

}  // namespace assay
