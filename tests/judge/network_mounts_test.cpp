#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using Observations = std::vector<Observation>;
constexpr auto kUniform = "storage.mounts-uniform";
constexpr auto kAnswer = "storage.mounts-answer";

struct Mount {
  std::string source = "10.0.0.5:/data";
  bool read_only = false;
  TextList options = {"vers=4.2", "hard", "proto=tcp", "addr=10.0.0.5"};
  std::string identity = "inode 128, changed 1.0";
  bool on_demand = false;
};

void add(Observations& all, const std::string& node, const Mount& mount) {
  const std::string subject = "cluster/c/node/" + node;
  all.push_back(seen(subject, "mounts.network", TextList{"/data"}));
  const std::string part = subject + "/mount/%2Fdata";
  all.push_back(seen(part, "mount.source", mount.source));
  all.push_back(seen(part, "mount.type", std::string("nfs4")));
  all.push_back(seen(part, "mount.read-only", mount.read_only));
  all.push_back(seen(part, "mount.options", mount.options));
  all.push_back(seen(part, "mount.identity", mount.identity));
  all.push_back(seen(part, "mount.on-demand", mount.on_demand));
}

void add_none(Observations& all, const std::string& node) {
  all.push_back(seen("cluster/c/node/" + node, "mounts.network", TextList{}));
}

// Three nodes that are alike, and n4 with `odd`.
std::string odd_one(const Mount& odd) {
  Observations all;
  for (const auto node : {"n1", "n2", "n3"}) add(all, node, {});
  add(all, "n4", odd);
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "pass");
  return status_of(kUniform, all, "node/n4");
}

TEST(MountsUniform, Sound) { EXPECT_EQ(odd_one({}), "pass"); }

TEST(MountsUniform, OddOnesAreNamed) {
  EXPECT_EQ(odd_one({.read_only = true}), "fail");
  EXPECT_EQ(odd_one({.source = "10.0.0.9:/old", .identity = "inode 2, changed 9.0"}), "fail");
  EXPECT_EQ(odd_one({.options = {"vers=4.2", "soft", "proto=tcp"}}), "warn");
}

TEST(MountsUniform, WhatLooksOddAndIsSound) {
  // The same export by another address, and an option that is the client's own.
  EXPECT_EQ(odd_one({.source = "10.0.0.6:/data", .options = {"vers=4.2", "hard", "proto=tcp", "addr=10.0.0.6"}}),
            "pass");
}

TEST(MountsUniform, OddOnesOfSeveralKindsAreNamedEach) {
  Observations all;
  add(all, "n1", {.identity = ""});  // hangs: it tells no identity
  all.erase(all.begin() + 5);
  add(all, "n2", {.read_only = true});
  add(all, "n3", {.source = "fileserver:/data"});
  add_none(all, "n4");
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "pass");
  EXPECT_EQ(status_of(kUniform, all, "node/n2"), "fail");
  EXPECT_EQ(status_of(kUniform, all, "node/n3"), "pass");
  EXPECT_EQ(status_of(kUniform, all, "node/n4"), "fail");
}

TEST(MountsUniform, MountsOnDemandComeAndGo) {
  Observations all;
  add(all, "n1", {.on_demand = true});
  for (const auto node : {"n2", "n3"}) add_none(all, node);
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "not_applicable");
}

TEST(MountsUniform, AMountThatMayComeAndGoIsNotMissing) {
  Observations all;
  for (const auto node : {"n1", "n2", "n3"}) add(all, node, {});
  add_none(all, "n4");
  for (Observation& each : all)
    if (each.name == "mount.on-demand" && each.subject.parent().id() == "n1")
      each = unseen(each.subject.path(), each.name, Absence::timeout);
  EXPECT_EQ(status_of(kUniform, all, "node/n4"), "unknown");
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "unknown");
}

TEST(MountsUniform, AMountThatIsNotThereIsNamed) {
  Observations all;
  for (const auto node : {"n1", "n2", "n3"}) add(all, node, {});
  add_none(all, "n4");
  EXPECT_EQ(status_of(kUniform, all, "node/n3"), "pass");
  EXPECT_EQ(status_of(kUniform, all, "node/n4"), "fail");
  EXPECT_THAT(judged(kUniform, all).at("node/n4").measured, ::testing::HasSubstr("/data is not mounted here"));
}

