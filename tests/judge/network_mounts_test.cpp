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
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "pass");
  EXPECT_EQ(status_of(kUniform, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kUniform, all, "node/n4"), "unknown");
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
