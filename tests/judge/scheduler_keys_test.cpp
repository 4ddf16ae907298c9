#include <gtest/gtest.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "security.munge-key-private";
const std::string kNode = "cluster/c/node/n1";
const std::string kKey = kNode + "/scheduler-key/munge.key";
constexpr auto kVerdict = "node/n1/scheduler-key/munge.key";

std::string key(std::int64_t mode, const std::string& owner) {
  return status_of(kCheck, {seen(kKey, "scheduler-key.mode", mode), seen(kKey, "scheduler-key.owner", owner)},
                   kVerdict);
}

TEST(MungeKeyPrivate, SoundAndUnsound) {
  EXPECT_EQ(key(0400, "munge"), "pass");
  EXPECT_EQ(key(0600, "root"), "pass");
  EXPECT_EQ(key(0440, "munge"), "fail");
  EXPECT_EQ(key(0644, "munge"), "fail");
  EXPECT_EQ(key(0400, "alice"), "fail");
}

TEST(MungeKeyPrivate, AClosedFolderKeepsTheKeyAndAnOpenOneDoesNotTell) {
  const auto hidden = [](std::int64_t folder) {
    return status_of(
        kCheck,
        {unseen(kKey, "scheduler-key.mode", Absence::permission),
         unseen(kKey, "scheduler-key.owner", Absence::permission), seen(kKey, "scheduler-key.folder-mode", folder)},
        kVerdict);
  };
  EXPECT_EQ(hidden(0700), "pass");
  EXPECT_EQ(hidden(0710), "unknown");
}

TEST(MungeKeyPrivate, AnOpenCopyOfAPrivateKeyIsOpen) {
  const std::string copy = kNode + "/scheduler-key/%2Fetc%2Fmunge%2Fmunge.key.bak";
  const auto with_copy = [&](std::int64_t mode) {
    return judged(kCheck,
                  {seen(kKey, "scheduler-key.mode", std::int64_t{0400}), seen(kKey, "scheduler-key.owner", "munge"),
                   seen(kKey, "scheduler-key.copies", TextList{"/etc/munge/munge.key.bak"}),
                   seen(copy, "scheduler-key.mode", mode), seen(copy, "scheduler-key.owner", "root")});
  };
  const auto open = with_copy(0644);
  EXPECT_EQ(open.at(kVerdict).status, Status::pass);
  EXPECT_EQ(open.at("node/n1/scheduler-key/%2Fetc%2Fmunge%2Fmunge.key.bak").status, Status::fail);
  EXPECT_EQ(with_copy(0400).at("node/n1/scheduler-key/%2Fetc%2Fmunge%2Fmunge.key.bak").status, Status::pass);
}

TEST(MungeKeyPrivate, AnOpenKeyIsOpenWhoeverOwnsIt) {
  const auto ownerless = [](std::int64_t mode) {
    return status_of(kCheck,
                     {seen(kKey, "scheduler-key.mode", mode), unseen(kKey, "scheduler-key.owner", Absence::malformed)},
                     kVerdict);
  };
  EXPECT_EQ(ownerless(0644), "fail");
  EXPECT_EQ(ownerless(0400), "unknown");
}

TEST(MungeKeyPrivate, ACopyThatWasListedAndNotLookedAtIsUnknown) {
  const auto verdicts =
      judged(kCheck, {seen(kKey, "scheduler-key.mode", std::int64_t{0400}), seen(kKey, "scheduler-key.owner", "munge"),
                      seen(kKey, "scheduler-key.copies", TextList{"/etc/munge/munge.key.bak"})});
  EXPECT_EQ(verdicts.at("node/n1/scheduler-key/%2Fetc%2Fmunge%2Fmunge.key.bak").status, Status::unknown);
}

TEST(MungeKeyPrivate, CopiesThatWereNotSeenAreNoPassUnlessTheFolderIsClosed) {
  const auto with_folder = [](std::int64_t folder, const Observation& copies) {
    return status_of(kCheck,
                     {seen(kKey, "scheduler-key.mode", std::int64_t{0400}), seen(kKey, "scheduler-key.owner", "munge"),
                      seen(kKey, "scheduler-key.folder-mode", folder), copies},
                     kVerdict);
  };
  EXPECT_EQ(with_folder(0711, unseen(kKey, "scheduler-key.copies", Absence::permission)), "unknown");
  EXPECT_EQ(with_folder(0700, unseen(kKey, "scheduler-key.copies", Absence::permission)), "pass");
  EXPECT_EQ(with_folder(0755, seen(kKey, "scheduler-key.copies", "none")), "unknown");
}

TEST(MungeKeyPrivate, Malformed) {
  EXPECT_EQ(
      status_of(kCheck, {seen(kKey, "scheduler-key.mode", "rw-r--r--"), seen(kKey, "scheduler-key.owner", "munge")},
                kVerdict),
      "unknown");
}

TEST(MungeKeyPrivate, NoKeyIsUnknownWithSlurmAndNotApplicableWithout) {
  const auto missing = unseen(kKey, "scheduler-key.mode", Absence::missing);
  EXPECT_EQ(status_of(kCheck, {missing, seen(kNode, "slurm.present", true)}, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kCheck, {missing, seen(kNode, "slurm.present", false)}, "node/n1"), "not_applicable");
  EXPECT_EQ(status_of(kCheck, {missing}, "node/n1"), "unknown");
}

}  // namespace
}  // namespace assay::testing
