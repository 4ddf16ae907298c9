#include "judge/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace assay::judge {

namespace {

int badness(Status status) {
  constexpr std::array kOrder{Status::not_applicable, Status::pass, Status::unknown, Status::warn, Status::fail};
  return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), status) - kOrder.begin());
}

std::string joined(const std::vector<std::string>& parts, std::size_t most) {
  const auto end = parts.begin() + static_cast<std::ptrdiff_t>(std::min(most, parts.size()));
  std::string text = fmt::format("{}", fmt::join(parts.begin(), end, "; "));
  if (parts.size() > most) text += fmt::format("; and {} more", parts.size() - most);
  return text;
}

}  // namespace

bool worse(Status a, Status b) { return badness(a) > badness(b); }

void Findings::add(Opinion opinion) {
  if (opinion.status == Status::unknown) {
    if (gap_.empty()) gap_ = std::move(opinion.why);
    return;
  }
  const auto place = std::find_if(proven_.begin(), proven_.end(),
                                  [&](const Opinion& other) { return worse(opinion.status, other.status); });
  proven_.insert(place, std::move(opinion));
}

void Findings::rest_on(const std::vector<const Observation*>& observations) {
  basis_.insert(basis_.end(), observations.begin(), observations.end());
}

Opinion Findings::verdict(const Opinion& sound) const {
  constexpr std::size_t kMostMeasured = 12, kMostReasons = 3;
  if (proven_.empty()) return gap_.empty() ? sound : Opinion{Status::unknown, "", gap_};
  std::vector<std::string> measured, reasons;
  const Status worst = proven_.front().status;
  for (const Opinion& each : proven_) {
    if (!each.measured.empty()) measured.push_back(each.measured);
    if (each.status == worst) reasons.push_back(each.why);
  }
  const std::string why = joined(reasons, kMostReasons);
  if (gap_.empty() || worst == Status::fail) return {worst, joined(measured, kMostMeasured), why};
  if (worst == Status::warn)
    return {worst, joined(measured, kMostMeasured), fmt::format("{}; not seen: {}", why, gap_)};
  return {Status::unknown, "", fmt::format("{}; what was seen: {}", gap_, why)};
}

void Findings::say(const Subject& subject, const Opinion& sound, Judgement& judgement) const {
  Opinion opinion = verdict(sound);
  judgement.say(opinion.status, subject, std::move(opinion.measured), std::move(opinion.why), basis_);
}

}  // namespace assay::judge
