// The engine itself: what a check's own mistake costs, and how its logic is found.
#include <gmock/gmock.h>

#include <stdexcept>

#include "judging.hpp"

namespace assay::testing {
namespace {

using judge::Entry;
using judge::Family;
using judge::Judgement;

const Snapshot& three_nodes() {
  static const Snapshot snapshot({seen("cluster/c/node/n1", "agent.answered", true),
                                  seen("cluster/c/node/n2", "agent.answered", true),
                                  seen("cluster/c/node/n3", "agent.answered", true)});
  return snapshot;
}

void breaks_off(const Snapshot& snapshot, Judgement& judgement) {
  judgement.fail(snapshot.nodes()[0], "3", "proven", {});
  judgement.pass(snapshot.nodes()[1], "4", "looked fine so far", {});
  throw std::out_of_range("no such row");
}

TEST(Judge, LogicThatThrowsKeepsWhatItProvedAndPassesNobody) {
  const auto& check = check_named("lifecycle.kernel-uniform");
  std::map<std::string, Verdict> by_subject;
  for (Verdict& verdict : judge::judge_one(check, breaks_off, three_nodes()))
    by_subject.emplace(verdict.subject.path(), std::move(verdict));
  EXPECT_EQ(by_subject.at("cluster/c/node/n1").status, Status::fail);
  for (const char* subject : {"cluster/c", "cluster/c/node/n2", "cluster/c/node/n3"}) {
    EXPECT_EQ(by_subject.at(subject).status, Status::unknown) << subject;
    EXPECT_THAT(by_subject.at(subject).why, ::testing::HasSubstr("no such row")) << subject;
  }
}

void speaks_of_a_part(const Snapshot& snapshot, Judgement& judgement) {
  judgement.pass(snapshot.nodes()[0].child("gpu", "0"), "4", "fine", {});
}

TEST(Judge, AWordOnAPartIsAWordOnItsNodeAndOnNoOther) {
  const Snapshot snapshot(
      {seen("cluster/c/node/n1", "agent.answered", true), seen("cluster/c/node/n10", "agent.answered", true)});
  const auto verdicts = judge::judge_one(check_named("orchestration.cpu-governor"), speaks_of_a_part, snapshot);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].subject.path(), "cluster/c/node/n1/gpu/0");
  EXPECT_EQ(verdicts[1].subject.path(), "cluster/c/node/n10");
  EXPECT_EQ(verdicts[1].status, Status::unknown);
}

TEST(Judge, TwoLogicsForOneCheckAreRefused) {
  const Family one = {{"a.one", breaks_off}, {"a.two", breaks_off}};
  const Family same = {{"a.two", breaks_off}};
  EXPECT_EQ(judge::registry_of({&one}).value().size(), 2u);
  const auto refused = judge::registry_of({&one, &same});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, "a.two");
}

TEST(Judge, OnlyWhatRightsWouldShowIsHidden) {
  const auto marked = [](Absence reason, std::int64_t uid, Status status) {
    auto gap = unseen("cluster/c/node/n1/device/ipmi0", "device.mode", reason);
    gap.id = 7;
    const Snapshot snapshot({gap, seen("cluster/c/node/n1", "agent.uid", uid)});
    std::vector<Verdict> verdicts(1);
    verdicts[0].status = status;
    verdicts[0].evidence = {7};
    judge::mark_hidden(snapshot, verdicts);
    return verdicts[0].hidden;
  };
  EXPECT_TRUE(marked(Absence::permission, 1000, Status::unknown));
  EXPECT_FALSE(marked(Absence::permission, 0, Status::unknown)) << "root looked already";
  EXPECT_FALSE(marked(Absence::timeout, 1000, Status::unknown));
  EXPECT_FALSE(marked(Absence::permission, 1000, Status::pass));
}

}  // namespace
}  // namespace assay::testing
