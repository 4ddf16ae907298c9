#include "evidence/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"

namespace assay {

namespace {

bool natural_order(const Subject& a, const Subject& b) { return text::natural_less(a.path(), b.path()); }

}  // namespace

struct Snapshot::Index {
  std::vector<Observation> observations;                                             // sorted by subject, then name
  std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> ranges;  // subject path → [first, last)
  std::unordered_map<std::string, std::vector<Subject>> parts;                       // "parent path|kind" → children
  Subject cluster;
  std::vector<Subject> nodes;
  std::vector<Subject> hosts;

  void sort();
  void index_ranges();
  void index_parts();
  void index_hosts();
};

void Snapshot::Index::sort() {
  std::stable_sort(observations.begin(), observations.end(), [](const Observation& a, const Observation& b) {
    const int order = a.subject.path().compare(b.subject.path());
    return order != 0 ? order < 0 : a.name < b.name;
  });
}

void Snapshot::Index::index_ranges() {
  for (std::size_t first = 0; first < observations.size();) {
    std::size_t last = first;
    while (last < observations.size() && observations[last].subject == observations[first].subject) ++last;
    ranges.emplace(observations[first].subject.path(), std::pair(first, last));
    first = last;
  }
}

void Snapshot::Index::index_parts() {
  std::unordered_set<std::string> known;
  for (const auto& [path, range] : ranges) {
    // A subject's ancestors are parts too, even if nothing was said of them directly.
    for (Subject at = observations[range.first].subject; !at.empty(); at = at.parent()) {
      if (!known.insert(at.path()).second) break;
      parts[fmt::format("{}|{}", at.parent().path(), at.kind())].push_back(at);
    }
  }
  for (auto& [key, children] : parts) std::sort(children.begin(), children.end(), natural_order);
}

void Snapshot::Index::index_hosts() {
  const auto clusters = parts.find("|cluster");
  if (clusters == parts.end()) return;
  cluster = clusters->second.front();
  if (const auto found = parts.find(cluster.path() + "|node"); found != parts.end()) nodes = found->second;
  hosts = nodes;
  if (const auto found = parts.find(cluster.path() + "|login"); found != parts.end())
    hosts.insert(hosts.end(), found->second.begin(), found->second.end());
}

Snapshot::Snapshot(std::vector<Observation> observations) : index_(std::make_unique<Index>()) {
  index_->observations = std::move(observations);
  index_->sort();
  index_->index_ranges();
  index_->index_parts();
  index_->index_hosts();
}

Snapshot::~Snapshot() = default;
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;

const Subject& Snapshot::cluster() const { return index_->cluster; }
const std::vector<Subject>& Snapshot::nodes() const { return index_->nodes; }
const std::vector<Subject>& Snapshot::hosts() const { return index_->hosts; }
std::span<const Observation> Snapshot::all() const { return index_->observations; }

std::vector<Subject> Snapshot::parts(const Subject& parent, std::string_view kind) const {
  const auto found = index_->parts.find(fmt::format("{}|{}", parent.path(), kind));
  return found == index_->parts.end() ? std::vector<Subject>() : found->second;
}

const Observation* Snapshot::find(const Subject& subject, std::string_view name) const {
  const auto range = index_->ranges.find(subject.path());
  if (range == index_->ranges.end()) return nullptr;
  const auto first = index_->observations.begin() + static_cast<std::ptrdiff_t>(range->second.first);
  const auto last = index_->observations.begin() + static_cast<std::ptrdiff_t>(range->second.second);
  const auto found =
      std::lower_bound(first, last, name, [](const Observation& o, std::string_view n) { return o.name < n; });
  return found != last && found->name == name ? &*found : nullptr;
}

std::vector<const Observation*> Snapshot::about(const Subject& subject) const {
  std::vector<const Observation*> result;
  const auto range = index_->ranges.find(subject.path());
  if (range == index_->ranges.end()) return result;
  for (std::size_t i = range->second.first; i < range->second.second; ++i) result.push_back(&index_->observations[i]);
  return result;
}

namespace {

// Why nothing was ever said of a subject: its host never answered, or nobody asked.
std::string silence(const Snapshot& snapshot, const Subject& subject, std::string_view name) {
  for (Subject at = subject; !at.empty(); at = at.parent()) {
    const Observation* answered = snapshot.find(at, "agent.answered");
    if (answered == nullptr || answered->absent() == nullptr) continue;
    return fmt::format("{} did not answer ({}: {})", at.id(), name_of(answered->absent()->reason),
                       answered->absent()->detail);
  }
  return fmt::format("{} was not observed", name);
}

template <class T>
Reading<T> read(const Snapshot& snapshot, const Subject& subject, std::string_view name, std::string_view type) {
  Reading<T> reading;
  reading.observation = snapshot.find(subject, name);
  if (reading.observation == nullptr) {
    reading.gap = silence(snapshot, subject, name);
  } else if (const Absent* absent = reading.observation->absent()) {
    reading.gap = fmt::format("{} could not be seen ({}{}{})", name, name_of(absent->reason),
                              absent->detail.empty() ? "" : ": ", absent->detail);
  } else if (const T* value = std::get_if<T>(reading.observation->value())) {
    reading.value = *value;
  } else {
    reading.gap = fmt::format("{} is not {} ({})", name, type, to_text(*reading.observation));
  }
  return reading;
}

}  // namespace

Reading<bool> Snapshot::boolean(const Subject& subject, std::string_view name) const {
  return read<bool>(*this, subject, name, "a yes or no");
}
Reading<std::int64_t> Snapshot::integer(const Subject& subject, std::string_view name) const {
  return read<std::int64_t>(*this, subject, name, "an integer");
}
Reading<std::string> Snapshot::text(const Subject& subject, std::string_view name) const {
  return read<std::string>(*this, subject, name, "a text");
}
Reading<TextList> Snapshot::list(const Subject& subject, std::string_view name) const {
  return read<TextList>(*this, subject, name, "a list");
}
Reading<Record> Snapshot::record(const Subject& subject, std::string_view name) const {
  return read<Record>(*this, subject, name, "a record");
}

Reading<double> Snapshot::number(const Subject& subject, std::string_view name) const {
  const auto whole = integer(subject, name);
  if (whole) return {static_cast<double>(*whole), whole.observation, {}};
  return read<double>(*this, subject, name, "a number");
}

}  // namespace assay
