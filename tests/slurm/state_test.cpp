#include "slurm/state.hpp"

#include <gmock/gmock.h>

namespace assay::slurm {
namespace {

TEST(State, OfSinfoIsWrittenAsScontrolHasIt) {
  EXPECT_EQ(state_of_sinfo("idle"), "IDLE");
  EXPECT_EQ(state_of_sinfo("drained*"), "DRAINED+NOT_RESPONDING");
  EXPECT_EQ(state_of_sinfo("idle~"), "IDLE+POWERED_DOWN");
  EXPECT_EQ(state_of_sinfo("mixed$"), "MIXED+MAINT");
  EXPECT_EQ(state_of_sinfo("idle+"), "IDLE");
  EXPECT_EQ(state_of_sinfo(""), "");
}

// What the launcher doesn't ask for, the agent waits for and the checks find is one table's word.
TEST(State, MeansTheSameToAll) {
  struct Case {
    const char* shown;
    Fitness fitness;
    const char* why;
  };
  for (const auto& [shown, fitness, why] : {
           Case{"idle", Fitness::available, ""},
           {"mixed-", Fitness::available, ""},
           {"completing", Fitness::available, ""},
           {"reserved", Fitness::available, "reserved for others"},
           {"idle*", Fitness::awaited, "not responding"},
           {"unknown", Fitness::awaited, "in an unknown state"},
           {"drained*", Fitness::unfit, "drained and not responding"},
           {"draining", Fitness::unfit, "being drained"},
           {"down*", Fitness::unfit, "down and not responding"},
           {"inval", Fitness::unfit, "registered with less than its configuration says"},
           {"failing", Fitness::unfit, "failing"},
           {"maint", Fitness::planned, "in a maintenance reservation"},
           {"idle~", Fitness::planned, "powered down to save power"},
           {"idle#", Fitness::planned, ""},
           {"idle@", Fitness::planned, "about to reboot"},
           {"future", Fitness::planned, "not built yet"},
       }) {
    EXPECT_EQ(fitness_of(state_of_sinfo(shown)), fitness) << shown;
    EXPECT_EQ(why_no_job(state_of_sinfo(shown), false), why) << shown;
  }
}

TEST(State, AReservationOfOnesOwnLetsJobsOntoItsNodes) {
  EXPECT_EQ(why_no_job("IDLE+RESERVED", true), "");
  EXPECT_EQ(why_no_job("IDLE+MAINT", true), "");
  EXPECT_EQ(why_no_job("DOWN+MAINTENANCE", true), "down");
}

TEST(State, WordsThatNobodyKnowsMeanNothing) {
  for (const char* odd : {"", "+", "WHATEVER", "IDLE+WHATEVER", "down"}) {
    EXPECT_EQ(fitness_of(odd), Fitness::available) << odd;
    EXPECT_EQ(why_no_job(odd, false), "") << odd;
  }
}

}  // namespace
}  // namespace assay::slurm
