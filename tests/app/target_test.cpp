#include "app/target.hpp"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace assay::app {
namespace {

using ::testing::HasSubstr;

Target parsed(const std::string& words) {
  CLI::App app;
  Target target;
  target.add_options(app);
  app.parse(words);
  return target;
}

// As a run's folder keeps it.
nlohmann::json kept(const std::string& words) {
  Target target = parsed(words);
  EXPECT_TRUE(target.settle()) << words;
  return nlohmann::json::parse(target.to_json_text());
}

TEST(Target, HostListsStandForTheirNamesEachOnce) {
  EXPECT_EQ(kept("--ssh n[1-3,05],m1 --ssh n2,root@gate")["options"]["nodes"],
            (nlohmann::json{"n1", "n2", "n3", "n05", "m1", "root@gate"}));
}

TEST(Target, ListsThatCanNotBeReadOrAreTooLongAreRefused) {
  for (const char* list : {"n[1-3", "n[a-b]", "n1,,n2", "n[1-99999999]", "n[1-999]r[1-999]", "x[::1]"}) {
    Target target = parsed("--ssh " + std::string(list));
    const auto settled = target.settle();
    ASSERT_FALSE(settled) << list;
    EXPECT_EQ(settled.error().kind, Error::Kind::usage);
    EXPECT_THAT(settled.error().message(), HasSubstr("--ssh"));
  }
}

TEST(Target, ManyNamesAreToldInFewWordsAndKeptWhole) {
  Target target = parsed("--ssh n[1-500],m1");
  ASSERT_TRUE(target.settle());
  EXPECT_EQ(target.words(), "--ssh m1,n[1-500]");
  EXPECT_EQ(kept("--ssh n[1-500],m1")["options"]["nodes"].size(), 501u);
}

TEST(Target, TheLoginHostIsAsTheCallSays) {
  const auto looks = [](const std::string& words) {
    Target target = parsed(words);
    EXPECT_TRUE(target.settle()) << words;
    return target.looks_at_login();
  };
  EXPECT_TRUE(looks("--slurm"));
  EXPECT_TRUE(looks("--slurm --login"));
  EXPECT_FALSE(looks("--slurm --no-login"));
  EXPECT_FALSE(looks("--ssh n1"));
  EXPECT_TRUE(looks("--ssh n1 --login"));
  EXPECT_FALSE(looks("--local"));
  EXPECT_FALSE(looks("--root /"));
  for (const char* words : {"--login", "--no-login", "--local --login", "--root / --login"})
    EXPECT_FALSE(parsed(words).settle()) << words;
}

TEST(Target, OptionsOfAnotherKindOfTargetAreRefused) {
  for (const char* words : {"-p gpu", "-N 16", "--wait 5", "--ssh n1 -p gpu", "--root / -w n1", "--ssh-config x",
                            "--slurm --connect-timeout 5"})
    EXPECT_THROW(parsed(words), CLI::RequiresError) << words;
  EXPECT_EQ(kept("--slurm -p gpu -N 16")["options"]["nodes"], 16);
}

TEST(Target, IsOneOfItsKinds) {
  EXPECT_EQ(kept("")["kind"], "local");
  EXPECT_EQ(kept("--local")["kind"], "local");
  for (const char* words : {"--ssh n1 --root /", "--local --slurm", "--slurm --ssh n1"}) {
    const auto settled = parsed(words).settle();
    ASSERT_FALSE(settled) << words;
    EXPECT_THAT(settled.error().message(), HasSubstr("expected one target, got several"));
  }
}

TEST(Target, IsKeptWholeAndReadBack) {
  for (const char* words : {"", "--root / --cluster acme", "--ssh n[1-2] --ssh-config f --connect-timeout 7",
                            "--slurm -p a -N 3 -w n1 -A b -q c -C d --reservation e -t 5 --wait 9"}) {
    const std::string text = kept(words).dump();
    const auto read = Target::from_json_text(text);
    ASSERT_TRUE(read) << words;
    EXPECT_EQ(read->to_json_text(), text);
  }
}

TEST(Target, WhatIsNoKeptTargetIsRefused) {
  for (const char* text :
       {"", "[]", "{}", R"({"kind":"cloud","cluster":"","options":{}})", R"({"kind":"ssh","cluster":"","options":{}})",
        R"({"kind":"local","cluster":7,"options":{}})", R"({"kind":"root","cluster":"","options":{"folder":["/"]}})"}) {
    const auto read = Target::from_json_text(text);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message(), HasSubstr("start a new run"));
  }
}

}  // namespace
}  // namespace assay::app
