#include <gtest/gtest.h>

#include "advisory/feed.hpp"

namespace assay::advisory {
namespace {

std::string vex(const std::string& statements) {
  return R"({"@context": "https://openvex.dev/ns/v0.2.0", "@id": "https://example.com/vex", "author": "Canonical Ltd.",
    "timestamp": "2026-01-05T00:00:00Z", "statements": [)" +
         statements + "]}";
}

std::string statement(const std::string& status, const std::string& product, const std::string& more = "") {
  return R"({"vulnerability": {"name": "CVE-2025-31133"}, "status": ")" + status + R"(", "products": [{"@id": ")" +
         product + "\"}]" + more + "}";
}

Batch read(const std::string& text) {
  const auto batch = read_as("ubuntu_vex", text);
  EXPECT_TRUE(batch) << batch.error().message();
  return batch ? *batch : Batch{};
}

TEST(UbuntuVex, EachStatusOfASourcePackage) {
  const std::string text =
      vex(statement("fixed", "pkg:deb/ubuntu/runc-app@1.3.3-0ubuntu1~24.04.2?arch=source&distro=noble") + "," +
          statement("affected", "pkg:deb/ubuntu/runc@1.1.12-0ubuntu3?arch=source&distro=noble") + "," +
          statement("not_affected", "pkg:deb/ubuntu/runc@1.0.0?arch=source&distro=esm-infra/xenial",
                    R"(, "justification": "vulnerable_code_not_present")") +
          "," + statement("under_investigation", "pkg:deb/ubuntu/crun@1.0?arch=source&distro=jammy") + "," +
          statement("fixed", "pkg:deb/ubuntu/runc@1.3.3-0ubuntu1~24.04.2?arch=amd64&distro=noble") + "," +
          statement("fixed", "pkg:deb/ubuntu/linux@5.15.0-1?arch=source&distro=bluefield/jammy"));
  EXPECT_EQ(format_of(text)->name, "ubuntu_vex");
  const Batch batch = read(text);
  ASSERT_EQ(batch.advisories.size(), 1);
  const Advisory& one = batch.advisories[0];
  EXPECT_EQ(one.id, "CVE-2025-31133");
  EXPECT_EQ(one.modified, "2026-01-05");
  ASSERT_EQ(one.affected.size(), 4);
  EXPECT_EQ(spelled(product(&one, "ubuntu:24.04", "runc-app")->ranges), "..1.3.3-0ubuntu1~24.04.2");
  EXPECT_EQ(spelled(product(&one, "ubuntu:24.04", "runc")->ranges), "..");
  EXPECT_EQ(product(&one, "ubuntu-pro:16.04", "runc")->says, Affected::Says::not_affected);
  EXPECT_EQ(product(&one, "ubuntu:22.04", "crun")->says, Affected::Says::undecided);
  EXPECT_EQ(batch.ranges, 6);
  EXPECT_EQ(batch.elsewhere, 2);  // a binary package, a branch of its own
  EXPECT_TRUE(batch.refused.empty());
}

TEST(UbuntuVex, WhatCantBeReadIsListed) {
  const auto refused = [](const std::string& one) { return read(vex(one)).refused.size(); };
  EXPECT_EQ(refused(statement("fixed", "pkg:deb/ubuntu/runc?arch=source&distro=noble")), 1);
  EXPECT_EQ(refused(statement("mended", "pkg:deb/ubuntu/runc@1.0?arch=source&distro=noble")), 1);
  EXPECT_EQ(refused("5"), 1);
  EXPECT_EQ(refused(R"({"vulnerability": "CVE-2025-1", "status": "fixed", "products": 5})"), 1);
  EXPECT_EQ(refused(R"({"vulnerability": {"name": 5}, "status": "fixed", "products": ["x"]})"), 1);
  EXPECT_EQ(read(vex(statement("fixed", "pkg:deb/ubuntu/%"))).elsewhere, 1);
}

TEST(UbuntuVex, WhatIsNoneIsRefusedWhole) {
  for (const auto* text : {"", "{", "[]", "{}", R"({"statements": 5})"}) EXPECT_FALSE(read_as("ubuntu_vex", text));
  const std::string whole = vex(statement("fixed", "pkg:deb/ubuntu/runc@1.0?arch=source&distro=noble"));
  for (std::size_t cut = 0; cut < whole.size(); cut += 11) EXPECT_FALSE(read_as("ubuntu_vex", whole.substr(0, cut)));
}

}  // namespace
}  // namespace assay::advisory
