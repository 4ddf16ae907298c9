#include "rating/item.hpp"

#include <algorithm>

#include "rating/part.hpp"

namespace assay::rating {

namespace {

using catalog::Answer;
using catalog::Check;
using catalog::Item;
using catalog::Rubric;
using catalog::Way;

std::vector<const Check*> of_way(const std::vector<const Check*>& checks, Way way) {
  std::vector<const Check*> found;
  for (const Check* check : checks)
    if (catalog::way_of_phase(check->phase) == way) found.push_back(check);
  return found;
}

Part unseen_part(const Item& item) {
  Part part;
  part.close_how = "later";
  part.close_words = "no check of this version sees " + item.not_yet;
  return part;
}

// Where no check looks, the question that stands in for it is the nearer way.
void offer_to_ask(Part& part, const Part& question) {
  if (part.close_how != "later") return;
  part.close_how = question.close_how;
  part.close_words = question.close_words;
}

std::vector<Part> parts_of(const Rubric& rubric, const Item& item, const std::vector<const Check*>& checks,
                           const VerdictsByCheck& verdicts, const Answer* answer) {
  std::vector<Part> parts;
  for (const Way way : {Way::audit, Way::bench, Way::burn, Way::drill}) {
    const auto of = of_way(checks, way);
    const bool named = std::find(item.how.begin(), item.how.end(), way) != item.how.end();
    if (named || !of.empty()) parts.push_back(seen_part(rubric, way, of, verdicts));
  }
  const bool machine = !parts.empty();
  if (answer != nullptr) std::erase_if(parts, [](const Part& part) { return part.applies && !part.decided; });
  const auto left = [](const Part& part) { return !part.applies; };
  const bool shown_by_none = item.always && std::all_of(parts.begin(), parts.end(), left);
  if (shown_by_none) parts.clear();
  if (answer != nullptr || !machine || shown_by_none) parts.push_back(answer_part(rubric, item, answer));
  if (answer != nullptr) return parts;
  if (!item.not_yet.empty()) parts.push_back(unseen_part(item));
  if (item.answerable())
    for (Part& part : parts) offer_to_ask(part, answer_part(rubric, item, nullptr));
  return parts;
}

bool silent(const std::vector<Part>& parts) {
  return std::none_of(parts.begin(), parts.end(), [](const Part& part) { return part.spoken; });
}

// A part that was positively found not to apply takes the item with it, unless something was said of another part.
bool left_out(const std::vector<Part>& parts) {
  return silent(parts) && std::any_of(parts.begin(), parts.end(), [](const Part& part) { return !part.applies; });
}

Status status_of(const std::vector<Part>& parts, double seen) {
  const auto any = [&](bool Part::*what) {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& part) { return part.*what; });
  };
  if (any(&Part::failed)) return Status::fail;
  if (any(&Part::warned)) return Status::warn;
  return seen < 1 ? Status::unknown : Status::pass;
}

// The words of the part that decided the status; else of the first that has any.
std::string note_of(const std::vector<Part>& parts, Status status) {
  const Part* best = nullptr;
  for (const Part& part : parts) {
    if (part.note.empty()) continue;
    const bool decides = status == Status::fail      ? part.failed
                         : status == Status::warn    ? part.warned
                         : status == Status::unknown ? part.score.width() > 0
                                                     : status != Status::not_applicable || !part.applies;
    if (best == nullptr || decides) best = &part;
    if (decides) break;
  }
  return best == nullptr ? std::string() : best->note;
}

}  // namespace

Scored score_item(const Rubric& rubric, const Item& item, const std::vector<const Check*>& checks,
                  const VerdictsByCheck& verdicts, const Answer* answer, const std::string& scheduler_gone) {
  Scored scored;
  ItemScore& result = scored.item;
  result.id = item.id;
  result.title = item.title;
  for (const Way way : item.how) result.how.emplace_back(name_of(way));
  result.critical = item.critical;
  result.weight = item.weight;
  for (const Check* check : checks) result.checks.push_back(check->id);

  std::vector<Part> parts = parts_of(rubric, item, checks, verdicts, answer);
  if (left_out(parts) || (silent(parts) && !scheduler_gone.empty())) {
    result.status = Status::not_applicable;
    result.note = left_out(parts) ? note_of(parts, Status::not_applicable) : scheduler_gone;
    return scored;
  }
  std::erase_if(parts, [](const Part& part) { return !part.applies; });
  Mean mean;
  double seen = 0;
  for (const Part& part : parts) {
    mean.add(part.score);
    seen += part.seen;
  }
  const double count = static_cast<double>(parts.size());
  result.score = mean.value().value_or(kUnknown);
  result.seen = seen / count;
  result.status = status_of(parts, result.seen);
  result.note = note_of(parts, result.status);
  for (const Part& part : parts)
    if (part.score.width() > 0)
      scored.openings.push_back({part.close_how, part.close_words, part.score.width() / count});
  return scored;
}

}  // namespace assay::rating