TEST(MountsUniform, AMountOfOneNodeIsNoFaultOfTheOthers) {
  Observations all;
  add(all, "n1", {});
  for (const auto node : {"n2", "n3", "n4"}) add_none(all, node);
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "warn");
  EXPECT_EQ(status_of(kUniform, all, "node/n2"), "pass");
}

TEST(MountsUniform, TiesAreTheClusters) {
  Observations half;
  add(half, "n1", {});
  add_none(half, "n2");
  EXPECT_EQ(status_of(kUniform, half, ""), "warn");
  EXPECT_EQ(status_of(kUniform, half, "node/n2"), "unknown");
  Observations split;
  add(split, "n1", {});
  add(split, "n2", {.read_only = true});
  EXPECT_EQ(status_of(kUniform, split, ""), "warn");
  EXPECT_EQ(status_of(kUniform, split, "node/n1"), "unknown");
}

TEST(MountsUniform, NothingToCompare) {
  Observations alone;
  add(alone, "n1", {});
  EXPECT_EQ(status_of(kUniform, alone, "node/n1"), "not_applicable");
  Observations none;
  add_none(none, "n1");
  add_none(none, "n2");
  EXPECT_EQ(status_of(kUniform, none, "node/n1"), "not_applicable");
  for (const Observation& unread : {unseen("cluster/c/node/n3", "mounts.network", Absence::permission),
                                    seen("cluster/c/node/n3", "mounts.network", "/data")}) {
    Observations part = none;
    part.push_back(unread);
    EXPECT_EQ(status_of(kUniform, part, "node/n1"), "unknown") << "n3 may mount one";
  }
}

TEST(MountsUniform, UnreadableAndMalformed) {
  Observations all;
  for (const auto node : {"n1", "n2"}) add(all, node, {});
  all.push_back(unseen("cluster/c/node/n3", "mounts.network", Absence::timeout));
  all.push_back(seen("cluster/c/node/n4", "mounts.network", std::int64_t{3}));
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "unknown") << "two that agree among four are no reference";
  EXPECT_EQ(status_of(kUniform, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kUniform, all, "node/n4"), "unknown");
}

TEST(MountsUniform, WithoutItsIdentityAnotherAddressIsNoDifference) {
  Observations all;
  for (const auto node : {"n1", "n2", "n3"}) add(all, node, {});
  add(all, "n4", {.source = "10.0.0.6:/data"});
  const auto without = [&](const std::string& node, Absence reason) {
    Observations changed = all;
    for (Observation& each : changed)
      if (each.name == "mount.identity" && each.subject.path() == "cluster/c/node/" + node + "/mount/%2Fdata")
        each = unseen(each.subject.path(), each.name, reason);
    return changed;
  };
  EXPECT_EQ(status_of(kUniform, all, "node/n4"), "pass");
  EXPECT_EQ(status_of(kUniform, without("n4", Absence::timeout), "node/n4"), "unknown");
  EXPECT_EQ(status_of(kUniform, without("n4", Absence::timeout), "node/n1"), "pass");
  EXPECT_EQ(status_of(kUniform, without("n4", Absence::timeout), ""), "<none>");
  EXPECT_EQ(status_of(kUniform, without("n1", Absence::timeout), "node/n4"), "pass") << "n2 tells its own";
  Observations two;
  add(two, "n1", {});
  add(two, "n2", {.source = "10.0.0.6:/data"});
  two.pop_back();  // on-demand
  two.back() = unseen("cluster/c/node/n2/mount/%2Fdata", "mount.identity", Absence::timeout);
  EXPECT_EQ(status_of(kUniform, two, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kUniform, two, "node/n2"), "unknown");
  EXPECT_EQ(status_of(kUniform, two, ""), "<none>") << "no difference was seen";
}

