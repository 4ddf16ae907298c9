#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

constexpr auto kInstalled = "security.kernel-running-is-installed";
constexpr auto kUniform = "lifecycle.kernel-uniform";

std::vector<Observation> host(Value running, Value installed) {
  return {seen("cluster/c/node/n1", "kernel.running", std::move(running)),
          seen("cluster/c/node/n1", "kernel.installed", std::move(installed))};
}

std::string installed(Value running, Value all) {
  return status_of(kInstalled, host(std::move(running), std::move(all)), "node/n1");
}

TEST(KernelRunningIsInstalled, Sound) {
  EXPECT_EQ(installed("5.15.0-113-generic", TextList{"5.15.0-112-generic", "5.15.0-113-generic"}), "pass");
  EXPECT_EQ(installed("6.12.0-124.8.1.el10_1.x86_64", TextList{"6.12.0-124.8.1.el10_1.x86_64"}), "pass");
}

TEST(KernelRunningIsInstalled, Unsound) {
  EXPECT_EQ(installed("5.15.0-97-generic", TextList{"5.15.0-97-generic", "5.15.0-113-generic"}), "fail");
  // rpm's order: 427.13.1 is newer than 427, though "1" sorts before "el9".
  EXPECT_EQ(installed("5.14.0-427.el9.x86_64", TextList{"5.14.0-427.13.1.el9_4.x86_64", "5.14.0-427.el9.x86_64"}),
            "fail");
  EXPECT_EQ(installed("5.15.0-91-generic", TextList{"5.15.0-113-generic"}), "fail");
}

TEST(KernelRunningIsInstalled, OtherFlavorsHaveNumbersOfTheirOwn) {
  EXPECT_EQ(installed("6.8.0-1021-nvidia-64k", TextList{"6.8.0-1021-nvidia-64k", "6.8.0-1035-nvidia"}), "pass");
  EXPECT_EQ(installed("5.15.0-113-generic", TextList{"5.15.0-113-generic", "5.15.0-1065-aws"}), "pass");
  EXPECT_EQ(installed("6.1.0-18-amd64", TextList{"6.1.0-18-amd64", "6.1.0-21-cloud-amd64"}), "pass");
  EXPECT_EQ(installed("5.14.0-427.el9.aarch64+64k", TextList{"5.14.0-427.el9.aarch64+64k", "5.14.0-503.el9.aarch64"}),
            "pass");
}

TEST(KernelRunningIsInstalled, RunningButRemoved) {
  EXPECT_EQ(installed("5.15.0-113-generic", TextList{"5.15.0-112-generic"}), "warn");
  EXPECT_EQ(installed("6.18.44-fc-v769", TextList{"6.1.0-18-amd64"}), "warn");
}

TEST(KernelRunningIsInstalled, WithoutAnOrderNothingIsTheNewest) {
  EXPECT_EQ(installed("6.9.0-tegra", TextList{"6.9.0-tegra"}), "pass");
  EXPECT_EQ(installed("6.12.41+deb13-amd64", TextList{"6.12.41+deb13-amd64", "6.12.85+deb13-amd64"}), "fail");
  EXPECT_EQ(installed("6.12.41+bpo-amd64", TextList{"6.12.41+bpo-amd64", "6.12.85+deb13-amd64"}), "unknown")
      << "two makers' numbers";
  EXPECT_EQ(installed("6.1.0-18-amd64", TextList{"6.1.0-18-amd64", "6.1-x.0-18-amd64", "6.1.0-21-amd64"}), "fail");
  EXPECT_EQ(installed("6.1.0-18-amd64", TextList{"6.1.0-18-amd64", "no kernel\n-amd64"}), "unknown");
}

TEST(KernelRunningIsInstalled, Unreadable) {
  EXPECT_EQ(status_of(kInstalled,
                      {seen("cluster/c/node/n1", "kernel.running", "5.15.0-97-generic"),
                       unseen("cluster/c/node/n1", "kernel.installed", Absence::permission)},
                      "node/n1"),
            "unknown");
}

TEST(KernelRunningIsInstalled, Malformed) {
  EXPECT_EQ(installed(std::int64_t{5}, TextList{"5.15.0-97-generic"}), "unknown");
  EXPECT_EQ(installed("", TextList{""}), "unknown");
}

std::vector<Observation> cluster(const std::vector<std::string>& kernels) {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string node = "cluster/c/node/n" + std::to_string(i + 1);
    all.push_back(seen(node, "kernel.machine", "x86_64"));
    all.push_back(seen(node, "gpu.count", std::int64_t{8}));
    if (kernels[i].empty()) {
      all.push_back(unseen(node, "kernel.running", Absence::unsupported));
    } else {
      all.push_back(seen(node, "kernel.running", kernels[i]));
    }
  }
  return all;
}

