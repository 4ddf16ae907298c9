// What a provider answered, and what the evaluator noted during the trial: provider.yaml, by rubric item. An answer
// with a document is proof as good as the document; without one it is a claim and is told as such.
//
//   provider: acme
//   schedulers: [slurm]            # what the trial covers; absent: not said
//   offered: {answer: no, by: Jo Doe, date: 2026-11-30}      # only where no cluster could be had
//   answers:
//     security.attestation-soc2:
//       answer: yes                # yes, no, partly, value, unanswered
//       by: Jo Doe, acme
//       date: 2026-11-30
//       document: {title: SOC 2 Type II report, date: 2026-03-01, file: soc2.pdf, sha256: 9f86…}
//     reliability.sla-node: {answer: value, value: 99.95, by: …, date: …, document: …}
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/rubric.hpp"

namespace assay::catalog {

struct Document {
  std::string title;
  std::string date;
  std::string file;    // as written, relative to provider.yaml
  std::string sha256;  // of the file as it lies there
};

struct Answer {
  enum class Word { yes, no, partly, value };
  Word word = Word::no;
  double value = 0;  // for Word::value
  std::string by;
  std::string date;
  std::optional<Document> document;
};

std::string_view name_of(Answer::Word word);

struct Answers {
  std::string provider;
  std::vector<std::string> schedulers;  // empty: not said
  bool unavailable = false;             // the provider was asked for a cluster and gave none
  std::map<std::string, Answer> by_item;
};

// Strict: unknown keys and items, items that nobody is asked about, words and dates that aren't any, documents whose
// file isn't there or has another SHA-256 are refused with file and line. Items left `unanswered` are left out.
Result<Answers> load_answers(const std::filesystem::path& file, const Rubric& rubric);
// `folder` is where documents lie.
Result<Answers> parse_answers(const std::string& yaml, const std::string& where, const std::filesystem::path& folder,
                              const Rubric& rubric);

// A provider.yaml with every question in words and nothing answered.
std::string provider_template(const Rubric& rubric);

}  // namespace assay::catalog