TEST(MountsUniform, AFewThatToldAreNoReference) {
  Observations all;
  for (const auto node : {"n1", "n2"}) add(all, node, {});
  add_none(all, "n3");
  for (const auto node : {"n4", "n5", "n6", "n7", "n8", "n9", "n10"})
    all.push_back(unseen(std::string("cluster/c/node/") + node, "mounts.network", Absence::timeout));
  EXPECT_EQ(status_of(kUniform, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kUniform, all, ""), "warn") << "that they differ was seen";
  for (const Mount& odd : {Mount{.source = "10.0.0.9:/old", .identity = "inode 2, changed 9.0"},
                           Mount{.read_only = true}, Mount{.options = {"vers=4.2", "soft"}}}) {
    Observations three;
    for (const auto node : {"n1", "n2"}) add(three, node, {});
    add(three, "n3", odd);
    EXPECT_NE(status_of(kUniform, three, "node/n3"), "unknown");
    three.push_back(unseen("cluster/c/node/n4", "mounts.network", Absence::timeout));
    EXPECT_EQ(status_of(kUniform, three, "node/n3"), "unknown");
    EXPECT_EQ(status_of(kUniform, three, ""), "warn");
  }
}

TEST(MountsUniform, WhatOfAMountWasNotReadIsNoPass) {
  Observations sound;
  for (const auto node : {"n1", "n2", "n3", "n4"}) add(sound, node, {});
  for (const std::string name : {"mount.read-only", "mount.options"}) {
    Observations all = sound;
    for (Observation& each : all)
      if (each.name == name && each.subject.path() == "cluster/c/node/n4/mount/%2Fdata")
        each = name == "mount.options" ? seen(each.subject.path(), each.name, std::int64_t{1})
                                       : unseen(each.subject.path(), each.name, Absence::timeout);
    EXPECT_EQ(status_of(kUniform, all, "node/n4"), "unknown") << name;
    EXPECT_EQ(status_of(kUniform, all, "node/n1"), "pass") << name;
  }
}

TEST(MountsUniform, AWarningStandsBesideAGap) {
  Observations all;
  for (const auto node : {"n1", "n2", "n3"}) add(all, node, {});
  add(all, "n4", {.options = {"vers=4.2", "soft"}});
  for (Observation& each : all)
    if (each.name == "mount.read-only" && each.subject.path() == "cluster/c/node/n4/mount/%2Fdata")
      each = unseen(each.subject.path(), each.name, Absence::timeout);
  EXPECT_EQ(status_of(kUniform, all, "node/n4"), "warn");
  EXPECT_THAT(judged(kUniform, all).at("node/n4").why, ::testing::HasSubstr("not seen: "));
}

std::string answer_status(std::vector<Observation> answers) {
  answers.push_back(seen("cluster/c/node/n1", "mounts.network", TextList{"/data", "/home"}));
  return status_of(kAnswer, answers, "node/n1");
}

Observation answer(const std::string& point, Value value) {
  return seen("cluster/c/node/n1/mount/" + point, "mount.answer", std::move(value));
}

TEST(MountsAnswer, SoundUnsoundUnreadableMalformed) {
  EXPECT_EQ(answer_status({answer("%2Fdata", "ok"), answer("%2Fhome", "ok")}), "pass");
  EXPECT_EQ(answer_status({answer("%2Fdata", "ok"), answer("%2Fhome", "no answer in 2000 ms")}), "fail");
  EXPECT_EQ(answer_status({answer("%2Fdata", "Stale file handle")}), "fail");
  EXPECT_EQ(answer_status({answer("%2Fdata", "ok")}), "unknown");
  EXPECT_EQ(answer_status({answer("%2Fdata", "ok"), answer("%2Fhome", "Permission denied")}), "unknown");
  EXPECT_EQ(answer_status({answer("%2Fdata", "ok"), answer("%2Fhome", true)}), "unknown");
  EXPECT_EQ(status_of(kAnswer, {seen("cluster/c/node/n1", "mounts.network", TextList{})}, "node/n1"), "not_applicable");
  EXPECT_EQ(status_of(kAnswer, {unseen("cluster/c/node/n1", "mounts.network", Absence::malformed)}, "node/n1"),
            "unknown");
}

}  // namespace
}  // namespace assay::testing
