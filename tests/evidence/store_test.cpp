#include "evidence/store.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evidence/artifacts.hpp"
#include "evidence/sqlite.hpp"
#include "testing.hpp"

namespace assay {
namespace {

using testing::seen;
using testing::TemporaryFolder;

StepResult step(const std::string& host, const std::string& name, std::vector<Observation> observations,
                std::string raw = "raw\n") {
  return {{host, name}, StepState::done, "", std::move(observations), std::move(raw)};
}

TEST(Store, GivesBackWhatWasRecorded) {
  TemporaryFolder folder;
  const std::vector<Value> values{
      true, std::int64_t{-7}, 2.5, 5.0, std::string("12"), TextList{"a", "b"}, Record{{"k", "v"}}};
  {
    auto store = Store::create(folder.path() / "run", {{"cluster", "cluster/c"}}).value();
    std::vector<Observation> observations;
    for (std::size_t i = 0; i < values.size(); ++i)
      observations.push_back(seen("cluster/c/node/n1", "value." + std::to_string(i), values[i], "By"));
    observations.push_back(testing::unseen("cluster/c/node/n1", "gone", Absence::permission, "open: no"));
    ASSERT_TRUE(store.record({step("cluster/c/node/n1", "os", observations, "what was read\n")}));
  }
  const auto store = Store::open_for_reading(folder.path() / "run").value();
  const auto observations = store.observations().value();
  ASSERT_EQ(observations.size(), values.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_NE(observations[i].value(), nullptr);
    EXPECT_EQ(*observations[i].value(), values[i]);
    EXPECT_EQ(observations[i].unit, "By");
  }
  ASSERT_NE(observations.back().absent(), nullptr);
  EXPECT_EQ(*observations.back().absent(), (Absent{Absence::permission, "open: no"}));
  EXPECT_EQ(store.artifact(observations[0].artifact).value(), "what was read\n");
  EXPECT_EQ(store.facts().value().at("cluster"), "cluster/c");
}

TEST(Store, AStepDoneAgainSupersedesAndDeletesNothing) {
  TemporaryFolder folder;
  auto store = Store::create(folder.path() / "run", {}).value();
  StepResult failed =
      step("cluster/c/node/n1", "os", {testing::unseen("cluster/c/node/n1", "os.id", Absence::timeout)});
  failed.state = StepState::failed;
  ASSERT_TRUE(store.record({failed}));
  EXPECT_TRUE(store.finished().value().empty());
  ASSERT_TRUE(store.record({step("cluster/c/node/n1", "os", {seen("cluster/c/node/n1", "os.id", "debian")})}));
  EXPECT_EQ(store.finished().value().size(), 1u);
  const auto observations = store.observations().value();
  ASSERT_EQ(observations.size(), 1u);
  EXPECT_EQ(to_text(observations[0]), "debian");
}

TEST(Store, ADatabaseThatIsAFifoIsRefusedAtOnce) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder.path() / "evidence.db").c_str(), 0600), 0);
  for (const auto& opened : {Store::open_for_reading(folder.path()), Store::open_for_writing(folder.path())}) {
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, Error::Kind::usage);
    EXPECT_NE(opened.error().message().find("one that is no file"), std::string::npos);
  }
}

TEST(Store, ABadRowIsNamed) {
  TemporaryFolder folder;
  const auto run = folder.path() / "run";
  {
    auto store = Store::create(run, {}).value();
    ASSERT_TRUE(store.record({step("cluster/c/node/n1", "os",
                                   {seen("cluster/c/node/n1", "os.id", "debian"),
                                    testing::unseen("cluster/c/node/n1", "os.version", Absence::timeout)})}));
  }
  auto database = sqlite::Database::open(run / "evidence.db", sqlite::Database::Mode::write).value();
  ASSERT_TRUE(database.execute("UPDATE observation SET absent = 'bored' WHERE id = 2"));
  const auto observations = Store::open_for_reading(run).value().observations();
  ASSERT_FALSE(observations);
  EXPECT_NE(observations.error().message().find("row 2 of the table observation"), std::string::npos)
      << observations.error().message();
}

