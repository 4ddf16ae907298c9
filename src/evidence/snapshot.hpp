// All current observations of a run, indexed: what judging sees, and all that it sees. Immutable once built, so judging
// is pure: the same snapshot gives the same verdicts, on any machine, years later.
//
//   for (const Subject& node : snapshot.nodes())
//     if (auto mode = snapshot.integer(node.child("device", "ipmi0"), "device.mode")) use(*mode.value, mode.id());
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/observation.hpp"

namespace assay {

// One value looked up, or the reason why there is none, in words fit for a verdict.
template <class T>
struct Reading {
  std::optional<T> value;
  const Observation* observation = nullptr;  // also set when it is an absent one
  std::string gap;                           // why there is no value

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  // It was looked for, and it isn't there (rather than hidden, broken or never asked).
  bool missing() const {
    return observation != nullptr && observation->absent() != nullptr &&
           observation->absent()->reason == Absence::missing;
  }
  // What was asked doesn't have it, or can't tell it.
  bool unsupported() const {
    return observation != nullptr && observation->absent() != nullptr &&
           observation->absent()->reason == Absence::unsupported;
  }
  // It was looked for and should be there, but something stood in the way: what it is isn't known.
  bool failed() const { return !value && observation != nullptr && !missing() && !unsupported(); }
};

class Snapshot {
 public:
  explicit Snapshot(std::vector<Observation> observations);
  ~Snapshot();
  Snapshot(Snapshot&&) noexcept;
  Snapshot& operator=(Snapshot&&) noexcept;

  const Subject& cluster() const;
  // The compute nodes that the run set out to see, whether they answered or not; in natural order.
  const std::vector<Subject>& nodes() const;
  // Nodes, and the login host if it was looked at too.
  const std::vector<Subject>& hosts() const;
  // Parts of `parent` of one kind, of which anything was said: gpus of a node, in natural order.
  std::vector<Subject> parts(const Subject& parent, std::string_view kind) const;

  // nullptr if nothing was ever said.
  const Observation* find(const Subject& subject, std::string_view name) const;
  // Everything said about one subject.
  std::vector<const Observation*> about(const Subject& subject) const;
  std::span<const Observation> all() const;

  Reading<bool> boolean(const Subject& subject, std::string_view name) const;
  Reading<std::int64_t> integer(const Subject& subject, std::string_view name) const;
  Reading<double> number(const Subject& subject, std::string_view name) const;  // integers too
  Reading<std::string> text(const Subject& subject, std::string_view name) const;
  Reading<TextList> list(const Subject& subject, std::string_view name) const;
  Reading<Record> record(const Subject& subject, std::string_view name) const;

 private:
  struct Index;
  std::unique_ptr<Index> index_;
};

}  // namespace assay
