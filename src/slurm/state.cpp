#include "slurm/state.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace assay::slurm {

namespace {

// In the order in which one decides beside another.
enum class Meaning { failing, planned, given_up, silent, reserved };

struct Word {
  std::string_view word;
  Meaning meaning;
  std::string_view why;  // no job gets onto it; "" if one may
};

// slurm_protocol_defs.c, node_state_string() and the flags that its variants add; old and new names.
constexpr std::array kWords{
    Word{"FAIL", Meaning::failing, "failing"},
    Word{"FAILING", Meaning::failing, "failing"},
    Word{"ERROR", Meaning::failing, "in error"},
    Word{"INVAL", Meaning::failing, "registered with less than its configuration says"},
    Word{"INVALID_REG", Meaning::failing, "registered with less than its configuration says"},
    Word{"MAINT", Meaning::planned, "in a maintenance reservation"},
    Word{"MAINTENANCE", Meaning::planned, "in a maintenance reservation"},
    Word{"POWERED_DOWN", Meaning::planned, "powered down to save power"},
    Word{"POWERING_DOWN", Meaning::planned, "being powered down"},
    Word{"POWER_DOWN", Meaning::planned, "about to be powered down"},
    Word{"POWERING_UP", Meaning::planned, ""},
    Word{"POWER_UP", Meaning::planned, ""},
    Word{"REBOOT", Meaning::planned, "rebooting"},
    Word{"REBOOT_ISSUED", Meaning::planned, "rebooting"},
    Word{"REBOOT_REQUESTED", Meaning::planned, "about to reboot"},
    Word{"FUTURE", Meaning::planned, "not built yet"},
    Word{"DOWN", Meaning::given_up, "down"},
    Word{"DRAIN", Meaning::given_up, "drained"},
    Word{"DRAINED", Meaning::given_up, "drained"},
    Word{"DRAINING", Meaning::given_up, "being drained"},
    Word{"BLOCKED", Meaning::given_up, "blocked"},
    Word{"UNKNOWN", Meaning::silent, "in an unknown state"},
    Word{"NOT_RESPONDING", Meaning::silent, "not responding"},
    Word{"NO_RESPOND", Meaning::silent, "not responding"},
    Word{"RESERVED", Meaning::reserved, "reserved for others"},
    Word{"RESV", Meaning::reserved, "reserved for others"},
};

// What sinfo puts after a state.
constexpr std::array<std::pair<char, std::string_view>, 9> kMarks{{
    {'*', "NOT_RESPONDING"},
    {'~', "POWERED_DOWN"},
    {'#', "POWERING_UP"},
    {'%', "POWERING_DOWN"},
    {'!', "POWER_DOWN"},
    {'$', "MAINT"},
    {'@', "REBOOT_REQUESTED"},
    {'^', "REBOOT_ISSUED"},
    {'-', "PLANNED"},
}};

const Word* known(std::string_view word) {
  const auto found = std::find_if(kWords.begin(), kWords.end(), [&](const Word& one) { return one.word == word; });
  return found == kWords.end() ? nullptr : &*found;
}

bool yields_to_reservation(const Word& word) {
  return word.meaning == Meaning::reserved || word.word.starts_with("MAINT");
}

}  // namespace

Fitness fitness_of(std::string_view state) {
  Meaning strongest = Meaning::reserved;
  for (const std::string_view word : text::split(state, '+'))
    if (const Word* one = known(word)) strongest = std::min(strongest, one->meaning);
  switch (strongest) {
    case Meaning::failing:
    case Meaning::given_up: return Fitness::unfit;
    case Meaning::planned: return Fitness::planned;
    case Meaning::silent: return Fitness::awaited;
    case Meaning::reserved: break;
  }
  return Fitness::available;
}

std::string why_no_job(std::string_view state, bool in_reservation) {
  std::string why;
  for (const std::string_view word : text::split(state, '+')) {
    const Word* one = known(word);
    if (one == nullptr || one->why.empty() || (in_reservation && yields_to_reservation(*one))) continue;
    why.append(why.empty() ? "" : " and ").append(one->why);
  }
  return why;
}

std::string state_of_sinfo(std::string_view shown) {
  const auto end = std::min(shown.find_first_of("*~#%!$@^-+"), shown.size());
  std::string state = text::upper(shown.substr(0, end));
  for (const char mark : shown.substr(end))
    for (const auto& [sign, word] : kMarks)
      if (mark == sign) state.append("+").append(word);
  return state;
}

}  // namespace assay::slurm
