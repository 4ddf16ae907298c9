#include "rating/part.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::rating {

namespace {

using catalog::Answer;
using catalog::Check;
using catalog::Item;
using catalog::Rubric;
using catalog::Way;

Interval worth(const Rubric& rubric, Status status) {
  switch (status) {
    case Status::pass: return exactly(rubric.pass);
    case Status::warn: return exactly(rubric.warn);
    case Status::fail: return exactly(rubric.fail);
    default: return kUnknown;
  }
}

// The node, link or other thing right below the cluster that a subject belongs to; the cluster itself for what is said
// of the whole.
Subject unit_of(const Subject& subject) {
  Subject at = subject;
  while (!at.parent().parent().empty()) at = at.parent();
  return at;
}

// What the verdicts of one way come to.
struct Tally {
  std::map<Subject, Interval> units;  // not_applicable ones aren't in it
  std::map<Status, std::vector<const Verdict*>> by_status;

  const Verdict* first(Status status) const {
    const auto found = by_status.find(status);
    return found == by_status.end() ? nullptr : found->second.front();
  }
  std::size_t count(Status status) const {
    const auto found = by_status.find(status);
    return found == by_status.end() ? 0 : found->second.size();
  }
};

Tally tally(const Rubric& rubric, const std::vector<const Check*>& checks, const VerdictsByCheck& verdicts) {
  Tally result;
  for (const Check* check : checks) {
    const auto said = verdicts.find(check->id);
    if (said == verdicts.end()) continue;
    for (const Verdict* verdict : said->second) {
      result.by_status[verdict->status].push_back(verdict);
      if (verdict->status == Status::not_applicable) continue;
      const Interval value = worth(rubric, verdict->status);
      const auto [unit, fresh] = result.units.emplace(unit_of(verdict->subject), value);
      if (!fresh) unit->second = worse_of(unit->second, value);
    }
  }
  return result;
}

Interval combine(const Tally& tally) {
  Mean units;
  Interval whole = exactly(1);
  for (const auto& [unit, value] : tally.units) {
    if (unit.parent().empty())
      whole = worse_of(whole, value);
    else
      units.add(value);
  }
  return worse_of(whole, units.value().value_or(exactly(1)));
}

std::string told(const Tally& tally, const Verdict& one) {
  const std::size_t others = tally.count(one.status) - 1;
  return fmt::format("{}: {}{}", one.subject.path(), one.why, others == 0 ? "" : fmt::format(" (and {} more)", others));
}

std::string told(const Tally& tally, Status status) {
  const Verdict* first = tally.first(status);
  return first == nullptr ? std::string() : told(tally, *first);
}

// One of the unknown ones that more rights would close; nullptr if none.
const Verdict* kept_from_us(const Tally& tally) {
  const auto unknown = tally.by_status.find(Status::unknown);
  if (unknown == tally.by_status.end()) return nullptr;
  const auto found =
      std::find_if(unknown->second.begin(), unknown->second.end(), [](const Verdict* v) { return v->hidden; });
  return found == unknown->second.end() ? nullptr : *found;
}

void set_closing(Part& part, Way way, const std::vector<const Check*>& checks, const Tally& tally) {
  if (checks.empty()) {
    part.close_how = "later";
    part.close_words = fmt::format("no check of this version sees it ({}): wait for a later phase", name_of(way));
  } else if (tally.by_status.empty()) {
    part.close_how = "run";
    part.close_words = fmt::format("run the {} phase", checks.front()->phase);
  } else if (const Verdict* hidden = kept_from_us(tally)) {
    part.close_how = "root";
    part.close_words = "look again as root; " + told(tally, *hidden);
  } else {
    part.close_how = "look";
    part.close_words = "see to what stood in the way; " + told(tally, Status::unknown);
  }
}

std::string note_of(const Tally& tally) {
  for (const Status status : {Status::fail, Status::warn, Status::unknown, Status::pass, Status::not_applicable})
    if (tally.first(status) != nullptr) return told(tally, status);
  return {};
}

bool clears(const catalog::AnswerValue& bar, double value) {
  return (!bar.at_least || value >= *bar.at_least) && (!bar.at_most || value <= *bar.at_most);
}

Answer::Word judged(const Item& item, const Answer& answer) {
  if (answer.word != Answer::Word::value || !item.value) return answer.word;
  return clears(*item.value, answer.value) ? Answer::Word::yes : Answer::Word::no;
}

std::string told(const Item& item, const Answer& answer) {
  const std::string what = answer.word == Answer::Word::value && item.value
                               ? fmt::format("{} {}", answer.value, item.value->unit)
                               : std::string(name_of(answer.word));
  return fmt::format("answered {} by {} on {}, {}", what, answer.by, answer.date,
                     answer.document ? fmt::format("proven by {} ({}, {})", answer.document->title,
                                                   answer.document->date, answer.document->file)
                                     : "without a document");
}

}  // namespace

Part seen_part(const Rubric& rubric, Way way, const std::vector<const Check*>& checks,
               const VerdictsByCheck& verdicts) {
  const Tally found = tally(rubric, checks, verdicts);
  Part part;
  part.spoken = !found.units.empty();
  part.failed = found.count(Status::fail) > 0;
  part.warned = found.count(Status::warn) > 0;
  part.decided = part.failed || part.warned || found.count(Status::pass) > 0;
  part.applies = !found.units.empty() || found.count(Status::not_applicable) == 0;
  if (!found.units.empty()) part.score = combine(found);
  part.seen = 1 - part.score.width();
  part.note = note_of(found);
  set_closing(part, way, checks, found);
  return part;
}

Part answer_part(const Rubric& rubric, const Item& item, const Answer* answer) {
  Part part;
  if (answer == nullptr) {
    const bool asked = std::find(item.how.begin(), item.how.end(), Way::asked) != item.how.end();
    part.close_how = asked ? "ask" : "note";
    part.close_words = (asked ? "ask the provider, with a document: " : "note it during the trial: ") + item.question;
    return part;
  }
  const Answer::Word word = judged(item, *answer);
  const double best = word == Answer::Word::no ? rubric.fail : word == Answer::Word::partly ? rubric.warn : rubric.pass;
  // Nobody claims a fault that isn't there: a "no" needs no document.
  const bool proven = answer->document.has_value() || word == Answer::Word::no;
  part.score = proven ? exactly(best) : Interval{rubric.claim * best, best};
  part.seen = proven ? 1 : 0;
  part.spoken = part.decided = true;
  part.failed = word == Answer::Word::no;
  part.warned = word == Answer::Word::partly;
  part.note = told(item, *answer);
  part.close_how = "document";
  part.close_words = "have the answer proven by a document: " + item.question;
  return part;
}

}  // namespace assay::rating
