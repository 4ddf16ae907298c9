#include "report/write.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "sample.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

namespace fs = std::filesystem;

TEST(WriteReports, WritesBothAndNothingElse) {
  const TemporaryFolder folder;
  const auto report = sample_report(folder.path() / "run");
  fs::create_directory(folder.path() / "out");
  ASSERT_TRUE(report::write_reports(report, folder.path() / "out"));
  EXPECT_TRUE(fs::exists(folder.path() / "out/report.json"));
  EXPECT_TRUE(fs::exists(folder.path() / "out/report.html"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "out"), {}), 2);
}

TEST(WriteReports, ReplacesWhole) {
  const TemporaryFolder folder;
  folder.write("report.json", "old and longer");
  ASSERT_TRUE(report::write_whole(folder.path() / "report.json", "new"));
  EXPECT_EQ(read_file(folder.path() / "report.json"), "new");
}

TEST(WriteReports, SaysWhereAndWhatToDo) {
  const TemporaryFolder folder;
  const auto written = report::write_whole(folder.path() / "none/report.json", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, Error::Kind::environment);
  EXPECT_EQ(written.error().came, "No such file or directory");
  EXPECT_FALSE(written.error().remedy.empty());
}

TEST(WriteReports, AFullDiskLeavesTheOldReport) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const TemporaryFolder folder;
  folder.write("report.json", "old");
  folder.link("report.json." + std::to_string(getpid()) + ".part", "/dev/full");
  const auto written = report::write_whole(folder.path() / "report.json", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().came, "No space left on device");
  EXPECT_EQ(read_file(folder.path() / "report.json"), "old");
}

}  // namespace
}  // namespace assay::testing
