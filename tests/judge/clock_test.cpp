#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

constexpr auto kSkew = "orchestration.time-skew";
constexpr auto kKept = "orchestration.clock-synchronized";

std::vector<Observation> clocks(const std::vector<double>& offsets, double uncertainty = 0.002) {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::string node = "cluster/c/node/n" + std::to_string(i + 1);
    all.push_back(seen(node, "clock.offset-from-master", offsets[i], "s"));
    all.push_back(seen(node, "clock.offset-uncertainty", uncertainty, "s"));
  }
  return all;
}

TEST(TimeSkew, Sound) {
  for (const auto& [subject, verdict] : judged(kSkew, clocks({0.001, -0.002, 0.012, 0.0})))
    EXPECT_EQ(verdict.status, Status::pass) << subject;
  EXPECT_EQ(status_of(kSkew, clocks({30.0, 30.001, 30.002}), "node/n1"), "pass") << "it is the master that is off";
}

TEST(TimeSkew, NamesTheNodeThatIsOff) {
  const auto verdicts = judged(kSkew, clocks({0.001, 0.0, -7.5, 0.002}));
  EXPECT_EQ(verdicts.at("node/n3").status, Status::fail);
  EXPECT_THAT(verdicts.at("node/n3").measured, ::testing::StartsWith("7.50"));
  EXPECT_EQ(verdicts.at("node/n1").status, Status::pass);
  EXPECT_EQ(status_of(kSkew, clocks({0.0, 0.0, 0.4}), "node/n3"), "warn");
}

TEST(TimeSkew, WhatTheMeasuringLeavesOpenIsNoSkew) {
  EXPECT_EQ(status_of(kSkew, clocks({0.0, 0.0, 0.2}, 0.1), "node/n3"), "pass");
  EXPECT_EQ(judged(kSkew, clocks({0.0, 0.0, 0.2}, 0.1)).at("node/n3").why,
            "its clock is at most 0.400 s from most other nodes'");
  EXPECT_EQ(status_of(kSkew, clocks({0.0, 0.0, 0.2}, 0.2), "node/n3"), "unknown") << "it may be 0.6 s";
  EXPECT_EQ(status_of(kSkew, clocks({0.0, 0.0, 0.0}, 0.26), "node/n3"), "unknown") << "and so may one that looks right";
  EXPECT_EQ(status_of(kSkew, clocks({0.0, 0.0, 0.2}, 0.6), "node/n3"), "unknown");
  EXPECT_EQ(status_of(kSkew, clocks({0.0, 0.0, 9.0}, 0.6), "node/n3"), "fail") << "proven in spite of the doubt";
}

TEST(TimeSkew, WithoutMajorityItIsTheClusters) {
  const auto verdicts = judged(kSkew, clocks({0.0, 100.0}));
  EXPECT_EQ(verdicts.at("").status, Status::fail);
  EXPECT_EQ(verdicts.at("node/n1").status, Status::unknown);
  EXPECT_EQ(judged(kSkew, clocks({0.0, 0.3})).at("").status, Status::warn);
}

TEST(TimeSkew, UnreadableMalformedAlone) {
  auto all = clocks({0.0, 0.0, 0.0});
  all[4] = unseen("cluster/c/node/n3", "clock.offset-from-master", Absence::timeout);
  EXPECT_EQ(status_of(kSkew, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kSkew, all, "node/n1"), "pass");
  all = clocks({0.0, 0.0, 0.0});
  all[5] = seen("cluster/c/node/n3", "clock.offset-uncertainty", -1.0, "s");
  EXPECT_EQ(status_of(kSkew, all, "node/n3"), "unknown");
  all[5] = seen("cluster/c/node/n3", "clock.offset-uncertainty", "small");
  EXPECT_EQ(status_of(kSkew, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kSkew, clocks({0.0}), "node/n1"), "not_applicable");
  EXPECT_EQ(status_of(kSkew, {seen("cluster/c/node/n1", "os.hostname", "n1")}, "node/n1"), "unknown");
}

std::vector<Observation> clocks_with_doubt(const std::vector<std::pair<double, double>>& each) {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < each.size(); ++i) {
    const std::string node = "cluster/c/node/n" + std::to_string(i + 1);
    all.push_back(seen(node, "clock.offset-from-master", each[i].first, "s"));
    all.push_back(seen(node, "clock.offset-uncertainty", each[i].second, "s"));
  }
  return all;
}

