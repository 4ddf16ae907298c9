#include "catalog/provider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/text.hpp"
#include "catalog/yaml.hpp"
#include "evidence/artifacts.hpp"

namespace assay::catalog {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<Answer::Word, std::string_view>, 4> kWords{{
    {Answer::Word::yes, "yes"},
    {Answer::Word::no, "no"},
    {Answer::Word::partly, "partly"},
    {Answer::Word::value, "value"},
}};
constexpr std::string_view kUnanswered = "unanswered";

bool is_date(std::string_view words) {
  const auto parts = text::split(words, '-');
  if (words.size() != 10 || parts.size() != 3 || parts[0].size() != 4 || parts[1].size() != 2) return false;
  const auto year = text::integer(parts[0]);
  const auto month = text::integer(parts[1]);
  const auto day = text::integer(parts[2]);
  if (!year || !month || !day || *month < 1 || *day < 1) return false;
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

std::string date_at(Mapping& from) {
  std::string words = from.text("date");
  if (!is_date(words)) from.refuse("date", "a date like 2026-11-30", words);
  return words;
}

std::optional<Document> parse_document(Mapping& answer, const fs::path& folder) {
  auto from = answer.mapping("document");
  if (!from) return std::nullopt;
  Document document{from->text("title"), date_at(*from), from->text("file"), from->text_or("sha256", "")};
  const auto bytes = read_file(folder / document.file);
  if (!bytes) {
    from->refuse("file", "the document's file (leave `document` out for a claim without one)",
                 fmt::format("{}: {}", document.file, bytes.error().came));
  } else {
    const std::string found = artifacts::sha256(*bytes);
    if (!document.sha256.empty() && text::lower(document.sha256) != found)
      from->refuse("sha256", "the SHA-256 of the file, " + found, document.sha256);
    document.sha256 = found;
  }
  answer.adopt(*from);
  return document;
}

std::optional<Answer::Word> parse_word(Mapping& from, const Item& item) {
  const std::string word = from.text("answer");
  const auto known = std::find_if(kWords.begin(), kWords.end(), [&](const auto& each) { return each.second == word; });
  if (known == kWords.end()) {
    if (word != kUnanswered) from.refuse("answer", "yes, no, partly, value or unanswered", word);
    return std::nullopt;
  }
  if (known->first == Answer::Word::partly && item.critical)
    from.refuse("answer", "yes or no, since a failure of this item disqualifies", word);
  if (known->first == Answer::Word::value && !item.value)
    from.refuse("answer", "yes, no or partly, since this item has no value", word);
  return known->first;
}

std::optional<Answer> parse_answer(Mapping& from, const Item& item, const fs::path& folder) {
  const auto word = parse_word(from, item);
  if (!word) {
    // What was begun and not answered isn't an error; its other keys are read so that misspelled ones still are.
    for (const char* key : {"by", "date", "value"}) from.list(key);
    from.mapping("document");
    return std::nullopt;
  }
  Answer answer;
  answer.word = *word;
  if (answer.word == Answer::Word::value) {
    const auto value = from.number("value");
    if (!value) from.refuse("value", "a number of unit " + (item.value ? item.value->unit : ""), "none");
    answer.value = value.value_or(0);
  }
  answer.by = from.text("by");
  answer.date = date_at(from);
  answer.document = parse_document(from, folder);
  if (answer.document && answer.document->date > answer.date)
    from.refuse("document", "a document that isn't younger than the answer", answer.document->date);
  return answer;
}

void parse_offer(Mapping& from, Answers& answers) {
  auto offer = from.mapping("offered");
  if (!offer) return;
  const std::string word = offer->text("answer");
  if (word != "yes" && word != "no") offer->refuse("answer", "yes or no", word);
  answers.unavailable = word == "no";
  offer->text("by");
  date_at(*offer);
  from.adopt(*offer);
}

void parse_schedulers(Mapping& from, Answers& answers) {
  answers.schedulers = from.list("schedulers");
  for (const std::string& name : answers.schedulers)
    if (name != "slurm" && name != "kubernetes") from.refuse("schedulers", "slurm, kubernetes or both", name);
}

}  // namespace

std::string_view name_of(Answer::Word word) {
  for (const auto& [known, name] : kWords)
    if (known == word) return name;
  return "no";
}

Result<Answers> parse_answers(const std::string& yaml, const std::string& where, const fs::path& folder,
                              const Rubric& rubric) {
  const auto node = parse_yaml(yaml, where);
  if (!node) return failure(node.error());
  Mapping from(*node, where);
  Answers answers;
  answers.provider = from.text("provider");
  parse_schedulers(from, answers);
  parse_offer(from, answers);
  if (auto all = from.mapping("answers")) {
    for (const std::string& id : all->keys()) {
      const Item* item = rubric.find(id);
      auto each = all->mapping(id);
      if (item == nullptr || !item->answerable()) {
        all->refuse(id, item == nullptr ? "an item of the rubric " + rubric.name() : "an item that is asked or felt",
                    item == nullptr ? "none" : "one that is only seen on machines");
      } else if (each) {
        if (auto answer = parse_answer(*each, *item, folder)) answers.by_item.emplace(id, std::move(*answer));
        all->adopt(*each);
      }
    }
    from.adopt(*all);
  }
  if (auto finished = from.finish(); !finished) return failure(finished.error());
  return answers;
}

Result<Answers> load_answers(const fs::path& file, const Rubric& rubric) {
  const auto text = read_file(file);
  if (!text) return failure(text.error());
  return parse_answers(*text, file.string(), file.parent_path(), rubric);
}

namespace {

std::string words_for(const Item& item) {
  if (!item.value) return item.critical ? "yes, no" : "yes, no, partly";
  std::string bar = item.value->at_least  ? fmt::format(", at least {} holds", *item.value->at_least)
                    : item.value->at_most ? fmt::format(", at most {} holds", *item.value->at_most)
                                          : "";
  return fmt::format("value (a number of unit {}{}), no", item.value->unit, bar);
}

}  // namespace

std::string provider_template(const Rubric& rubric) {
  std::string page = fmt::format(
      "# What a provider answers, and what the evaluator notes during the trial, for the rubric {}.\n"
      "# Each answer has `answer`, `by` (who says so) and `date`; `value` goes with answer: value. With\n"
      "#   document: {{title: …, date: 2026-11-30, file: soc2.pdf}}\n"
      "# (the file beside this one; sha256 if you like) it counts as proven; without it, as a claim.\n"
      "# What stays `unanswered` stays unknown.\n"
      "provider: name\n"
      "# What the trial covers; items of a scheduler that isn't named are left out.\n"
      "# schedulers: [slurm, kubernetes]\n"
      "# Where the provider was asked and gave no cluster:\n"
      "# offered: {{answer: no, by: …, date: …}}\n"
      "answers:\n",
      rubric.name());
  for (const Criterion& criterion : rubric.criteria)
    for (const Item& item : criterion.items)
      if (item.answerable())
        page += fmt::format("  # {}{}\n  {}:\n    answer: unanswered  # {}\n", item.question,
                            item.critical ? " (critical)" : "", item.id, words_for(item));
  return page;
}

}  // namespace assay::catalog
