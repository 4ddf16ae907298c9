#include "advisory/standing.hpp"

#include <gmock/gmock.h>

namespace assay::advisory {
namespace {

using ::testing::HasSubstr;
using version::Scheme;

Affected by_lines(std::vector<std::string> fixed, std::string introduced = {}) {
  Affected affected;
  affected.fixed = std::move(fixed);
  affected.introduced = std::move(introduced);
  return affected;
}

Affected by_ranges(std::vector<Range> ranges) {
  Affected affected;
  affected.ranges = std::move(ranges);
  return affected;
}

Standing of(const Affected& affected, Scheme scheme, std::string_view version, const Conditions& conditions = {}) {
  return stand(affected, scheme, version, conditions).standing;
}

TEST(Standing, ALineIsComparedWithItsOwnEnd) {
  const Affected runc = by_lines({"1.2.8", "1.3.3", "1.4.0-rc.3"});
  EXPECT_EQ(of(runc, Scheme::semver, "1.2.7"), Standing::affected);
  EXPECT_EQ(of(runc, Scheme::semver, "1.2.8"), Standing::fixed);
  EXPECT_EQ(of(runc, Scheme::semver, "1.3.2"), Standing::affected);
  EXPECT_EQ(of(runc, Scheme::semver, "1.3.3"), Standing::fixed);
  EXPECT_EQ(of(runc, Scheme::semver, "1.4.0-rc.2"), Standing::affected);
  EXPECT_EQ(of(runc, Scheme::semver, "1.4.0"), Standing::fixed);
  EXPECT_EQ(of(runc, Scheme::semver, "1.5.0"), Standing::fixed);
  EXPECT_EQ(stand(runc, Scheme::semver, "1.3.2", {}).fixed, "1.3.3");
}

TEST(Standing, ALineThatIsNotListedHasNoMendUnlessItIsNewerThanAll) {
  const Affected driver = by_lines({"535.274.02", "570.195.03", "580.95.05"});
  EXPECT_EQ(of(driver, Scheme::nvidia_driver, "550.163.01"), Standing::affected);
  EXPECT_EQ(of(driver, Scheme::nvidia_driver, "418.40.04"), Standing::affected);
  EXPECT_EQ(of(driver, Scheme::nvidia_driver, "590.48.01"), Standing::fixed);
  const Stand stood = stand(driver, Scheme::nvidia_driver, "550.163.01", {});
  EXPECT_EQ(stood.fixed, "570.195.03");
  EXPECT_THAT(stood.reason, HasSubstr("the line 550"));
}

TEST(Standing, ALineThatItsSourceLookedAtAndDoesNotCountIsSpared) {
  Affected driver = by_lines({"580.159.03", "595.71.05"});
  EXPECT_EQ(of(driver, Scheme::nvidia_driver, "535.309.01"), Standing::affected);
  driver.spared = {"535"};
  EXPECT_EQ(of(driver, Scheme::nvidia_driver, "535.309.01"), Standing::not_affected);
  EXPECT_EQ(of(driver, Scheme::nvidia_driver, "570.211.01"), Standing::affected);
}

TEST(Standing, BetweenTwoEndsOfOneLineIsUnknown) {
  const Affected nvos = by_lines({"25.02.4282", "25.02.5030"});
  EXPECT_EQ(of(nvos, Scheme::plain, "25.02.4281"), Standing::affected);
  EXPECT_EQ(of(nvos, Scheme::plain, "25.02.4300"), Standing::unknown);
  EXPECT_EQ(of(nvos, Scheme::plain, "25.02.5030"), Standing::fixed);
}

TEST(Standing, NothingOlderThanWhatBroughtItIsAffected) {
  const Affected openssh = by_lines({"9.8"}, "8.5p1");
  EXPECT_EQ(of(openssh, Scheme::plain, "8.4p1"), Standing::not_affected);
  EXPECT_EQ(of(openssh, Scheme::plain, "8.5p1"), Standing::affected);
  EXPECT_EQ(of(openssh, Scheme::plain, "9.7p1"), Standing::affected);
  EXPECT_EQ(of(openssh, Scheme::plain, "9.8p1"), Standing::fixed);
}

TEST(Standing, RangesAreHalfOpenUnlessTheirLastIsNamed) {
  const Affected open = by_ranges({{"", "1.7.29", ""}, {"2.0.0", "2.0.7", ""}});
  EXPECT_EQ(of(open, Scheme::semver, "1.7.28"), Standing::affected);
  EXPECT_EQ(of(open, Scheme::semver, "1.7.29"), Standing::fixed);
  EXPECT_EQ(of(open, Scheme::semver, "2.0.6"), Standing::affected);
  EXPECT_EQ(of(open, Scheme::semver, "2.0.7"), Standing::fixed);
  const Affected closed = by_ranges({{"1.0", "", "1.7.21"}});
  EXPECT_EQ(of(closed, Scheme::plain, "0.9"), Standing::not_affected);
  EXPECT_EQ(of(closed, Scheme::plain, "1.7.21"), Standing::affected);
  EXPECT_EQ(of(closed, Scheme::plain, "1.7.22"), Standing::fixed);
  EXPECT_EQ(of(by_ranges({Range{}}), Scheme::plain, "9.9"), Standing::affected);
}

TEST(Standing, ARangeThatCannotBeReadDoesNotHideOneThatIsHit) {
  const Affected affected = by_ranges({{"", "nonsense", ""}, {"", "2.0.0", ""}});
  EXPECT_EQ(of(affected, Scheme::semver, "1.0.0"), Standing::affected);
  EXPECT_EQ(of(affected, Scheme::semver, "3.0.0"), Standing::unknown);
}

TEST(Standing, VersionsNamedOneByOne) {
  Affected affected;
  affected.versions = {"1.0", "1.2"};
  EXPECT_EQ(of(affected, Scheme::plain, "1.2"), Standing::affected);
  EXPECT_EQ(of(affected, Scheme::plain, "1.1"), Standing::not_affected);
}

TEST(Standing, WhatIsNoVersionOrSaysNothingIsUnknown) {
  const Affected driver = by_lines({"535.274.02"});
  for (const char* text : {"", "NVIDIA-SMI has failed because it couldn't communicate with the driver, 535.1",
                           "535.274.02\n", "error 999.99.99", "n/a"})
    EXPECT_EQ(of(driver, Scheme::nvidia_driver, text), Standing::unknown) << text;
  EXPECT_EQ(of(by_lines({"not a version"}), Scheme::semver, "1.2.3"), Standing::unknown);
  EXPECT_EQ(of(Affected{}, Scheme::semver, "1.2.3"), Standing::unknown);
  Affected undecided = by_lines({"1.0.0"});
  undecided.says = Affected::Says::undecided;
  EXPECT_EQ(of(undecided, Scheme::semver, "1.2.3"), Standing::unknown);
  undecided.says = Affected::Says::not_affected;
  EXPECT_EQ(of(undecided, Scheme::semver, "0.1.0"), Standing::not_affected);
}

TEST(Standing, ConditionsAreLookedUpAndOpenWhereUnseen) {
  Affected toolkit = by_lines({"1.17.8"});
  toolkit.conditions = {"cdi=on", "container-runtime!=crun"};
  EXPECT_EQ(of(toolkit, Scheme::semver, "1.17.7"), Standing::unknown);
  EXPECT_EQ(of(toolkit, Scheme::semver, "1.17.7", {{"cdi", "on"}}), Standing::unknown);
  EXPECT_EQ(of(toolkit, Scheme::semver, "1.17.7", {{"cdi", "off"}}), Standing::not_affected);
  EXPECT_EQ(of(toolkit, Scheme::semver, "1.17.7", {{"container-runtime", "crun"}}), Standing::not_affected);
  EXPECT_EQ(of(toolkit, Scheme::semver, "1.17.7", {{"cdi", "on"}, {"container-runtime", "runc"}}), Standing::affected);
  EXPECT_EQ(of(toolkit, Scheme::semver, "1.17.8"), Standing::fixed);
  EXPECT_THAT(stand(toolkit, Scheme::semver, "1.17.7", {}).reason, HasSubstr("cdi=on, container-runtime!=crun"));
}

TEST(Standing, AConditionMayHaveAlternatives) {
  Affected plugin = by_lines({"0.17.3"});
  plugin.conditions = {"strategy=cdi-cri|cdi-annotations"};
  EXPECT_EQ(of(plugin, Scheme::semver, "0.17.2", {{"strategy", "cdi-cri"}}), Standing::affected);
  EXPECT_EQ(of(plugin, Scheme::semver, "0.17.2", {{"strategy", "envvar"}}), Standing::not_affected);
}

TEST(Standing, FirmwareOfTwoModelsIsNotCompared) {
  const Affected lines = by_lines({"46.3008", "43.8002", "39.8002", "35.8002"});
  EXPECT_EQ(of(lines, Scheme::firmware, "28.39.3560"), Standing::affected);
  EXPECT_EQ(of(lines, Scheme::firmware, "28.39.8002"), Standing::fixed);
  EXPECT_EQ(of(lines, Scheme::firmware, "28.40.1000"), Standing::affected);
  EXPECT_EQ(of(lines, Scheme::firmware, "28.47.1026"), Standing::fixed);
  EXPECT_EQ(of(by_ranges({{"", "28.39.8002", ""}}), Scheme::firmware, "20.39.1000"), Standing::unknown);
}

}  // namespace
}  // namespace assay::advisory