TEST(TimeSkew, ADoubtfulClockHidesNoProvenDistance) {
  const auto verdicts = judged(kSkew, clocks_with_doubt({{0, 0}, {5, 0}, {10, 0}, {11, 11}}));
  EXPECT_EQ(verdicts.at("").status, Status::fail);
  EXPECT_EQ(verdicts.at("").measured, "10.000 s ± 0.000 s");
  EXPECT_THAT(verdicts.at("").why, ::testing::HasSubstr("n1 and n3"));
}

TEST(TimeSkew, AFewThatToldAreNoReference) {
  auto all = clocks({0.0, 0.0, 7.0});
  EXPECT_EQ(status_of(kSkew, all, "node/n3"), "fail");
  for (const auto node : {"n4", "n5", "n6"})
    all.push_back(unseen(std::string("cluster/c/node/") + node, "clock.offset-from-master", Absence::timeout));
  EXPECT_EQ(status_of(kSkew, all, "node/n3"), "unknown");
  EXPECT_EQ(status_of(kSkew, all, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kSkew, all, ""), "fail") << "seven seconds were seen all the same";
  auto alike = clocks({0.0, 0.0});
  for (const auto node : {"n3", "n4"})
    alike.push_back(unseen(std::string("cluster/c/node/") + node, "clock.offset-from-master", Absence::timeout));
  EXPECT_EQ(status_of(kSkew, alike, "node/n1"), "unknown");
  EXPECT_EQ(status_of(kSkew, alike, ""), "<none>") << "no difference was seen";
}

using Values = std::vector<std::pair<std::string, Value>>;

std::string kept(const Values& values, bool chrony_there = true) {
  std::vector<Observation> all;
  for (const auto& [name, value] : values) all.push_back(seen("cluster/c/node/n1", name, value));
  if (!chrony_there) all.push_back(unseen("cluster/c/node/n1", "clock.chrony-leap", Absence::missing));
  return status_of(kKept, all, "node/n1");
}

Values chrony(const std::string& leap, const std::string& reference = "0A4D0001", double correction = 0.0) {
  return {{"clock.chrony-leap", leap},
          {"clock.chrony-reference", reference},
          {"clock.chrony-correction", correction},
          {"clock.kernel-synchronized", false}};
}

TEST(ClockSynchronized, Sound) {
  EXPECT_EQ(kept(chrony("Normal")), "pass") << "without rtcsync chrony doesn't tell the kernel";
  EXPECT_EQ(kept(chrony("Insert second")), "pass");
  EXPECT_EQ(kept({{"clock.kernel-synchronized", true}, {"clock.daemons", TextList{"systemd-timesyncd"}}}, false),
            "pass");
}

TEST(ClockSynchronized, Unsound) {
  EXPECT_EQ(kept(chrony("Not synchronised", "00000000")), "fail");
  EXPECT_EQ(kept({{"clock.kernel-synchronized", false}, {"clock.daemons", TextList{}}}, false), "fail");
  EXPECT_EQ(kept({{"clock.kernel-synchronized", false}, {"clock.daemons", TextList{"ntpd"}}}, false), "fail");
  EXPECT_EQ(kept(chrony("Normal", "7F7F0101")), "warn");
  EXPECT_EQ(kept(chrony("Normal", "0A4D0001", -16.0)), "warn");
}

TEST(ClockSynchronized, UnreadableAndMalformed) {
  EXPECT_EQ(kept({{"clock.kernel-synchronized", false}, {"clock.daemons", TextList{"chronyd"}}}, false), "unknown");
  EXPECT_EQ(kept({{"clock.daemons", TextList{}}}, false), "unknown");
  EXPECT_EQ(kept({{"clock.kernel-synchronized", "no"}}, false), "unknown");
  EXPECT_EQ(kept(chrony("506 Cannot talk to daemon")), "unknown");
  Values uncorrected = chrony("Normal");
  uncorrected[2].second = "fast";
  EXPECT_EQ(kept(uncorrected), "unknown") << "it may have seconds to correct";
  uncorrected.erase(uncorrected.begin() + 2);
  EXPECT_EQ(kept(uncorrected), "unknown");
}

}  // namespace
}  // namespace assay::testing
