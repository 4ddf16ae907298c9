// What a check's logic sees and how it says what it thinks. A check is a pure function of a snapshot; it names
// subjects, measured values and one sentence why, and everything else of a verdict (expected, fix, id) comes from its
// text in data/.
//
// One file under checks/ is a family of related checks. It defines, with NAME the file's name,
//
//   const Family assay::judge::checks::NAME = {
//       {"security.umad-closed", umad_closed},
//       …
//   };
//
// and nothing else anywhere knows of it: CMake lists the folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/checks.hpp"
#include "evidence/snapshot.hpp"
#include "evidence/verdict.hpp"

namespace assay::judge {

// Collects one check's verdicts.
class Judgement {
 public:
  explicit Judgement(const catalog::Check& check) : check_(&check) {}

  void pass(const Subject& subject, std::string measured, std::string why, std::vector<const Observation*> basis);
  void warn(const Subject& subject, std::string measured, std::string why, std::vector<const Observation*> basis);
  void fail(const Subject& subject, std::string measured, std::string why, std::vector<const Observation*> basis);
  // Nothing measured. `why` says what stood in the way.
  void unknown(const Subject& subject, std::string why, std::vector<const Observation*> basis = {});
  // Only with a positive reason, resting on something seen: "the node has no GPU".
  void not_applicable(const Subject& subject, std::string why, std::vector<const Observation*> basis);
  void say(Status status, const Subject& subject, std::string measured, std::string why,
           std::vector<const Observation*> basis);

  // A value that couldn't be read.
  template <class T>
  void unknown(const Subject& subject, const Reading<T>& reading) {
    unknown(subject, reading.gap, {reading.observation});
  }

  // A table of data/tables that the check's text names. For another the engine says that the check failed.
  const catalog::Table& table(std::string_view name) const;

  // Leaves warnings and failures only: what stays proven when the logic broke off halfway.
  void keep_findings();

  const std::vector<Verdict>& verdicts() const { return verdicts_; }

 private:
  const catalog::Check* check_;
  std::vector<Verdict> verdicts_;
};

using Logic = void (*)(const Snapshot& snapshot, Judgement& judgement);

struct Entry {
  std::string_view check;
  Logic logic;
};

using Family = std::vector<Entry>;

// All families' entries. Made by CMake from checks/*.cpp.
const std::vector<const Family*>& families();
// The files that they are in, in the same order: "kernel" is checks/kernel.cpp.
const std::vector<std::string_view>& families_files();

}  // namespace assay::judge
