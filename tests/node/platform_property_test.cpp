// What must hold of the platform's parsers for any input at all.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "node/facts/clock_detail.hpp"
#include "node/facts/cpu_detail.hpp"
#include "node/facts/limits_detail.hpp"
#include "node/facts/memory_detail.hpp"
#include "node/facts/names_detail.hpp"
#include "node/facts/packages_detail.hpp"

namespace assay::testing {
namespace {

using namespace node::facts;

rc::Gen<std::string> word() {
  return rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcxyz0189.+~-:"))));
}

// Text as these files have it: their own marks, and anything.
rc::Gen<std::string> soup() {
  return rc::gen::container<std::string>(
      rc::gen::weightedOneOf<char>({{3, rc::gen::elementOf(std::string("\n\t :,-[]().#0123456789"))},
                                    {2, rc::gen::elementOf(std::string("PackgeStusVrionAchitMmTlkB"))},
                                    {1, rc::gen::arbitrary<char>()}}));
}

std::string status_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += "Package: " + name + "\nStatus: install ok installed\nArchitecture: amd64\nSource: s\nVersion: 1-" + name +
            "\n\n";
  return text;
}

TEST(PlatformProperty, NoParserFallsOverAnything) {
  EXPECT_TRUE(rc::check("any text is read or refused", [] {
    const std::string text = *soup();
    (void)parse_dpkg_status(text);
    (void)parse_rpm_list(text);
    (void)parse_cpuinfo(text);
    (void)count_in_list(text);
    (void)parse_meminfo(text);
    (void)parse_swaps(text);
    (void)chosen(text);
    (void)parse_tracking(text);
    (void)parse_limits(text);
    (void)parse_resolv_conf(text);
    (void)getent_addresses(text);
    (void)hosts_addresses(text, "n1");
  }));
}

TEST(PlatformProperty, EveryPackageIsReadAsWritten) {
  EXPECT_TRUE(rc::check("a status file's packages are read as written", [] {
    const auto names = *rc::gen::nonEmpty(rc::gen::unique<std::vector<std::string>>(word()));
    const std::string text = status_of(names);
    const auto packages = parse_dpkg_status(text);
    RC_ASSERT(packages.has_value());
    RC_ASSERT(packages->size() == names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      RC_ASSERT((*packages)[i].name == names[i]);
      RC_ASSERT((*packages)[i].version == "1-" + names[i]);
      const std::string entry = to_text((*packages)[i]);
      RC_ASSERT(package_from(entry)->name == names[i]);
    }
  }));
}

TEST(PlatformProperty, ACutStatusIsRefusedOrWholeSoFar) {
  EXPECT_TRUE(rc::check("a prefix never gives a package half", [] {
    const auto names = *rc::gen::nonEmpty(rc::gen::unique<std::vector<std::string>>(word()));
    const std::string text = status_of(names);
    const auto cut = *rc::gen::inRange<std::size_t>(0, text.size());
    const std::string prefix = text.substr(0, cut);
    const auto packages = parse_dpkg_status(prefix);
    if (!packages) return;
    for (std::size_t i = 0; i < packages->size(); ++i) {
      RC_ASSERT((*packages)[i].name == names[i]);
      RC_ASSERT((*packages)[i].version == "1-" + names[i]);
      const std::string entry = to_text((*packages)[i]);
      RC_ASSERT(package_from(entry)->name == names[i]);
      RC_ASSERT((*packages)[i].source == "s");
    }
  }));
}

TEST(PlatformProperty, ListsOfCpusAreCounted) {
  EXPECT_TRUE(rc::check("ranges add up", [] {
    const auto lengths = *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 50));
    std::string text;
    std::int64_t next = 0, expected = 0;
    for (const int length : lengths) {
      text += (text.empty() ? "" : ",") + std::to_string(next) +
              (length == 1 ? "" : "-" + std::to_string(next + length - 1));
      next += length + 1;
      expected += length;
    }
    RC_ASSERT(count_in_list(text).value() == expected);
  }));
}

}  // namespace
}  // namespace assay::testing
