#include <gtest/gtest.h>

#include "advisory/feed.hpp"
#include "advisory/formats/redhat_vex_detail.hpp"

namespace assay::advisory {
namespace {

// Platforms and packages as Red Hat's documents have them, with these statuses.
std::string vex(const std::string& statuses, const std::string& more = "", const std::string& cve = "CVE-2025-31133") {
  return R"({"document": {"aggregate_severity": {"text": "Important"}, "category": "csaf_vex", "csaf_version": "2.0",
    "publisher": {"category": "vendor", "name": "Red Hat Product Security", "namespace": "https://www.redhat.com"},
    "title": "runc: a mount race", "tracking": {"id": "CVE-2025-31133",
      "initial_release_date": "2025-11-05T09:00:00+00:00", "current_release_date": "2026-01-10T01:00:00+00:00"}},
  "product_tree": {"branches": [{"category": "vendor", "name": "Red Hat", "branches": [
    {"category": "product_family", "name": "RHEL", "branches": [
      {"product": {"product_id": "AppStream-9.6.0.Z.MAIN.EUS", "product_identification_helper":
        {"cpe": "cpe:/a:redhat:enterprise_linux:9::appstream"}}},
      {"product": {"product_id": "AppStream-9.7.0.Z.MAIN", "product_identification_helper":
        {"cpe": "cpe:/a:redhat:enterprise_linux:9::appstream"}}},
      {"product": {"product_id": "AppStream-8.10.0.Z.MAIN.EUS", "product_identification_helper":
        {"cpe": "cpe:/a:redhat:enterprise_linux:8::appstream"}}},
      {"product": {"product_id": "AppStream-9.4.0.Z.EUS", "product_identification_helper":
        {"cpe": "cpe:/a:redhat:rhel_eus:9.4::appstream"}}},
      {"product": {"product_id": "red_hat_enterprise_linux_9", "product_identification_helper":
        {"cpe": "cpe:/o:redhat:enterprise_linux:9"}}}]},
    {"category": "architecture", "name": "x86_64", "branches": [
      {"product": {"product_id": "runc-4:1.2.5-3.el9_6.x86_64", "product_identification_helper":
        {"purl": "pkg:rpm/redhat/runc@1.2.5-3.el9_6?arch=x86_64&epoch=4"}}},
      {"product": {"product_id": "kernel", "product_identification_helper":
        {"purl": "pkg:rpm/redhat/kernel?arch=src"}}}]}]}],
   "relationships": [
    {"full_product_name": {"product_id": "AppStream-9.6.0.Z.MAIN.EUS:runc-4:1.2.5-3.el9_6.x86_64"},
     "product_reference": "runc-4:1.2.5-3.el9_6.x86_64", "relates_to_product_reference": "AppStream-9.6.0.Z.MAIN.EUS"},
    {"full_product_name": {"product_id": "AppStream-9.7.0.Z.MAIN:runc-4:1.3.0-4.el9_7.src"},
     "product_reference": "runc-4:1.3.0-4.el9_7.src", "relates_to_product_reference": "AppStream-9.7.0.Z.MAIN"},
    {"full_product_name": {"product_id": "AppStream-9.7.0.Z.MAIN:runc-debuginfo-4:1.3.0-4.el9_7.x86_64"},
     "product_reference": "runc-debuginfo-4:1.3.0-4.el9_7.x86_64",
     "relates_to_product_reference": "AppStream-9.7.0.Z.MAIN"},
    {"full_product_name": {"product_id": "AppStream-9.4.0.Z.EUS:runc-4:1.1.12-5.el9_4.x86_64"},
     "product_reference": "runc-4:1.1.12-5.el9_4.x86_64", "relates_to_product_reference": "AppStream-9.4.0.Z.EUS"},
    {"full_product_name": {"product_id": "AppStream-8.10.0.Z.MAIN.EUS:container-tools:rhel8"},
     "product_reference": "container-tools:rhel8", "relates_to_product_reference": "AppStream-8.10.0.Z.MAIN.EUS"},
    {"full_product_name": {"product_id": "module:runc"},
     "product_reference": "runc-4:1.2.5-2.module+el8.10.0+23712+e5d1a4f8.x86_64",
     "relates_to_product_reference": "AppStream-8.10.0.Z.MAIN.EUS:container-tools:rhel8"},
    {"full_product_name": {"product_id": "red_hat_enterprise_linux_9:kernel"},
     "product_reference": "kernel", "relates_to_product_reference": "red_hat_enterprise_linux_9"},
    {"full_product_name": {"product_id": "red_hat_enterprise_linux_9:runc"},
     "product_reference": "runc", "relates_to_product_reference": "red_hat_enterprise_linux_9"},
    {"full_product_name": {"product_id": "loop"}, "product_reference": "runc", "relates_to_product_reference": "loop"}]},
  "vulnerabilities": [{"cve": ")" +
         cve + R"(", "product_status": {)" + statuses + "}" + more + "}]}";
}