TEST(Store, SaysWhatIsWrongWithAFolder) {
  TemporaryFolder folder;
  EXPECT_NE(Store::open_for_reading(folder.path()).error().message().find("evidence.db"), std::string::npos);
  folder.write("bad/evidence.db", "this is no database, whatever its name says; it is only some text in a file.....");
  EXPECT_NE(Store::open_for_reading(folder.path() / "bad").error().message().find("damaged"), std::string::npos);
  EXPECT_FALSE(Store::create(folder.path() / "bad", {}));
}

TEST(Store, AViewInATablesPlaceIsNotRead) {
  TemporaryFolder folder;
  { Store::create(folder.path() / "run", {}).value(); }
  auto database = sqlite::Database::open(folder.path() / "run/evidence.db", sqlite::Database::Mode::write).value();
  ASSERT_TRUE(database.execute("ALTER TABLE observation RENAME TO hidden"));
  ASSERT_TRUE(
      database.execute("CREATE VIEW observation AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
                       "r) SELECT i AS id FROM r"));
  const auto store = Store::open_for_reading(folder.path() / "run");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().came, "view observation");
}

TEST(Store, AFolderWhereARunWasNeverBegunTakesOne) {
  TemporaryFolder folder;
  folder.write("run/evidence.db", "");
  std::filesystem::create_directories(folder.path() / "run/artifacts");
  EXPECT_TRUE(Store::create(folder.path() / "run", {}));
  EXPECT_FALSE(Store::create(folder.path() / "run", {}));  // now it is one
  folder.write("other/evidence.db", "");
  folder.write("other/notes.txt", "mine");
  EXPECT_FALSE(Store::create(folder.path() / "other", {}));
}

TEST(Store, RefusesANewerSchemaWithWords) {
  TemporaryFolder folder;
  { auto store = Store::create(folder.path() / "run", {}).value(); }
  sqlite3* handle = nullptr;
  sqlite3_open((folder.path() / "run/evidence.db").c_str(), &handle);
  sqlite3_exec(handle, "PRAGMA user_version=99", nullptr, nullptr, nullptr);
  sqlite3_close(handle);
  for (const auto& opened :
       {Store::open_for_reading(folder.path() / "run"), Store::open_for_writing(folder.path() / "run")}) {
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message().find("version 99"), std::string::npos);
    EXPECT_NE(opened.error().message().find("newer"), std::string::npos);
  }
}

TEST(Store, HasOneWriter) {
  TemporaryFolder folder;
  const auto first = Store::create(folder.path() / "run", {});
  const auto second = Store::open_for_writing(folder.path() / "run");
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message().find("only writer"), std::string::npos);
}

TEST(Artifacts, AreRefusedIfTheyWereChanged) {
  TemporaryFolder folder;
  const std::string sha = artifacts::put(folder.path(), "the truth").value();
  const std::string other = artifacts::put(folder.path(), "something else").value();
  const auto file = [&](const std::string& name) { return folder.path() / name.substr(0, 2) / (name + ".zst"); };
  std::filesystem::copy_file(file(other), file(sha), std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(artifacts::get(folder.path(), sha));
  EXPECT_EQ(artifacts::get(folder.path(), other).value(), "something else");
}

// A writer killed in the middle leaves whole steps: each that record() had acknowledged, and none by halves.
TEST(Store, KilledWriterLeavesWholeSteps) {
  TemporaryFolder folder;
  const auto run = folder.path() / "run";
  int acknowledged[2];
  ASSERT_EQ(pipe(acknowledged), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto store = Store::create(run, {}).value();
    for (int i = 0;; ++i) {
      std::vector<Observation> observations;
      for (int k = 0; k < 50; ++k)
        observations.push_back(seen("cluster/c/node/n1", "n" + std::to_string(k), std::int64_t{i}));
      if (!store.record({step("cluster/c/node/n1", "step" + std::to_string(i), observations, std::to_string(i))}))
        _exit(1);
      if (write(acknowledged[1], "x", 1) != 1) _exit(1);
    }
  }
  char byte = 0;
  std::size_t heard = 0;
  while (heard < 20 && read(acknowledged[0], &byte, 1) == 1) ++heard;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(acknowledged[1]);
  while (read(acknowledged[0], &byte, 1) == 1) ++heard;
  close(acknowledged[0]);
  auto store = Store::open_for_writing(run).value();
  EXPECT_GE(store.finished().value().size(), heard);
  EXPECT_EQ(store.observations().value().size(), store.finished().value().size() * 50);
}

}  // namespace
}  // namespace assay
