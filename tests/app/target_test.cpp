#include "app/target.hpp"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>

namespace assay::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Target by_ssh(std::vector<std::string> words) {
  Target target;
  target.ssh = std::move(words);
  return target;
}

TEST(Target, HostListsStandForTheirNamesEachOnce) {
  Target target = by_ssh({"n[1-3,05],m1", "n2,root@gate"});
  ASSERT_TRUE(expand_hosts(target));
  EXPECT_THAT(target.ssh, ElementsAre("n1", "n2", "n3", "n05", "m1", "root@gate"));
  Target none;
  ASSERT_TRUE(expand_hosts(none));
  EXPECT_TRUE(none.ssh.empty());
}

TEST(Target, ListsThatCanNotBeReadOrAreTooLongAreRefused) {
  for (const char* list : {"n[1-3", "n[a-b]", "n1,,n2", "n[1-99999999]", "n[1-999]r[1-999]", "[::1]"}) {
    Target target = by_ssh({list});
    const auto expanded = expand_hosts(target);
    ASSERT_FALSE(expanded) << list;
    EXPECT_EQ(expanded.error().kind, Error::Kind::usage);
    EXPECT_THAT(expanded.error().message(), HasSubstr("--ssh"));
  }
}

TEST(Target, ManyNamesAreToldInFewWordsAndKeptWhole) {
  Target target = by_ssh({"n[1-500],m1"});
  ASSERT_TRUE(expand_hosts(target));
  EXPECT_EQ(to_text(target), "--ssh m1,n[1-500]");
  EXPECT_EQ(target_from_json_text(to_json_text(target)).value().ssh.size(), 501u);
}

TEST(Target, ThisHostIsTheLoginHostWithSlurmOrWhereAsked) {
  Target ssh = by_ssh({"n1"});
  EXPECT_FALSE(looks_at_login(ssh));
  ssh.login = true;
  EXPECT_TRUE(looks_at_login(ssh));
  Target slurm;
  slurm.slurm = true;
  EXPECT_TRUE(looks_at_login(slurm));
  slurm.login = false;
  EXPECT_FALSE(looks_at_login(slurm));
  Target local;
  local.login = true;
  EXPECT_FALSE(looks_at_login(local));
}

Target parsed(const std::string& words) {
  CLI::App app;
  Target target;
  add_target_options(app, target);
  app.parse(words);
  return target;
}

TEST(Target, TheLoginHostIsAsTheCallSays) {
  EXPECT_TRUE(looks_at_login(parsed("--slurm")));
  EXPECT_TRUE(looks_at_login(parsed("--slurm --login")));
  EXPECT_FALSE(looks_at_login(parsed("--slurm --no-login")));
  EXPECT_FALSE(looks_at_login(parsed("--ssh n1")));
  EXPECT_TRUE(looks_at_login(parsed("--ssh n1 --login")));
}

TEST(Target, OptionsOfAnotherKindOfTargetAreRefused) {
  for (const char* words : {"-p gpu", "-N 16", "--wait 5", "--ssh n1 -p gpu", "--root / -w n1", "--ssh-config x",
                            "--slurm --connect-timeout 5"})
    EXPECT_THROW(parsed(words), CLI::RequiresError) << words;
  EXPECT_EQ(parsed("--slurm -p gpu -N 16").slurm_options.node_count, 16);
}

}  // namespace
}  // namespace assay::app
