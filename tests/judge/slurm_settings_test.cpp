#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;
using Seen = std::vector<Observation>;

constexpr auto kPrivate = "security.slurm-private-data";
constexpr auto kDevices = "security.slurm-devices-constrained";
constexpr auto kHealth = "orchestration.slurm-health-program";
constexpr auto kAccounting = "orchestration.slurm-accounting";
const std::string kLogin = "cluster/c/login/head";
const std::string kNode = "cluster/c/node/n1";

Seen told(const std::string& host, const std::map<std::string, std::string>& settings) {
  Seen all{seen(host, "slurm.present", true), seen(host, "slurm.config.SLURM_VERSION", "22.05.8"),
           seen(host, "slurm.conf-path", "/etc/slurm/slurm.conf")};
  for (const auto& [key, value] : settings) all.push_back(seen(host, "slurm.config." + key, value));
  return all;
}

Seen operator+(Seen a, const Seen& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// ---- what holds for each of them

class SlurmSetting : public ::testing::TestWithParam<const char*> {};

TEST_P(SlurmSetting, NotApplicableOnlyWhereSlurmWasLookedFor) {
  EXPECT_EQ(status_of(GetParam(), {seen(kLogin, "slurm.present", false)}, ""), "not_applicable");
  EXPECT_EQ(status_of(GetParam(), {unseen(kLogin, "slurm.present", Absence::timeout)}, ""), "unknown");
  EXPECT_EQ(status_of(GetParam(), {seen(kLogin, "os.id", "debian")}, ""), "unknown");
}

TEST_P(SlurmSetting, UnknownWhereTheSettingsCouldNotBeSeen) {
  EXPECT_EQ(status_of(GetParam(), {seen(kLogin, "slurm.present", true)}, ""), "unknown");
  EXPECT_EQ(status_of(GetParam(), told(kLogin, {}), ""), "unknown");
}

TEST_P(SlurmSetting, UnknownWhereAValueIsOfAnotherType) {
  Seen all = told(kLogin, {});
  for (const char* key : {"PrivateData", "TaskPlugin", "HealthCheckProgram", "HealthCheckInterval",
                          "HealthCheckNodeState", "AccountingStorageType"})
    all.push_back(seen(kLogin, std::string("slurm.config.") + key, std::int64_t{7}));
  EXPECT_EQ(status_of(GetParam(), all, ""), "unknown");
}

INSTANTIATE_TEST_SUITE_P(All, SlurmSetting, ::testing::Values(kPrivate, kDevices, kHealth, kAccounting));

// ---- security.slurm-private-data

std::string private_data(const std::string& value) {
  return status_of(kPrivate, told(kLogin, {{"PrivateData", value}, {"MetricsType", "(null)"}}), "");
}

TEST(SlurmPrivateData, SoundUnsoundAndHalf) {
  EXPECT_EQ(private_data("accounts,jobs,usage,users"), "pass");
  EXPECT_EQ(private_data("accounts,jobs,nodes,reservations,usage,users"), "pass");
  EXPECT_EQ(private_data("jobs"), "warn");
  EXPECT_EQ(private_data("usage,users,accounts"), "fail");
  EXPECT_EQ(private_data("none"), "fail");
  EXPECT_EQ(private_data("(null)"), "fail");
}

TEST(SlurmPrivateData, TheFileCountsWhereTheControllerWasNotHeard) {
  const Seen file{seen(kNode, "slurm.present", true), seen(kNode, "slurm.conf-path", "/etc/slurm/slurm.conf"),
                  unseen(kNode, "slurm.file.PrivateData", Absence::missing)};
  const auto verdict = judged(kPrivate, file).at("");
  EXPECT_EQ(verdict.status, Status::fail);
  EXPECT_THAT(verdict.why, HasSubstr("by slurm.conf"));
}

TEST(SlurmPrivateData, HostsThatDisagreeGiveTheWorse) {
  const auto verdict = judged(kPrivate, told(kLogin, {{"PrivateData", "jobs,usage,users,accounts"}}) +
                                            told(kNode, {{"PrivateData", "none"}}))
                           .at("");
  EXPECT_EQ(verdict.status, Status::fail);
  EXPECT_THAT(verdict.why, HasSubstr("hosts disagree: n1 says this, head tell otherwise"));
}

// PrivateData is set; metrics are on.
std::string metrics(const Observation& users, const Observation& parameters) {
  return status_of(
      kPrivate,
      told(kLogin, {{"PrivateData", "all"}, {"MetricsType", "metrics/openmetrics"}}) + Seen{users, parameters}, "");
}

TEST(SlurmPrivateData, MetricsAreClosedByPrivateDataOrUsers) {
  const auto users = [](Value value) { return seen(kLogin, "slurm.config.MetricsAuthUsers", std::move(value)); };
  const auto parameters = [](Value value) { return seen(kLogin, "slurm.config.MetricsParameters", std::move(value)); };
  const Observation no_such = unseen(kLogin, "slurm.config.MetricsAuthUsers", Absence::unsupported);
  EXPECT_EQ(metrics(users("(null)"), parameters("(null)")), "pass");
  EXPECT_EQ(metrics(no_such, parameters("(null)")), "pass");
  EXPECT_EQ(metrics(users("(null)"), parameters("ignore_private_data")), "fail");
  EXPECT_EQ(metrics(no_such, parameters("ignore_private_data")), "fail");
  EXPECT_EQ(metrics(users("prometheus"), parameters("ignore_private_data")), "pass");
  EXPECT_EQ(metrics(users("(null)"), parameters(std::int64_t{1})), "unknown");
  EXPECT_EQ(metrics(users(std::int64_t{1}), parameters("ignore_private_data")), "unknown");
  EXPECT_EQ(metrics(users("(null)"), unseen(kLogin, "slurm.config.MetricsParameters", Absence::timeout)), "unknown");
  EXPECT_EQ(status_of(kPrivate, told(kLogin, {{"PrivateData", "all"}}), ""), "unknown") << "whether they are on";
}

TEST(SlurmPrivateData, OpenMetricsAreNamed) {
  EXPECT_THAT(
      judged(kPrivate,
             told(kLogin, {{"PrivateData", "none"}, {"MetricsType", "metrics/openmetrics"}, {"MetricsAuthUsers", ""}}))
          .at("")
          .why,
      HasSubstr("/metrics"));
}

// ---- security.slurm-devices-constrained

const std::map<std::string, std::string> kCgroup{{"TaskPlugin", "task/affinity,task/cgroup"}};

TEST(SlurmDevicesConstrained, ByTheControllersWord) {
  EXPECT_EQ(status_of(kDevices, told(kLogin, kCgroup) + Seen{seen(kLogin, "slurm.cgroup.ConstrainDevices", "yes")}, ""),
            "pass");
  EXPECT_EQ(status_of(kDevices, told(kLogin, kCgroup) + Seen{seen(kLogin, "slurm.cgroup.ConstrainDevices", "no")}, ""),
            "fail");
  EXPECT_EQ(status_of(kDevices, told(kLogin, {{"TaskPlugin", "task/none"}}), ""), "fail");
}

TEST(SlurmDevicesConstrained, ByTheFileWhereTheControllerDoesNotTell) {
  const auto with = [](const Observation& file) { return status_of(kDevices, told(kLogin, kCgroup) + Seen{file}, ""); };
  EXPECT_EQ(with(seen(kLogin, "slurm.cgroup-file", Record{{"constraindevices", "Yes"}})), "pass");
  EXPECT_EQ(with(seen(kLogin, "slurm.cgroup-file", Record{{"constraincores", "yes"}})), "fail");
  EXPECT_EQ(with(unseen(kLogin, "slurm.cgroup-file", Absence::missing)), "fail");
  EXPECT_EQ(with(unseen(kLogin, "slurm.cgroup-file", Absence::permission)), "unknown");
  EXPECT_EQ(with(unseen(kLogin, "slurm.cgroup-file", Absence::malformed)), "unknown");
}

TEST(SlurmDevicesConstrained, ANodeWithAnotherFileIsNamed) {
  const auto verdicts = judged(
      kDevices, told(kLogin, kCgroup) + Seen{seen(kLogin, "slurm.cgroup.ConstrainDevices", "yes"),
                                             seen(kNode, "slurm.conf-path", "/etc/slurm/slurm.conf"),
                                             seen(kNode, "slurm.cgroup-file", Record{{"constraindevices", "no"}})});
  EXPECT_EQ(verdicts.at("").status, Status::pass);
  EXPECT_EQ(verdicts.at("node/n1").status, Status::fail);
}

TEST(SlurmDevicesConstrained, ANodeWhoseFileWasNotReadIsUnknown) {
  const auto node = [](const Observation& path, const Observation& file) {
    return status_of(kDevices,
                     told(kLogin, kCgroup) + Seen{seen(kLogin, "slurm.cgroup.ConstrainDevices", "yes"), path, file},
                     "node/n1");
  };
  const Observation path = seen(kNode, "slurm.conf-path", "/etc/slurm/slurm.conf");
  const Observation file = seen(kNode, "slurm.cgroup-file", Record{{"constraindevices", "yes"}});
  EXPECT_EQ(node(path, file), "<none>");
  for (const auto reason : {Absence::permission, Absence::malformed, Absence::timeout}) {
    EXPECT_EQ(node(path, unseen(kNode, "slurm.cgroup-file", reason)), "unknown");
    EXPECT_EQ(node(unseen(kNode, "slurm.conf-path", reason), file), "unknown");
  }
  EXPECT_EQ(node(path, unseen(kNode, "slurm.cgroup-file", Absence::missing)), "fail");
  EXPECT_EQ(node(unseen(kNode, "slurm.conf-path", Absence::missing), file), "<none>") << "it goes by the controller's";
}

TEST(SlurmDevicesConstrained, WithoutGpusThereIsNothingToConstrain) {
  EXPECT_EQ(
      status_of(kDevices, told(kLogin, {{"TaskPlugin", "task/none"}}) + Seen{seen(kNode, "gpu.count", std::int64_t{0})},
                ""),
      "not_applicable");
}

// ---- orchestration.slurm-health-program

std::string health(const std::string& program, const std::string& interval, const std::string& states) {
  return status_of(
      kHealth,
      told(kLogin,
           {{"HealthCheckProgram", program}, {"HealthCheckInterval", interval}, {"HealthCheckNodeState", states}}),
      "");
}

TEST(SlurmHealthProgram, SoundUnsoundAndHalf) {
  EXPECT_EQ(health("/usr/sbin/nhc", "300 sec", "ANY"), "pass");
  EXPECT_EQ(health("/usr/sbin/nhc", "300 sec", "CYCLE,IDLE"), "pass");
  EXPECT_EQ(health("(null)", "0 sec", "ANY"), "fail");
  EXPECT_EQ(health("/usr/sbin/nhc", "0 sec", "ANY"), "fail");
  EXPECT_EQ(health("/usr/sbin/nhc", "86400 sec", "ANY"), "warn");
  EXPECT_EQ(health("/usr/sbin/nhc", "300 sec", "ALLOC"), "warn");
  EXPECT_EQ(health("/usr/sbin/nhc", "soon", "ANY"), "unknown");
}

// What the check says of n1, beside a cluster whose settings are sound.
std::string health_of_node(const Seen& node) {
  const Seen sound = told(
      kLogin,
      {{"HealthCheckProgram", "/usr/sbin/nhc"}, {"HealthCheckInterval", "300 sec"}, {"HealthCheckNodeState", "ANY"}});
  return status_of(kHealth, sound + node, "node/n1");
}

TEST(SlurmHealthProgram, ANodeWithoutTheProgramIsNamed) {
  const Seen named{seen(kNode, "slurm.present", true), seen(kNode, "slurm.file.HealthCheckProgram", "/usr/sbin/nhc")};
  const auto with_mode = [&](Value mode) { return named + Seen{seen(kNode, "slurm.health-program-mode", mode)}; };
  const auto without = [&](Absence reason) { return named + Seen{unseen(kNode, "slurm.health-program-mode", reason)}; };
  EXPECT_EQ(health_of_node(without(Absence::missing)), "fail");
  EXPECT_EQ(health_of_node(with_mode(std::int64_t{0644})), "fail");
  EXPECT_EQ(health_of_node(with_mode(std::int64_t{0755})), "<none>");
  EXPECT_EQ(health_of_node(without(Absence::permission)), "unknown");
  EXPECT_EQ(health_of_node(with_mode("rwxr-xr-x")), "unknown");
  EXPECT_EQ(health_of_node(named), "unknown");
}

TEST(SlurmHealthProgram, WithoutSlurmConfNobodyLookedForTheProgram) {
  const Seen no_conf{unseen(kNode, "slurm.file.HealthCheckProgram", Absence::missing),
                     unseen(kNode, "slurm.health-program-mode", Absence::missing, "no slurm.conf")};
  EXPECT_EQ(health_of_node(no_conf + Seen{seen(kNode, "slurm.present", false)}), "<none>");
  EXPECT_EQ(health_of_node(no_conf + Seen{seen(kNode, "slurm.present", true)}), "<none>");
  const auto verdicts = judged(kHealth, no_conf + Seen{seen(kNode, "slurm.present", false)});
  EXPECT_EQ(verdicts.at("").status, Status::not_applicable);
  EXPECT_EQ(verdicts.size(), 1U);
}

TEST(SlurmHealthProgram, AConfThatCanNotBeReadIsUnknown) {
  EXPECT_EQ(health_of_node({seen(kNode, "slurm.present", true),
                            unseen(kNode, "slurm.file.HealthCheckProgram", Absence::permission),
                            unseen(kNode, "slurm.health-program-mode", Absence::permission)}),
            "unknown");
}

// ---- orchestration.slurm-accounting

Seen accounting(const std::string& type) {
  return told(kLogin, {{"AccountingStorageType", type}, {"JobAcctGatherType", "jobacct_gather/cgroup"}});
}

TEST(SlurmAccounting, SoundUnsoundAndSilent) {
  const Seen answers{seen(kLogin, "slurm.accounting-clusters", TextList{"acme"})};
  EXPECT_EQ(status_of(kAccounting, accounting("accounting_storage/slurmdbd") + answers, ""), "pass");
  EXPECT_EQ(status_of(kAccounting, accounting("accounting_storage/none"), ""), "fail");
  EXPECT_EQ(status_of(kAccounting, accounting("(null)"), ""), "fail");
  EXPECT_EQ(status_of(kAccounting,
                      accounting("accounting_storage/slurmdbd") +
                          Seen{unseen(kLogin, "slurm.accounting-clusters", Absence::timeout)},
                      ""),
            "warn");
  EXPECT_EQ(status_of(kAccounting,
                      told(kLogin, {{"AccountingStorageType", "accounting_storage/slurmdbd"},
                                    {"JobAcctGatherType", "jobacct_gather/none"}}) +
                          answers,
                      ""),
            "warn");
}

TEST(SlurmAccounting, WhatWasNotReadIsNeitherPassNorWarning) {
  const Seen answers{seen(kLogin, "slurm.accounting-clusters", TextList{"acme"})};
  const Seen type = told(kLogin, {{"AccountingStorageType", "accounting_storage/slurmdbd"}});
  EXPECT_EQ(status_of(kAccounting, type + answers, ""), "unknown") << "JobAcctGatherType was never recorded";
  EXPECT_EQ(status_of(kAccounting,
                      type + answers + Seen{seen(kLogin, "slurm.config.JobAcctGatherType", std::int64_t{1})}, ""),
            "unknown");
  EXPECT_EQ(status_of(kAccounting, accounting("accounting_storage/slurmdbd"), ""), "unknown") << "nobody asked it";
  for (const Observation& unread : {unseen(kLogin, "slurm.accounting-clusters", Absence::missing),
                                    unseen(kLogin, "slurm.accounting-clusters", Absence::permission),
                                    seen(kLogin, "slurm.accounting-clusters", std::int64_t{1})})
    EXPECT_EQ(status_of(kAccounting, accounting("accounting_storage/slurmdbd") + Seen{unread}, ""), "unknown");
  EXPECT_EQ(status_of(kAccounting,
                      told(kLogin, {{"AccountingStorageType", "accounting_storage/slurmdbd"},
                                    {"JobAcctGatherType", "jobacct_gather/none"}}),
                      ""),
            "warn")
      << "proven in spite of the gap";
}

}  // namespace
}  // namespace assay::testing
