// The floor restates facts in our words: where the published feeds are beside the checkout, it must agree with them.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "advisory/floor.hpp"
#include "feed.hpp"

namespace assay::advisory {
namespace {

using ::testing::IsEmpty;

const Floor& floor() {
  static const auto loaded = load_floor(std::filesystem::path(ASSAY_SOURCE_DIR) / "data/advisories");
  if (!loaded) throw std::runtime_error(loaded.error().message());
  return *loaded;
}

TEST(FloorFacts, ReleaseLinesAreThoseOfEndoflife) {
  if (feed("endoflife").empty()) GTEST_SKIP() << "no ../shared/feeds/endoflife";
  std::map<std::string, Cycle> told;
  for (const Cycle& cycle : read_all(feed("endoflife")).cycles) told[cycle.product + " " + cycle.line] = cycle;
  std::size_t compared = 0;
  for (const Cycle& ours : floor().cycles) {
    const auto found = told.find(ours.product + " " + ours.line);
    if (found == told.end()) continue;  // lines that makers tell on their own pages
    ++compared;
    EXPECT_EQ(ours.end, found->second.end) << found->first;
    EXPECT_EQ(ours.ended, found->second.ended) << found->first;
    EXPECT_EQ(ours.latest, found->second.latest) << found->first;
  }
  EXPECT_GT(compared, 120u);
}

// Each mended package of AlmaLinux that the floor names is one of a published record about that weakness.
TEST(FloorFacts, AlmaLinuxPackagesAreThoseOfItsRecords) {
  if (feed("almalinux-osv").empty()) GTEST_SKIP() << "no ../shared/feeds/almalinux-osv";
  std::map<std::string, std::vector<std::string>> told;  // by release, package and CVE
  for (const Advisory& record : read_all(feed("almalinux-osv")).advisories)
    for (const Affected& affected : record.affected)
      for (const std::string& alias : record.aliases)
        for (const Range& range : affected.ranges)
          told[affected.ecosystem + " " + affected.package + " " + alias].push_back(range.fixed);
  std::vector<std::string> without_record;
  for (const Advisory& ours : floor().advisories)
    for (const Affected& affected : ours.affected) {
      if (!affected.ecosystem.starts_with("almalinux:")) continue;
      for (const std::string& cve : ours.aliases)
        for (const std::string& fixed : affected.fixed) {
          const auto& ends = told[affected.ecosystem + " " + affected.package + " " + cve];
          const auto is_it = [&](const std::string& end) { return end.starts_with(fixed); };  // a module's build aside
          if (std::none_of(ends.begin(), ends.end(), is_it))
            without_record.push_back(affected.ecosystem + " " + cve + " " + affected.package + " " + fixed);
        }
    }
  EXPECT_THAT(without_record, IsEmpty());
}

}  // namespace
}  // namespace assay::advisory