Batch read(const std::string& text) {
  const Format* format = format_of(text);
  EXPECT_TRUE(format != nullptr && format->name == "redhat_vex");
  const auto batch = read_as("redhat_vex", text);
  EXPECT_TRUE(batch) << batch.error().message();
  return batch ? *batch : Batch{};
}

TEST(RedHatVex, MendedVersionsOfEachMinorRelease) {
  const Batch batch = read(vex(R"("fixed": ["AppStream-9.6.0.Z.MAIN.EUS:runc-4:1.2.5-3.el9_6.x86_64",
      "AppStream-9.7.0.Z.MAIN:runc-4:1.3.0-4.el9_7.src", "AppStream-9.7.0.Z.MAIN:runc-debuginfo-4:1.3.0-4.el9_7.x86_64",
      "AppStream-9.4.0.Z.EUS:runc-4:1.1.12-5.el9_4.x86_64", "module:runc"],
    "known_affected": ["red_hat_enterprise_linux_9:runc"])",
                               R"(, "threats": [{"category": "impact", "details": "Important"}],
    "scores": [{"cvss_v3": {"baseScore": 7.3, "vectorString": "CVSS:3.1/AV:L/AC:H/PR:L/UI:R/S:C/C:H/I:H/A:H"}}])"));
  ASSERT_EQ(batch.advisories.size(), 1);
  const Advisory& one = batch.advisories[0];
  EXPECT_EQ(one.id, "CVE-2025-31133");
  EXPECT_EQ(one.severity, Severity::high);
  EXPECT_EQ(one.vector, "CVSS:3.1/AV:L/AC:H/PR:L/UI:R/S:C/C:H/I:H/A:H");
  EXPECT_EQ(one.source, "redhat");
  EXPECT_EQ(one.published, "2025-11-05");
  EXPECT_EQ(one.modified, "2026-01-10");
  std::string all;
  for (const Affected& affected : one.affected)
    all += affected.ecosystem + " " + affected.package + " " + spelled(affected.ranges) + "\n";
  // "Affected" of a release as it came tells nothing beside these.
  EXPECT_EQ(all,
            "rhel:8 runc ..4:1.2.5-2.module+el8.10.0+23712+e5d1a4f8\n"
            "rhel:9 runc ..4:1.2.5-3.el9_6\n"
            "rhel:9 runc ..4:1.3.0-4.el9_7\n");
  EXPECT_EQ(batch.ranges, 6);
  EXPECT_EQ(batch.elsewhere, 2);  // EUS, debugging symbols
  EXPECT_TRUE(batch.refused.empty());
}

TEST(RedHatVex, OtherStatuses) {
  const auto only = [](const std::string& statuses, const std::string& more = "") {
    const Batch batch = read(vex(statuses, more));
    return batch.advisories.size() == 1 && batch.advisories[0].affected.size() == 1 ? batch.advisories[0].affected[0]
                                                                                    : Affected();
  };
  const Affected affected = only(R"("known_affected": ["red_hat_enterprise_linux_9:kernel"])",
                                 R"(, "remediations": [{"category": "no_fix_planned", "details": "Will not fix",
                                    "product_ids": ["red_hat_enterprise_linux_9:kernel"]}])");
  EXPECT_EQ(affected.ecosystem + " " + affected.package, "rhel:9 kernel");
  EXPECT_EQ(spelled(affected.ranges), "..");
  EXPECT_EQ(affected.note, "Will not fix");
  EXPECT_EQ(only(R"("known_not_affected": ["red_hat_enterprise_linux_9:kernel"])").says, Affected::Says::not_affected);
  EXPECT_EQ(only(R"("under_investigation": ["red_hat_enterprise_linux_9:kernel"])").says, Affected::Says::undecided);
}

