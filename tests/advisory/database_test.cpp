#include "advisory/database.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing.hpp"

namespace assay::advisory {
namespace {

using ::testing::HasSubstr;

Advisory sample(const std::string& id = "GO-2025-4108", const std::string& modified = "2025-11-06") {
  Advisory advisory;
  advisory.id = id;
  advisory.aliases = {"CVE-2025-64329", "GHSA-m6hq-p25p-ffr2"};
  advisory.title = "memory runs out";
  advisory.severity = Severity::medium;
  advisory.vector = "CVSS:3.1/AV:N";
  advisory.source = "go-vulndb";
  advisory.url = "https://example.org";
  advisory.published = "2025-11-05";
  advisory.modified = modified;
  advisory.fixed_date = "2025-11-05";
  return advisory;
}

Affected product(const std::string& package = "github.com/containerd/containerd") {
  Affected affected;
  affected.ecosystem = "go";
  affected.package = package;
  affected.platform = "linux";
  affected.ranges = {{"", "1.7.29", ""}, {"2.0.0", "", "2.0.6"}};
  affected.fixed = {"1.7.29", "2.0.7"};
  affected.spared = {"1.8"};
  affected.introduced = "1.0";
  affected.versions = {"1.2.3"};
  affected.conditions = {"cdi=on"};
  affected.note = "as its source says";
  return affected;
}

Batch batch_of(Advisory advisory, std::vector<Affected> affected) {
  advisory.affected = std::move(affected);
  Batch batch;
  batch.advisories = {std::move(advisory)};
  return batch;
}

Result<Database> filled(const std::filesystem::path& file, const Batch& batch, const std::string& day = "2026-01-01") {
  auto database = Database::create_or_open(file);
  if (!database) return database;
  if (auto begun = database->begin(); !begun) return failure(begun.error());
  if (auto added = database->add(batch); !added) return failure(added.error());
  if (auto done = database->commit(day); !done) return failure(done.error());
  return database;
}

TEST(Database, GivesBackWhatWasPutIn) {
  testing::TemporaryFolder folder;
  Batch batch = batch_of(sample(), {product(), product("other")});
  batch.exploited = {{"CVE-1", "2024-01-02", "cisa-kev"}};
  batch.cycles = {
      {"kubernetes", "1.34", "2025-08-27", "2026-10-27", true, "2027-01-01", "1.34.1", "2026-08-01", "eol"}};
  ASSERT_TRUE(filled(folder.path() / "deep/er/a.db", batch));
  const auto database = Database::open_for_reading(folder.path() / "deep/er/a.db");
  ASSERT_TRUE(database && *database);
  const auto records = (*database)->find("go", "github.com/containerd/containerd");
  ASSERT_TRUE(records);
  ASSERT_EQ(records->size(), 1u);
  EXPECT_EQ((*records)[0].affected, product());
  EXPECT_EQ(*(*records)[0].advisory, sample());
  EXPECT_TRUE((*database)->find("go", "none")->empty());
  EXPECT_EQ((*database)->newest("go")->value(), "2025-11-06");
  EXPECT_FALSE(*(*database)->newest("debian:12"));
  EXPECT_EQ(**(*database)->exploited("CVE-1"), batch.exploited[0]);
  EXPECT_FALSE(*(*database)->exploited("CVE-2"));
  ASSERT_EQ((*database)->cycles("kubernetes")->size(), 1u);
  EXPECT_EQ((*database)->cycles("kubernetes")->front(), batch.cycles[0]);
  const auto sources = (*database)->sources();
  ASSERT_EQ(sources->size(), 3u);
  EXPECT_EQ((*sources)[2].source, "go-vulndb");
  EXPECT_EQ((*sources)[2].records, 1u);
  EXPECT_EQ((*sources)[2].newest, "2025-11-06");
  EXPECT_EQ((*sources)[2].imported, "2026-01-01");
}

TEST(Database, ANewerRecordReplacesAnOlderNeverTheOtherWay) {
  testing::TemporaryFolder folder;
  const auto file = folder.path() / "a.db";
  ASSERT_TRUE(filled(file, batch_of(sample("A", "2026-01-05"), {product("p")})));
  ASSERT_TRUE(filled(file, batch_of(sample("A", "2025-01-05"), {product("old")})));
  auto database = filled(file, batch_of(sample("A", "2026-01-05"), {product("q")}));
  ASSERT_TRUE(database);
  EXPECT_TRUE(database->find("go", "p")->empty());
  EXPECT_TRUE(database->find("go", "old")->empty());
  EXPECT_EQ(database->find("go", "q")->size(), 1u);
}

TEST(Database, WithoutCommitNothingHappened) {
  testing::TemporaryFolder folder;
  const auto file = folder.path() / "a.db";
  ASSERT_TRUE(filled(file, batch_of(sample(), {product("kept")})));
  const pid_t child = fork();
  if (child == 0) {  // killed in the middle of an import
    auto database = Database::create_or_open(file);
    static_cast<void>(database->begin());
    for (int i = 0; i < 2000; ++i)
      static_cast<void>(database->add(batch_of(sample("X" + std::to_string(i)), {product()})));
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto database = Database::create_or_open(file);
  ASSERT_TRUE(database);
  EXPECT_EQ(database->find("go", "kept")->size(), 1u);
  EXPECT_TRUE(database->find("go", "github.com/containerd/containerd")->empty());
}

TEST(Database, TwoImportsAtOnceAreRefusedWithWords) {
  testing::TemporaryFolder folder;
  const auto file = folder.path() / "a.db";
  auto first = Database::create_or_open(file);
  ASSERT_TRUE(first && first->begin());
  auto second = Database::create_or_open(file);
  ASSERT_TRUE(second);
  const auto begun = second->begin();
  ASSERT_FALSE(begun);
  EXPECT_THAT(begun.error().message(), HasSubstr("wait for the other import"));
}

TEST(Database, NoFileIsNothingImportedAndAnotherFileIsRefused) {
  testing::TemporaryFolder folder;
  const auto none = Database::open_for_reading(folder.path() / "none.db");
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  folder.write("text.db", std::string(5000, 'x'));
  EXPECT_FALSE(Database::open_for_reading(folder.path() / "text.db"));
  EXPECT_FALSE(Database::create_or_open(folder.path() / "text.db"));
  EXPECT_EQ(testing::read_file(folder.path() / "text.db"), std::string(5000, 'x'));
  const auto is_folder = Database::open_for_reading(folder.path());
  ASSERT_FALSE(is_folder);
  EXPECT_THAT(is_folder.error().message(), HasSubstr("a folder or a device"));
}

TEST(Database, SeparatorsInAFeedsTextDontMakeRangesOfIt) {
  testing::TemporaryFolder folder;
  Affected hostile = product("p");
  hostile.ranges = {
      {"1\x1f"
       "2",
       "3\x1e"
       "4",
       ""}};
  const auto database = filled(folder.path() / "a.db", batch_of(sample(), {hostile}));
  ASSERT_TRUE(database);
  const auto records = database->find("go", "p");
  ASSERT_EQ(records->size(), 1u);
  EXPECT_EQ((*records)[0].affected.ranges, (std::vector<Range>{{"1?2", "3?4", ""}}));
}

}  // namespace
}  // namespace assay::advisory
