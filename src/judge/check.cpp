#include "judge/check.hpp"

#include <stdexcept>

namespace assay::judge {

const catalog::Table& Judgement::table(std::string_view name) const {
  const auto found = check_->tables.find(name);
  if (found == check_->tables.end())
    throw std::invalid_argument("the check's text names no table " + std::string(name));
  return *found->second;
}

void Judgement::say(Status status, const Subject& subject, std::string measured, std::string why,
                    std::vector<const Observation*> basis) {
  Verdict verdict;
  verdict.check = check_->id;
  verdict.subject = subject;
  verdict.status = status;
  verdict.measured = std::move(measured);
  verdict.expected = check_->expected;
  verdict.why = std::move(why);
  if (status == Status::fail || status == Status::warn) verdict.fix = check_->fix;
  for (const Observation* observation : basis)
    if (observation != nullptr) verdict.evidence.push_back(observation->id);
  verdicts_.push_back(std::move(verdict));
}

void Judgement::keep_findings() {
  std::erase_if(verdicts_,
                [](const Verdict& said) { return said.status != Status::fail && said.status != Status::warn; });
}

void Judgement::pass(const Subject& subject, std::string measured, std::string why,
                     std::vector<const Observation*> basis) {
  say(Status::pass, subject, std::move(measured), std::move(why), std::move(basis));
}

void Judgement::warn(const Subject& subject, std::string measured, std::string why,
                     std::vector<const Observation*> basis) {
  say(Status::warn, subject, std::move(measured), std::move(why), std::move(basis));
}

void Judgement::fail(const Subject& subject, std::string measured, std::string why,
                     std::vector<const Observation*> basis) {
  say(Status::fail, subject, std::move(measured), std::move(why), std::move(basis));
}

void Judgement::unknown(const Subject& subject, std::string why, std::vector<const Observation*> basis) {
  say(Status::unknown, subject, "", std::move(why), std::move(basis));
}

void Judgement::not_applicable(const Subject& subject, std::string why, std::vector<const Observation*> basis) {
  say(Status::not_applicable, subject, "", std::move(why), std::move(basis));
}

}  // namespace assay::judge