TEST(RedHatVex, WhatCantBeReadIsListed) {
  const auto refused = [](const std::string& text) { return read(text).refused.size(); };
  EXPECT_EQ(refused(vex(R"("fixed": ["nowhere:runc"])")), 1);
  EXPECT_EQ(refused(vex(R"("fixed": [5])")), 1);
  EXPECT_EQ(refused(vex(R"("fixed": ["loop"])")), 1);
  EXPECT_EQ(refused(vex(R"("fixed": ["red_hat_enterprise_linux_9:kernel"])")), 1);  // mended, and in which version?
  EXPECT_EQ(refused(vex("", "", "n/a")), 1);
  EXPECT_TRUE(read(vex(R"("fixed": 5)")).advisories.empty());
}

TEST(RedHatVex, WhatIsNoneIsRefusedWhole) {
  for (const auto* text : {"", "{", "[]", "{}", R"({"document": {"category": "csaf_base"}})",
                           R"({"document": {"category": "csaf_vex", "tracking": {"id": "CVE-1"}}})",
                           R"({"document": {"category": "csaf_vex"}, "vulnerabilities": []})"})
    EXPECT_FALSE(read_as("redhat_vex", text)) << text;
  const std::string whole = vex(R"("fixed": ["module:runc"])");
  for (std::size_t cut = 0; cut < whole.size(); cut += 31) EXPECT_FALSE(read_as("redhat_vex", whole.substr(0, cut)));
}

TEST(RedHatVex, Platforms) {
  EXPECT_EQ(formats::rhel_of("cpe:/o:redhat:enterprise_linux:9"), "rhel:9");
  EXPECT_EQ(formats::rhel_of("cpe:/a:redhat:enterprise_linux:9::appstream"), "rhel:9");
  EXPECT_EQ(formats::rhel_of("cpe:/o:redhat:enterprise_linux:10.0"), "rhel:10");
  for (const auto* other : {"", "cpe:/o:redhat:enterprise_linux:", "cpe:/o:redhat:enterprise_linux:9.2",
                            "cpe:/a:redhat:rhel_eus:9.4::appstream", "cpe:/a:redhat:openshift:4.13::el8"})
    EXPECT_EQ(formats::rhel_of(other), "") << other;
}

TEST(RedHatVex, Packages) {
  const auto purl = [](const char* text) {
    const auto found = formats::package_of_purl(text);
    return found ? found->name + " " + found->version : "none";
  };
  EXPECT_EQ(purl("pkg:rpm/redhat/runc@1.2.5-3.el9_6?arch=x86_64&epoch=4"), "runc 4:1.2.5-3.el9_6");
  EXPECT_EQ(purl("pkg:rpm/redhat/gcc-c%2B%2B@11.5.0-5.el9?arch=x86_64&epoch=0"), "gcc-c++ 11.5.0-5.el9");
  EXPECT_EQ(purl("pkg:rpm/redhat/kernel?arch=src"), "kernel ");
  for (const auto* other :
       {"", "pkg:rpm/redhat/", "pkg:oci/runc", "pkg:rpm/redhat/a b", "pkg:rpm/redhat/%", "pkg:rpm/redhat/a@%zz b"})
    EXPECT_EQ(purl(other), "none") << other;
  const auto id = [](const char* text) {
    const auto found = formats::package_of_id(text);
    return found ? found->name + " " + found->version : "none";
  };
  EXPECT_EQ(id("kernel-0:5.14.0-427.13.1.el9_4.x86_64"), "kernel 5.14.0-427.13.1.el9_4");
  EXPECT_EQ(id("container-tools:rhel8/runc"), "runc ");
  for (const auto* other : {"", ":", "-:.", "runc:1", "a b", "runc-4:"}) EXPECT_EQ(id(other), "none") << other;
}

}  // namespace
}  // namespace assay::advisory
