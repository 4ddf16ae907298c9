#include <gmock/gmock.h>

#include "evidence/artifacts.hpp"
#include "testing.hpp"

namespace assay::artifacts {
namespace {

namespace fs = std::filesystem;

std::size_t files_below(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) count += entry.is_regular_file() ? 1 : 0;
  return count;
}

TEST(ArtifactBatch, KeepsEachOnceHoweverManyComeTogether) {
  const testing::TemporaryFolder folder;
  std::vector<std::string> texts;
  for (int i = 0; i < 400; ++i) texts.push_back("output " + std::to_string(i % 300));
  const auto shas = put(folder.path(), std::vector<std::string_view>(texts.begin(), texts.end()));
  ASSERT_TRUE(shas);
  ASSERT_EQ(shas->size(), 400u);
  EXPECT_EQ((*shas)[0], (*shas)[300]);
  EXPECT_EQ(files_below(folder.path()), 300u);
  EXPECT_EQ(get(folder.path(), (*shas)[399]).value(), "output 99");
}

TEST(ArtifactBatch, LeavesNothingHalfWritten) {
  const testing::TemporaryFolder folder;
  const std::string sound = "sound";
  const std::string blocked = "blocked";
  // A file stands where the second one's folder would be.
  folder.write(sha256(blocked).substr(0, 2), "");
  EXPECT_FALSE(put(folder.path(), std::vector<std::string_view>{sound, blocked}));
  EXPECT_EQ(files_below(folder.path()), 1u);
}

}  // namespace
}  // namespace assay::artifacts
