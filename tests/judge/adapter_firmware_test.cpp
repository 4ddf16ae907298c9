#include <gtest/gtest.h>

#include "fabric.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "lifecycle.hca-firmware-uniform";
constexpr auto kHca = "node/n1/hca/mlx5_0";

std::string hca_path(const std::string& node, const std::string& hca) { return node_path(node) + "/hca/" + hca; }

Observations three() {
  Observations all = cluster_of({"n1", "n2", "n3"}, {"mlx5_0", "mlx5_1"});
  for (const char* node : {"n1", "n2", "n3"}) {
    for (const char* hca : {"mlx5_0", "mlx5_1"}) {
      all.push_back(seen(hca_path(node, hca), "hca.firmware", "28.43.2566"));
      all.push_back(seen(hca_path(node, hca), "hca.board-id", "MT_0000000838"));
      all.push_back(seen(hca_path(node, hca), "hca.pci", "0000:1a:00.0"));
    }
  }
  return all;
}

Observation changed(const std::string& name, Value value) { return seen(hca_path("n1", "mlx5_0"), name, value); }
Observation hidden(const std::string& name, Absence reason) { return unseen(hca_path("n1", "mlx5_0"), name, reason); }

TEST(HcaFirmware, Sound) {
  for (const auto& [subject, verdict] : judged(kCheck, three())) EXPECT_EQ(verdict.status, Status::pass) << subject;
}

TEST(HcaFirmware, TheOddAdapterIsNamed) {
  const auto odd = with(three(), changed("hca.firmware", "28.39.1002"));
  EXPECT_EQ(status_of(kCheck, odd, kHca), "fail");
  EXPECT_EQ(status_of(kCheck, odd, "node/n1/hca/mlx5_1"), "pass");
  EXPECT_EQ(judged(kCheck, odd).at(kHca).why, "the firmware of most MT4129 (MT_0000000838) is 28.43.2566");
}

TEST(HcaFirmware, AnotherModelOrBoardHasItsOwn) {
  const auto odd = with(three(), changed("hca.firmware", "20.43.2566"));
  EXPECT_EQ(status_of(kCheck, with(odd, changed("hca.type", "MT4123")), kHca), "not_applicable");
  EXPECT_EQ(status_of(kCheck, with(odd, changed("hca.board-id", "DEL0000000039")), kHca), "not_applicable");
}

TEST(HcaFirmware, WithoutMajorityNobodyIsOdd) {
  auto all = three();
  for (const char* node : {"n1", "n2", "n3"})
    all = with(std::move(all), seen(hca_path(node, "mlx5_0"), "hca.firmware", "28.39.1002"));
  EXPECT_EQ(status_of(kCheck, all, kHca), "warn");
}

TEST(HcaFirmware, ANodeThatToldNothingMayHaveAsManyAsAnother) {
  auto all = with(three(), changed("hca.firmware", "28.39.1002"));
  for (const char* node : {"n4", "n5"}) all.push_back(unseen(node_path(node), "hca.names", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, kHca), "warn") << "five of ten have the other firmware";
}

TEST(HcaFirmware, UnreadableAndMalformed) {
  EXPECT_EQ(status_of(kCheck, with(three(), hidden("hca.firmware", Absence::timeout)), kHca), "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), hidden("hca.type", Absence::permission)), kHca), "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), hidden("hca.board-id", Absence::permission)), kHca), "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), changed("hca.firmware", std::int64_t{28})), kHca), "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), unseen(node_path("n1"), "hca.names", Absence::timeout)), "node/n1"),
            "unknown");
}

TEST(HcaFirmware, MakersWithoutBoardIdsAreComparedByTheirName) {
  auto all = three();
  for (const char* node : {"n1", "n2", "n3"})
    for (const char* hca : {"mlx5_0", "mlx5_1"})
      all = with(std::move(all), unseen(hca_path(node, hca), "hca.board-id", Absence::missing));
  EXPECT_EQ(status_of(kCheck, all, kHca), "pass");
  EXPECT_EQ(status_of(kCheck, with(all, changed("hca.firmware", "1.2.3")), kHca), "fail");
}

TEST(HcaFirmware, SoftAdaptersAndNodesWithoutAnyAreNotApplicable) {
  const auto soft = with(with(three(), hidden("hca.firmware", Absence::missing)), hidden("hca.pci", Absence::missing));
  EXPECT_EQ(status_of(kCheck, soft, kHca), "not_applicable");
  EXPECT_EQ(status_of(kCheck, no_rdma("n1"), "node/n1"), "not_applicable");
}

TEST(HcaFirmware, NamesThatWereNotReadHideNoAdapter) {
  auto all = cluster_of({"n1", "n2", "n3", "n4", "n5"}, {"mlx5_0"});
  for (const char* node : {"n1", "n2", "n3", "n4", "n5"})
    for (const auto& [name, value] : {std::pair("hca.firmware", "28.43.2566"), std::pair("hca.board-id", "MT_1"),
                                      std::pair("hca.pci", "0000:1a:00.0")})
      all.push_back(seen(hca_path(node, "mlx5_0"), name, value));
  all = with(with(all, changed("hca.firmware", "28.39.1002")), unseen(node_path("n1"), "hca.names", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, kHca), "fail");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown");
}

}  // namespace
}  // namespace assay::testing
