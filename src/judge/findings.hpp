// Several things found on one subject come to one verdict. The rule, the same for all: the worst counts, and what
// couldn't be seen (a gap) never hides what was proven. A failure stands as it is, for nothing could be worse. A
// warning stands too, but says the gap, for behind it may be a failure. Only a pass beside a gap becomes unknown.
#pragma once

#include <string>
#include <vector>

#include "judge/check.hpp"

namespace assay::judge {

struct Opinion {
  Status status = Status::unknown;
  std::string measured;
  std::string why;
};

// From not_applicable over pass, unknown and warn to fail.
bool worse(Status a, Status b);

class Findings {
 public:
  // Of any status; an unknown is a gap.
  void add(Opinion opinion);
  void fail(std::string measured, std::string why) { add({Status::fail, std::move(measured), std::move(why)}); }
  void warn(std::string measured, std::string why) { add({Status::warn, std::move(measured), std::move(why)}); }
  void gap(std::string why) { add({Status::unknown, "", std::move(why)}); }
  // Observations that the verdict rests on, whichever it will be.
  void rest_on(const std::vector<const Observation*>& observations);

  // What all of it comes to; `sound` if nothing was added.
  Opinion verdict(const Opinion& sound) const;
  void say(const Subject& subject, const Opinion& sound, Judgement& judgement) const;

 private:
  std::vector<Opinion> proven_;  // each worse one before the others
  std::string gap_;              // the first
  std::vector<const Observation*> basis_;
};

}  // namespace assay::judge