TEST(KernelUniform, Sound) {
  const auto verdicts = judged(kUniform, cluster({"5.15.0-113", "5.15.0-113", "5.15.0-113"}));
  ASSERT_EQ(verdicts.size(), 3u);
  for (const auto& [subject, verdict] : verdicts) EXPECT_EQ(verdict.status, Status::pass) << subject;
}

TEST(KernelUniform, NamesTheOddNode) {
  const auto verdicts = judged(kUniform, cluster({"5.15.0-113", "5.15.0-113", "5.15.0-97", "5.15.0-113"}));
  EXPECT_EQ(verdicts.at("node/n3").status, Status::fail);
  EXPECT_THAT(verdicts.at("node/n3").why, ::testing::HasSubstr("3 of 4"));
  EXPECT_EQ(verdicts.at("node/n1").status, Status::pass);
}

TEST(KernelUniform, WithoutMajorityTheClusterIsWarnedOf) {
  const auto verdicts = judged(kUniform, cluster({"5.15.0-113", "5.15.0-97"}));
  EXPECT_EQ(verdicts.at("").status, Status::warn);
  EXPECT_EQ(verdicts.at("node/n1").status, Status::unknown);
  EXPECT_EQ(verdicts.at("node/n2").status, Status::unknown);
}

TEST(KernelUniform, UnreadableNodesAreUnknownAndTheRestIsJudged) {
  const auto verdicts = judged(kUniform, cluster({"5.15.0-113", "", "5.15.0-113"}));
  EXPECT_EQ(verdicts.at("node/n2").status, Status::unknown);
  EXPECT_EQ(verdicts.at("node/n1").status, Status::pass);
  EXPECT_EQ(judged(kUniform, cluster({"5.15.0-113", ""})).at("node/n1").status, Status::unknown);
}

TEST(KernelUniform, OneNodeHasNothingToCompareWith) {
  EXPECT_EQ(status_of(kUniform, cluster({"5.15.0-113"}), "node/n1"), "not_applicable");
}

TEST(KernelUniform, AFewThatToldDoNotOutvote) {
  const auto two = judged(kUniform, cluster({"5.15.0-113", "5.15.0-113", "5.15.0-97", "", "", "", "", "", "", ""}));
  EXPECT_EQ(two.at("").status, Status::warn);
  EXPECT_EQ(two.at("node/n3").status, Status::unknown);
  // Those that agree aren't called uniform either.
  const auto same = judged(kUniform, cluster({"5.15.0-113", "5.15.0-113", "", ""}));
  EXPECT_EQ(same.at("node/n1").status, Status::unknown);
  EXPECT_FALSE(same.contains(""));
}

TEST(KernelUniform, ANodeWhoseKindWasNotSeenIsUnknown) {
  for (const char* name : {"kernel.machine", "gpu.count"}) {
    auto all = cluster({"5.15.0-113", "5.15.0-113", "5.15.0-97"});
    for (Observation& each : all)
      if (each.name == name && each.subject.id() == "n3") each = unseen(each.subject.path(), name, Absence::timeout);
    const auto verdicts = judged(kUniform, all);
    EXPECT_EQ(verdicts.at("node/n3").status, Status::unknown) << name;
    EXPECT_EQ(verdicts.at("node/n1").status, Status::pass) << name;
    // The bus tells what a dead driver doesn't.
    all.push_back(seen("cluster/c/node/n3", "gpu.pci-count", std::int64_t{8}));
    EXPECT_EQ(status_of(kUniform, all, "node/n3"), name == std::string("gpu.count") ? "fail" : "unknown");
  }
  // It may be of the kind of the one that else would be alone.
  auto pair = cluster({"5.15.0-113", ""});
  for (Observation& each : pair)
    if (each.name == "gpu.count" && each.subject.id() == "n2")
      each = unseen(each.subject.path(), each.name, Absence::timeout);
  EXPECT_EQ(status_of(kUniform, pair, "node/n1"), "unknown");
}

TEST(KernelUniform, AnotherArchitectureMayRunAnother) {
  auto all = cluster({"5.15.0-113", "5.15.0-113", "6.8.0-1021-nvidia-64k"});
  for (Observation& each : all)
    if (each.name == "kernel.machine" && each.subject.id() == "n3") each.seen = Value("aarch64");
  EXPECT_EQ(status_of(kUniform, all, "node/n3"), "not_applicable");
  EXPECT_EQ(status_of(kUniform, all, "node/n1"), "pass");
}

TEST(KernelUniform, Malformed) {
  auto all = cluster({"5.15.0-113", "5.15.0-113", "x"});
  for (Observation& each : all)
    if (each.name == "kernel.running" && each.subject.id() == "n3") each.seen = Value(true);
  EXPECT_EQ(status_of(kUniform, all, "node/n3"), "unknown");
}

}  // namespace
}  // namespace assay::testing
