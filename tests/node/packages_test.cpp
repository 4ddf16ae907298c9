#include "node/facts/packages_detail.hpp"

#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

using namespace node::facts;

constexpr auto kStatus = R"(Package: libc6
Status: install ok installed
Priority: optional
Architecture: amd64
Multi-Arch: same
Source: glibc
Version: 2.36-9+deb12u10
Conffiles:
 /etc/ld.so.conf.d/x86_64-linux-gnu.conf d4e7a7b88a71b5ffd9e2644e71a0cfab
Description: GNU C Library: Shared libraries
 Contains the standard libraries.
 .
 Package: not-a-field

Package: libc6
Status: install ok installed
Architecture: i386
Source: glibc
Version: 2.36-9+deb12u10

Package: bash
Status: hold ok installed
Architecture: amd64
Source: bash (5.2.15-2)
Version: 5.2.15-2+b8

Package: nvidia-304
Status: deinstall ok config-files
Architecture: amd64
Version: 304.137-0ubuntu2

Package: nvidia-dkms-580
Status: install ok half-configured
Architecture: amd64
Source: nvidia-graphics-drivers-580
Version: 580.95.05-0ubuntu1

Package: man-db
Status: install ok triggers-pending
Architecture: amd64
Version: 2.11.2-2

Package: dpkg
Status: install ok installed
Architecture: amd64
Version: 1.21.22

)";

TEST(Packages, ReadsDpkgStatus) {
  TemporaryFolder tree;
  tree.write("/var/lib/dpkg/status", kStatus);
  const Reading reading = read_tree("packages", tree.string());
  EXPECT_EQ(reading.text("", "packages.dpkg-count"), "6");
  EXPECT_EQ(reading.text("", "packages.dpkg"),
            "libc6 2.36-9+deb12u10 amd64 glibc 2.36-9+deb12u10, libc6 2.36-9+deb12u10 i386 glibc 2.36-9+deb12u10, "
            "bash 5.2.15-2+b8 amd64 bash 5.2.15-2, nvidia-dkms-580 580.95.05-0ubuntu1 amd64 "
            "nvidia-graphics-drivers-580 580.95.05-0ubuntu1 half-configured, man-db 2.11.2-2 amd64 man-db 2.11.2-2 "
            "triggers-pending, dpkg 1.21.22 amd64 dpkg 1.21.22")
      << "nvidia-304 is gone, only its settings are left";
  EXPECT_EQ(reading.text("", "packages.incomplete"), "nvidia-dkms-580 (half-configured)");
  EXPECT_EQ(reading.text("", "packages.rpm-count"), "<absent missing>");
  EXPECT_EQ(reading.text("", "packages.rpm"), "<absent missing>");
}

TEST(Packages, AStatusCutShortIsMalformed) {
  const std::string whole = kStatus;
  for (const auto& text : {whole.substr(0, whole.find("2.36")), whole.substr(0, whole.find("Version:")),
                           std::string("Package: a\nnonsense\n"),
                           std::string("Package: a\nStatus: install ok installed\nArchitecture: all\nVersion: 1 2\n"),
                           std::string("Package: a\nVersion: 1\n\n"), std::string("\0\1\2", 3), std::string()}) {
    const auto parsed = parse_dpkg_status(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().reason, Absence::malformed);
  }
  TemporaryFolder tree;
  tree.write("/var/lib/dpkg/status", whole.substr(0, whole.find("Version:")));
  const Reading reading = read_tree("packages", tree.string());
  EXPECT_EQ(reading.text("", "packages.dpkg-count"), "<absent malformed>");
  EXPECT_EQ(reading.text("", "packages.dpkg"), "<absent malformed>");
}

// A blank more in the version and one field less make the same number of words.
TEST(Packages, APartThatIsNotOneWordIsMalformed) {
  const std::string head = "Package: a\nStatus: install ok installed\n";
  for (const std::string rest :
       {"Architecture: all\nSource: s (1)\nVersion: 1 2\n", "Architecture: amd 64\nSource: s\nVersion: 1\n",
        "Architecture: all\nSource: s ()\nVersion: 1 2\n", "Architecture: all\nVersion: 1\x01\n",
        "Architecture: all\nVersion: 1\xc2\xa0\n"}) {
    const auto parsed = parse_dpkg_status(head + rest);
    ASSERT_FALSE(parsed) << rest;
    EXPECT_EQ(parsed.error().reason, Absence::malformed);
  }
}

TEST(Packages, AnRpmDatabaseInATreeIsUnsupported) {
  TemporaryFolder tree;
  tree.write("/var/lib/rpm/rpmdb.sqlite", "SQLite format 3");
  const Reading reading = read_tree("packages", tree.string());
  EXPECT_EQ(reading.text("", "packages.rpm-count"), "<absent unsupported>");
  EXPECT_EQ(reading.text("", "packages.dpkg-count"), "<absent missing>");
}

TEST(Packages, ReadsRpmsList) {
  constexpr auto kList =
      "glibc\t2.34-60.el9_2.7\tx86_64\tglibc-2.34-60.el9_2.7.src.rpm\n"
      "glibc\t2.34-60.el9_2.7\ti686\tglibc-2.34-60.el9_2.7.src.rpm\n"
      "runc\t4:1.2.5-3.el9_6\tx86_64\trunc-1.2.5-3.el9_6.src.rpm\n"
      "kernel-core\t5.14.0-427.13.1.el9_4\tx86_64\tkernel-5.14.0-427.13.1.el9_4.src.rpm\n"
      "kernel-core\t5.14.0-503.el9\tx86_64\tkernel-5.14.0-503.el9.src.rpm\n"
      "dkms\t3.4.3-2.el9\tnoarch\tdkms-3.4.3-2.el9.src.rpm\n"
      "local-tool\t1.0-1\tx86_64\t(none)\n"
      "gpg-pubkey\t352c64e5-52ae6884\t(none)\t(none)\n"
      "rpm\t4.16.1.3-29.el9\tx86_64\trpm-4.16.1.3-29.el9.src.rpm\n";
  const auto packages = parse_rpm_list(kList);
  ASSERT_TRUE(packages);
  ASSERT_EQ(packages->size(), 8u);
  EXPECT_EQ(to_text((*packages)[1]), "glibc 2.34-60.el9_2.7 i686 glibc 2.34-60.el9_2.7");
  EXPECT_EQ((*packages)[2].version, "4:1.2.5-3.el9_6");
  EXPECT_EQ((*packages)[3].source, "kernel");
  EXPECT_EQ((*packages)[3].source_version, "5.14.0-427.13.1.el9_4");
  EXPECT_EQ((*packages)[6].source, "local-tool");
}

TEST(Packages, AnErrorFromRpmIsNoPackage) {
  for (const char* text : {"error: rpmdb: BDB0113 Thread/process 2125/140 failed\n", "glibc\t2.34-60\tx86_64\n",
                           "glibc\t2.34-60\tx86_64\tglibc-2.34-60.src.rpm", "two words\t2-1\tx86_64\t(none)\n",
                           "glibc\t2\tx86_64\tglibc.src.rpm\n"})
    EXPECT_FALSE(parse_rpm_list(text)) << text;
  EXPECT_TRUE(parse_rpm_list("")->empty());
}

TEST(Packages, ThisMachineHasItsOwnPackages) {
  EXPECT_THAT(read_live("packages").text("", "packages.dpkg"), ::testing::HasSubstr(" dpkg "));
}

}  // namespace
}  // namespace assay::testing
