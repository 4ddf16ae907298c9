#include "report/gaps.hpp"

#include <gtest/gtest.h>

#include "report/fold.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using report::Gap;

Subject node(const std::string& name) { return Subject::parse("cluster/c/node/" + name).value(); }

struct Evidence {
  std::vector<Subject> hosts;
  std::vector<Store::StepEnd> steps;
  std::vector<Observation> observations;
  std::set<std::int64_t> needed;
  std::set<std::string> lost = {};

  void step(const std::string& host, const std::string& name, const std::string& detail = {},
            StepState state = StepState::done) {
    steps.push_back({{node(host).path(), name}, state, detail});
  }
  // "n1 gpu timeout", one a line.
  std::string find() const {
    std::string text;
    for (const Gap& gap : report::find_gaps({hosts, steps, observations, needed, lost}))
      text += report::fold_subjects(gap.subjects) + " " + gap.name + " " + gap.reason + "\n";
    return text;
  }
};

TEST(Gaps, NoneWhereAllAnswered) {
  Evidence evidence{{node("n1")}, {}, {seen("cluster/c/node/n1", "agent.answered", true)}, {}};
  evidence.step("n1", "agent");
  evidence.step("n1", "os");
  EXPECT_EQ(evidence.find(), "");
}

TEST(Gaps, ASilentHostIsOneGap) {
  Evidence evidence{{node("n1")},
                    {},
                    {unseen("cluster/c/node/n1", "agent.answered", Absence::timeout, "no route"),
                     unseen("cluster/c/node/n1", "os.id", Absence::timeout, "no route")},
                    {}};
  evidence.step("n1", "os", "no route", StepState::failed);
  evidence.step("n1", "agent", "no route", StepState::failed);
  EXPECT_EQ(evidence.find(), "n1 agent timeout\n");
}

TEST(Gaps, AHostNeverAskedIsSaid) {
  Evidence evidence{{node("n1"), node("n2")}, {}, {seen("cluster/c/node/n1", "agent.answered", true)}, {}};
  evidence.step("n1", "agent");
  EXPECT_EQ(evidence.find(), "n2 agent unasked\n");
}

TEST(Gaps, AHungReaderIsOneGapWithItsReason) {
  Evidence evidence{
      {node("n1")},
      {},
      {seen("cluster/c/node/n1", "agent.answered", true),
       unseen("cluster/c/node/n1", "gpu.count", Absence::timeout, "the reader gpu timed out: after 20 s")},
      {}};
  evidence.step("n1", "agent");
  evidence.step("n1", "gpu", "the reader gpu timed out: after 20 s");
  EXPECT_EQ(evidence.find(), "n1 gpu timeout\n");
}

TEST(Gaps, TheSameThingHiddenOnManyNodesIsOneGap) {
  Evidence evidence{{},
                    {},
                    {unseen("cluster/c/node/n1/device/ipmi0", "device.mode", Absence::permission, "denied"),
                     unseen("cluster/c/node/n2/device/ipmi0", "device.mode", Absence::permission, "denied"),
                     unseen("cluster/c/node/n3/device/ipmi0", "device.mode", Absence::permission, "other words")},
                    {}};
  EXPECT_EQ(evidence.find(), "n[1-2] device ipmi0 device.mode permission\nn3 device ipmi0 device.mode permission\n");
}

TEST(Gaps, WhatIsTrulyNotThereIsNoGapUnlessAVerdictNeedsIt) {
  Evidence evidence{{}, {}, {unseen("cluster/c/node/n1", "nccl.conf", Absence::missing)}, {}};
  EXPECT_EQ(evidence.find(), "");
  evidence.needed.insert(evidence.observations[0].id);
  EXPECT_EQ(evidence.find(), "n1 nccl.conf missing\n");
}

}  // namespace
}  // namespace assay::testing
