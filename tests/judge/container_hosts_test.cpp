#include <gtest/gtest.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using Observations = std::vector<Observation>;

const std::string kHost = "cluster/c/node/n1";

// A hardened host, but for what `instead` says.
Observations toolkit(const Observations& instead) {
  Observations all = {
      seen(kHost, "container-toolkit.installed", true),
      seen(kHost, "container-toolkit.envvar-when-unprivileged", false),
      unseen(kHost, "container-toolkit.cuda-compat-from-container", Absence::missing),
      seen(kHost, "container-toolkit.ldconfig-from-container", false),
      seen(kHost, "container-toolkit.ldconfig", std::string("@/sbin/ldconfig")),
      unseen(kHost, "container-toolkit.no-cgroups", Absence::missing),
  };
  for (const Observation& other : instead)
    for (Observation& own : all)
      if (own.name == other.name) own = other;
  return all;
}

std::string toolkit_status(const Observations& instead) {
  return status_of("security.container-toolkit-hardened", toolkit(instead), "node/n1");
}

TEST(ContainerToolkitHardened, Sound) { EXPECT_EQ(toolkit_status({}), "pass"); }

TEST(ContainerToolkitHardened, EachSwitchAlone) {
  EXPECT_EQ(toolkit_status({seen(kHost, "container-toolkit.envvar-when-unprivileged", true)}), "fail");
  EXPECT_EQ(toolkit_status({unseen(kHost, "container-toolkit.envvar-when-unprivileged", Absence::missing)}), "fail");
  EXPECT_EQ(toolkit_status({seen(kHost, "container-toolkit.cuda-compat-from-container", true)}), "fail");
  EXPECT_EQ(toolkit_status({seen(kHost, "container-toolkit.ldconfig-from-container", true)}), "fail");
  EXPECT_EQ(toolkit_status({seen(kHost, "container-toolkit.ldconfig", std::string("/sbin/ldconfig"))}), "fail");
  EXPECT_EQ(toolkit_status({seen(kHost, "container-toolkit.no-cgroups", true)}), "warn");
}

TEST(ContainerToolkitHardened, UnreadableMalformedAndNotInstalled) {
  EXPECT_EQ(toolkit_status({unseen(kHost, "container-toolkit.envvar-when-unprivileged", Absence::permission)}),
            "unknown");
  EXPECT_EQ(toolkit_status({seen(kHost, "container-toolkit.ldconfig-from-container", std::string("no"))}), "unknown");
  EXPECT_EQ(toolkit_status({seen(kHost, "container-toolkit.installed", false)}), "not_applicable");
  EXPECT_EQ(toolkit_status({unseen(kHost, "container-toolkit.installed", Absence::unsupported)}), "unknown");
  // A gap in one switch hides no fault in another.
  EXPECT_EQ(toolkit_status({unseen(kHost, "container-toolkit.ldconfig", Absence::malformed),
                            seen(kHost, "container-toolkit.envvar-when-unprivileged", true)}),
            "fail");
  EXPECT_EQ(toolkit_status({unseen(kHost, "container-toolkit.ldconfig", Absence::malformed),
                            seen(kHost, "container-toolkit.no-cgroups", true)}),
            "warn");
}

std::string kubelet_status(Value anonymous, const std::string& mode, std::int64_t port) {
  return status_of("security.kubelet-closed",
                   {seen(kHost, "kubelet.present", true), seen(kHost, "kubelet.anonymous-auth", std::move(anonymous)),
                    seen(kHost, "kubelet.authorization-mode", mode), seen(kHost, "kubelet.read-only-port", port, "1")},
                   "node/n1");
}

TEST(KubeletClosed, SoundUnsoundMalformed) {
  EXPECT_EQ(kubelet_status(false, "Webhook", 0), "pass");
  EXPECT_EQ(kubelet_status(true, "Webhook", 0), "fail");
  EXPECT_EQ(kubelet_status(false, "AlwaysAllow", 0), "fail");
  EXPECT_EQ(kubelet_status(false, "Webhook", 10255), "fail");
  EXPECT_EQ(kubelet_status(std::string("no"), "Webhook", 0), "unknown");
  EXPECT_EQ(kubelet_status(std::string("no"), "Webhook", 10255), "fail");
}

TEST(KubeletClosed, AbsentAndUnreadable) {
  EXPECT_EQ(status_of("security.kubelet-closed", {seen(kHost, "kubelet.present", false)}, "node/n1"), "not_applicable");
  EXPECT_EQ(
      status_of("security.kubelet-closed",
                {seen(kHost, "kubelet.present", true), unseen(kHost, "kubelet.anonymous-auth", Absence::permission)},
                "node/n1"),
      "unknown");
}

}  // namespace
}  // namespace assay::testing
