#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;
using Seen = std::vector<Observation>;

constexpr auto kAvailable = "orchestration.slurm-nodes-available";
constexpr auto kGpus = "orchestration.gpu-visibility";
constexpr auto kTopology = "networking.slurm-topology";
const std::string kLogin = "cluster/c/login/head";

Seen slurm_node(const std::string& name, const std::string& state, const std::string& reason = "",
                const std::string& gres = "gpu:h100:8") {
  const std::string part = kLogin + "/slurm-node/" + name;
  return {seen(kLogin, "slurm.present", true),     seen(part, "slurm.node-state", state),
          seen(part, "slurm.node-reason", reason), seen(part, "slurm.node-gres", gres),
          seen(part, "slurm.node-hostname", name), seen("cluster/c/node/" + name, "os.hostname", name)};
}

Seen operator+(Seen a, const Seen& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// ---- orchestration.slurm-nodes-available

std::string available(const std::string& state) {
  const auto verdicts = judged(kAvailable, slurm_node("n1", state, "some reason"));
  const auto node = verdicts.find("node/n1");
  return node == verdicts.end() ? std::string(name_of(verdicts.at("").status))
                                : std::string(name_of(node->second.status));
}

TEST(SlurmNodesAvailable, StatesThatWorkAndThatDoNot) {
  for (const char* state : {"IDLE", "MIXED", "ALLOCATED", "IDLE+RESERVED", "IDLE+COMPLETING+PLANNED"})
    EXPECT_EQ(available(state), "pass") << state;
  for (const char* state : {"DOWN", "IDLE+DRAIN", "MIXED+DRAIN", "DOWN+NOT_RESPONDING", "IDLE+DRAIN+NOT_RESPONDING",
                            "ERROR", "IDLE+DRAIN+INVALID_REG", "IDLE+FAIL"})
    EXPECT_EQ(available(state), "fail") << state;
}

TEST(SlurmNodesAvailable, AnAnswerThatIsAwaitedIsAWarning) {
  for (const char* state : {"IDLE+NOT_RESPONDING", "MIXED+NO_RESPOND", "UNKNOWN", "UNKNOWN+NOT_RESPONDING"})
    EXPECT_EQ(available(state), "warn") << state;
  const Seen node =
      slurm_node("n1", "IDLE+NOT_RESPONDING") + Seen{seen(kLogin, "slurm.config.SLURM_VERSION", "22.05.8"),
                                                     seen(kLogin, "slurm.config.SlurmdTimeout", "300 sec")};
  EXPECT_THAT(judged(kAvailable, node).at("node/n1").why, HasSubstr("SlurmdTimeout (300 sec)"));
  const auto with = [&](bool runs) {
    return judged(kAvailable, node + Seen{seen("cluster/c/node/n1/service/slurmd", "service.running", runs)})
        .at("node/n1");
  };
  EXPECT_EQ(with(true).status, Status::warn);
  EXPECT_EQ(with(false).status, Status::fail);
  EXPECT_THAT(with(false).why, HasSubstr("no slurmd runs there"));
}

TEST(SlurmNodesAvailable, ANodeOutsideTheRunThatIsAwaitedWarnsOfTheCluster) {
  Seen all = slurm_node("n1", "IDLE");
  all.push_back(seen(kLogin + "/slurm-node/n9", "slurm.node-state", "IDLE+NOT_RESPONDING"));
  EXPECT_EQ(judged(kAvailable, all).at("").status, Status::warn);
  all.push_back(seen(kLogin + "/slurm-node/n8", "slurm.node-state", "DOWN"));
  EXPECT_EQ(judged(kAvailable, all).at("").status, Status::fail);
}

TEST(SlurmNodesAvailable, PlansAreNoFaults) {
  for (const char* state : {"IDLE+MAINTENANCE+DRAIN", "IDLE+CLOUD+POWERED_DOWN",
                            "DOWN+CLOUD+POWERED_DOWN+NOT_RESPONDING", "IDLE+POWERING_UP", "IDLE+DRAIN+REBOOT_ISSUED"})
    EXPECT_EQ(available(state), "pass") << state;
}

TEST(SlurmNodesAvailable, APlanDoesNotExplainAFailure) {
  for (const char* state : {"DOWN+MAINTENANCE", "DOWN+NOT_RESPONDING+MAINT", "IDLE+MAINTENANCE"})
    EXPECT_EQ(available(state), "pass") << state;
  for (const char* failing : {"FAIL", "FAILING", "ERROR", "INVALID_REG", "INVAL"})
    for (const char* plan : {"MAINTENANCE", "MAINT", "POWERED_DOWN", "POWERING_UP", "REBOOT_REQUESTED"})
      EXPECT_EQ(available(std::string("IDLE+") + failing + "+" + plan), "fail") << failing << " " << plan;
}

TEST(SlurmNodesAvailable, ANodeThatDidNotResumeWasNotPoweredDownByPlan) {
  const auto status = [](const char* state, const char* reason) {
    return judged(kAvailable, slurm_node("n1", state, reason)).contains("node/n1") ? "fail" : "none";
  };
  EXPECT_STREQ(status("DOWN+CLOUD+POWERED_DOWN", "ResumeTimeout reached [slurm@2026-11-30T10:00:00]"), "fail");
  EXPECT_STREQ(status("DOWN+CLOUD+POWERING_DOWN", "ResumeTimeout reached"), "fail");
  EXPECT_STREQ(status("IDLE+CLOUD+POWERED_DOWN", "ResumeTimeout reached"), "none") << "what is remembered of before";
  EXPECT_STREQ(status("DOWN+CLOUD+POWERED_DOWN", "power save"), "none");
}

TEST(SlurmNodesAvailable, TheReasonIsTold) {
  EXPECT_EQ(judged(kAvailable, slurm_node("n1", "IDLE+DRAIN", "GPU 3 fell off the bus")).at("node/n1").why,
            "n1 is IDLE+DRAIN (GPU 3 fell off the bus)");
}

TEST(SlurmNodesAvailable, NodesOutsideTheRunAreTheClustersMatter) {
  Seen all = slurm_node("n1", "IDLE");
  all.push_back(seen(kLogin + "/slurm-node/n9", "slurm.node-state", "DOWN"));
  const auto verdicts = judged(kAvailable, all);
  EXPECT_EQ(verdicts.at("").status, Status::fail);
  EXPECT_EQ(verdicts.at("").measured, "1 of 2 nodes can take work");
  EXPECT_FALSE(verdicts.contains("node/n9"));
}

TEST(SlurmNodesAvailable, UnseenIsUnknownAndNoSlurmNotApplicable) {
  EXPECT_EQ(status_of(kAvailable, {seen(kLogin, "slurm.present", true)}, ""), "unknown");
  EXPECT_EQ(status_of(kAvailable, {unseen(kLogin, "slurm.present", Absence::permission)}, ""), "unknown");
  EXPECT_EQ(status_of(kAvailable, {seen(kLogin, "slurm.present", false)}, ""), "not_applicable");
}

TEST(SlurmNodesAvailable, AStateOfAnotherTypeIsNotAvailable) {
  const auto verdict = judged(kAvailable, {seen(kLogin, "slurm.present", true),
                                           seen(kLogin + "/slurm-node/n1", "slurm.node-state", std::int64_t{5})});
  EXPECT_THAT(verdict.at("").status, ::testing::Eq(Status::unknown));
}

// ---- orchestration.gpu-visibility

// slurmctld tells no CfgTRES of n1.
Seen no_tres() { return {unseen(kLogin + "/slurm-node/n1", "slurm.node-tres", Absence::missing)}; }

std::string gpus(const std::string& gres, std::int64_t count) {
  return status_of(
      kGpus,
      slurm_node("n1", "IDLE", "", gres) + no_tres() +
          Seen{seen("cluster/c/node/n1", "gpu.count", count), seen("cluster/c/node/n1", "gpu.pci-count", count)},
      "node/n1");
}

TEST(GpuVisibility, CountsMustAgree) {
  EXPECT_EQ(gpus("gpu:h100:8", 8), "pass");
  EXPECT_EQ(gpus("gpu:8(S:0-1)", 8), "pass");
  EXPECT_EQ(gpus("gpu:h100:2(S:0),gpu:h200:4(S:1,2),shard:32", 6), "pass");
  EXPECT_EQ(gpus("gpu:h100:8", 7), "fail");
  EXPECT_EQ(gpus("gpu:h100:4", 8), "fail");
  EXPECT_EQ(gpus("", 8), "fail");
  EXPECT_EQ(gpus("", 0), "not_applicable");
  EXPECT_EQ(gpus("gpu:1g.10gb:56", 8), "not_applicable");
  EXPECT_EQ(gpus("gpu:h100:many", 8), "unknown");
}

TEST(GpuVisibility, WhatIsHandedOutCountsNotWhatIsRemembered) {
  const Seen tres{seen(kLogin + "/slurm-node/n1", "slurm.node-tres", "cpu=2,billing=2,gres/gpu=4"),
                  seen("cluster/c/node/n1", "gpu.count", std::int64_t{8})};
  EXPECT_EQ(status_of(kGpus, slurm_node("n1", "IDLE", "", "gpu:h100:8") + tres, "node/n1"), "fail");
}

TEST(GpuVisibility, WhatTheJobCanNotSeeIsStillOnTheBus) {
  const Seen hidden{seen("cluster/c/node/n1", "gpu.count", std::int64_t{4}),
                    seen("cluster/c/node/n1", "gpu.pci-count", std::int64_t{8})};
  EXPECT_EQ(status_of(kGpus, slurm_node("n1", "IDLE", "", "gpu:h100:4") + hidden, "node/n1"), "fail");
}

TEST(GpuVisibility, WhatWasNotReadIsNoPass) {
  const std::string node = "cluster/c/node/n1";
  const Seen equal = slurm_node("n1", "IDLE") + Seen{seen(node, "gpu.count", std::int64_t{8})};
  const Seen on_bus{seen(node, "gpu.pci-count", std::int64_t{8})};
  EXPECT_EQ(status_of(kGpus, equal + no_tres() + on_bus, "node/n1"), "pass");
  EXPECT_EQ(status_of(kGpus, equal + on_bus, "node/n1"), "unknown") << "what is handed out was never told";
  EXPECT_EQ(status_of(kGpus, equal + no_tres(), "node/n1"), "unknown") << "there may be more on the bus";
  EXPECT_EQ(status_of(kGpus, equal + no_tres() + Seen{unseen(node, "gpu.pci-count", Absence::permission)}, "node/n1"),
            "unknown");
}

TEST(GpuVisibility, UnseenCountsAreUnknown) {
  const Seen node = slurm_node("n1", "IDLE");
  EXPECT_EQ(status_of(kGpus, node, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kGpus, node + Seen{unseen("cluster/c/node/n1", "gpu.count", Absence::timeout)}, "node/n1"),
            "unknown");
  EXPECT_EQ(status_of(kGpus, node + Seen{seen("cluster/c/node/n1", "gpu.count", "eight")}, "node/n1"), "unknown");
}

Seen eight(const std::string& node, const std::string& hostname) {
  return {seen(node, "gpu.count", std::int64_t{8}), seen(node, "gpu.pci-count", std::int64_t{8}),
          seen(node, "os.hostname", hostname)};
}

TEST(GpuVisibility, ANodeGoesByTheNameThatItGivesItself) {
  const std::string address = "cluster/c/node/10.0.0.7";
  const Seen slurm = slurm_node("n1", "IDLE") + no_tres();
  EXPECT_EQ(status_of(kGpus, slurm + eight(address, "n1"), "node/10.0.0.7"), "pass");
  EXPECT_EQ(status_of(kGpus, slurm + eight(address, "n1.acme.example"), "node/10.0.0.7"), "pass");
  const Seen renamed =
      slurm_node("n1", "IDLE") + Seen{seen(kLogin + "/slurm-node/gpu-a", "slurm.node-gres", "gpu:h100:4"),
                                      seen(kLogin + "/slurm-node/gpu-a", "slurm.node-hostname", "rack3-u7")};
  EXPECT_EQ(status_of(kGpus, renamed + eight(address, "rack3-u7"), "node/10.0.0.7"), "fail");
}

TEST(GpuVisibility, ANodeThatSlurmDoesNotKnowIsAFaultOnlyWhereSlurmdRuns) {
  const std::string node = "cluster/c/node/n7";
  const Seen stranger = slurm_node("n1", "IDLE") + eight(node, "n7");
  const auto with_slurmd = [&](Value runs) { return Seen{seen(node + "/service/slurmd", "service.running", runs)}; };
  EXPECT_EQ(status_of(kGpus, stranger + with_slurmd(true), "node/n7"), "warn");
  EXPECT_EQ(status_of(kGpus, stranger + with_slurmd(false), "node/n7"), "unknown");
  EXPECT_EQ(status_of(kGpus, stranger + with_slurmd("yes"), "node/n7"), "unknown");
  EXPECT_EQ(status_of(kGpus, stranger, "node/n7"), "unknown");
}

TEST(GpuVisibility, ANodeWhoseOwnNameWasNotSeenIsUnknown) {
  const std::string node = "cluster/c/node/10.0.0.7";
  const Seen nameless{seen(node, "gpu.count", std::int64_t{8}), unseen(node, "os.hostname", Absence::timeout),
                      seen(node + "/service/slurmd", "service.running", true)};
  EXPECT_EQ(status_of(kGpus, slurm_node("n1", "IDLE") + nameless, "node/10.0.0.7"), "unknown");
}

// ---- networking.slurm-topology

Seen topology(const std::string& plugin, int nodes) {
  Seen all{seen(kLogin, "slurm.present", true), seen(kLogin, "slurm.config.SLURM_VERSION", "24.11.0"),
           seen(kLogin, "slurm.config.TopologyPlugin", plugin)};
  for (int i = 1; i <= nodes; ++i) all = all + slurm_node("n" + std::to_string(i), "IDLE");
  return all;
}

TEST(SlurmTopology, FlatIsFineUnderOneLeafLayerOnly) {
  EXPECT_EQ(status_of(kTopology, topology("topology/none", 4), ""), "pass");
  EXPECT_EQ(status_of(kTopology, topology("topology/flat", 32), ""), "pass");
  EXPECT_EQ(status_of(kTopology, topology("topology/default", 33), ""), "fail");
  EXPECT_EQ(
      status_of(kTopology,
                topology("topology/none", 4) + Seen{seen(kLogin, "slurm.topology-file.leaves", TextList{"s0", "s1"})},
                ""),
      "fail");
}

TEST(SlurmTopology, EveryGpuNodeMustBeInTheTree) {
  const auto with = [](TextList nodes) {
    return judged(kTopology,
                  topology("topology/tree", 4) + Seen{seen(kLogin, "slurm.topology.nodes", std::move(nodes)),
                                                      seen(kLogin, "slurm.topology.leaves", TextList{"s0", "s1"})})
        .at("");
  };
  EXPECT_EQ(with({"n1", "n2", "n3", "n4"}).status, Status::pass);
  EXPECT_EQ(with({"n1", "n2", "n3"}).status, Status::fail);
  EXPECT_THAT(with({"n1", "n2", "n3"}).why, HasSubstr("n4"));
}

TEST(SlurmTopology, ACpuNodeNeedsNoPlace) {
  EXPECT_EQ(status_of(kTopology,
                      topology("topology/tree", 2) + slurm_node("cpu1", "IDLE", "", "") +
                          Seen{seen(kLogin, "slurm.topology.nodes", TextList{"n1", "n2"}),
                               seen(kLogin, "slurm.topology.leaves", TextList{"s0"})},
                      ""),
            "pass");
}

TEST(SlurmTopology, ANodeWhoseGpusWereNotReadMayNeedAPlace) {
  const auto with = [](const std::string& plugin, int nodes, const Observation& gres) {
    const Seen tree{seen(kLogin, "slurm.topology.leaves", TextList{"s0"}),
                    seen(kLogin, "slurm.topology.nodes", TextList{"n1", "n2"})};
    return status_of(kTopology, topology(plugin, nodes) + tree + Seen{gres}, "");
  };
  const std::string part = kLogin + "/slurm-node/x";
  EXPECT_EQ(with("topology/tree", 2, seen(part, "slurm.node-gres", "")), "pass");
  for (const Observation& unread :
       {unseen(part, "slurm.node-gres", Absence::timeout), seen(part, "slurm.node-gres", "gpu:h100:many"),
        seen(part, "slurm.node-state", "IDLE")}) {
    EXPECT_EQ(with("topology/tree", 2, unread), "unknown");
    EXPECT_EQ(with("topology/tree", 3, unread), "fail") << "n3 has GPUs and no place";
    EXPECT_EQ(with("topology/none", 32, unread), "unknown") << "32 or 33";
    EXPECT_EQ(with("topology/none", 4, unread), "pass");
  }
}

TEST(SlurmTopology, UnseenAndMalformedAreUnknown) {
  EXPECT_EQ(status_of(kTopology, topology("topology/tree", 4), ""), "unknown");
  EXPECT_EQ(status_of(kTopology, topology("topology/none", 0), ""), "unknown");
  EXPECT_EQ(
      status_of(kTopology,
                topology("topology/tree", 4) + Seen{unseen(kLogin, "slurm.topology.nodes", Absence::malformed)}, ""),
      "unknown");
  EXPECT_EQ(status_of(kTopology, {seen(kLogin, "slurm.present", false)}, ""), "not_applicable");
}

TEST(SlurmNodesAvailable, WhatWasNotReadHidesNoFailure) {
  Seen down = slurm_node("n1", "DOWN", "some reason");
  down[0] = unseen(kLogin, "slurm.present", Absence::timeout);
  EXPECT_EQ(status_of(kAvailable, down, "node/n1"), "fail") << "whoever tells Slurm's nodes has one";
  Seen powered = slurm_node("n1", "DOWN+POWERED_DOWN", "ResumeTimeout reached");
  EXPECT_EQ(status_of(kAvailable, powered, "node/n1"), "fail");
  powered[2] = unseen(kLogin + "/slurm-node/n1", "slurm.node-reason", Absence::timeout);
  EXPECT_EQ(status_of(kAvailable, powered, ""), "unknown") << "it may have failed to come up";
}

TEST(SlurmTopology, ATopologyFileThatWasNotReadIsNoPass) {
  const auto with = [](const Observation& leaves) {
    return status_of(kTopology, topology("topology/none", 4) + Seen{leaves}, "");
  };
  EXPECT_EQ(with(unseen(kLogin, "slurm.topology-file.leaves", Absence::missing)), "pass");
  EXPECT_EQ(with(unseen(kLogin, "slurm.topology-file.leaves", Absence::permission)), "unknown");
  EXPECT_EQ(with(seen(kLogin, "slurm.topology-file.leaves", "s0")), "unknown");
}

}  // namespace
}  // namespace assay::testing
