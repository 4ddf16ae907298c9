#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "node/facts/toml_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using node::facts::parse_toml;

constexpr auto kConfig = "/etc/nvidia-container-runtime/config.toml";

// As nvidia-container-toolkit 1.17 installs it, shortened.
constexpr auto kAsInstalled = R"(#accept-nvidia-visible-devices-as-volume-mounts = false
#accept-nvidia-visible-devices-envvar-when-unprivileged = true
disable-require = false
supported-driver-capabilities = "compat32,compute,display,graphics,ngx,utility,video"
#swarm-resource = "DOCKER_RESOURCE_GPU"

[nvidia-container-cli]
#debug = "/var/log/nvidia-container-toolkit.log"
environment = []
ldconfig = "@/sbin/ldconfig.real"
load-kmods = true
#no-cgroups = false

[nvidia-container-runtime]
log-level = "info"
mode = "auto"
runtimes = ["docker-runc", "runc", "crun"]

[nvidia-container-runtime.modes.csv]
mount-spec-path = "/etc/nvidia-container-runtime/host-files-for-container.d"
)";

TEST(Containers, TellsTheToolkitsSwitches) {
  TemporaryFolder tree;
  tree.write(kConfig, std::string("accept-nvidia-visible-devices-envvar-when-unprivileged = false # closed\n") +
                          kAsInstalled + "[features]\nallow-ldconfig-from-container = true\n");
  tree.write("/usr/bin/docker", "");
  tree.write("/usr/local/bin/enroot", "");
  const Reading reading = read_tree("containers", tree.string());
  EXPECT_EQ(reading.text("", "container.runtimes"), "docker, enroot");
  EXPECT_EQ(reading.text("", "container-toolkit.installed"), "true");
  EXPECT_EQ(reading.text("", "container-toolkit.config"), kConfig);
  EXPECT_EQ(reading.text("", "container-toolkit.envvar-when-unprivileged"), "false");
  EXPECT_EQ(reading.text("", "container-toolkit.ldconfig-from-container"), "true");
  EXPECT_EQ(reading.text("", "container-toolkit.cuda-compat-from-container"), "<absent missing>");
  EXPECT_EQ(reading.text("", "container-toolkit.no-cgroups"), "<absent missing>");
  EXPECT_EQ(reading.text("", "container-toolkit.ldconfig"), "@/sbin/ldconfig.real");
  EXPECT_EQ(reading.text("", "container-toolkit.mode"), "auto");
}

TEST(Containers, AMalformedConfigIsNoSetting) {
  TemporaryFolder tree;
  tree.write(kConfig, "accept-nvidia-visible-devices-envvar-when-unprivileged = maybe\n");
  const Reading reading = read_tree("containers", tree.string());
  EXPECT_EQ(reading.text("", "container-toolkit.installed"), "true");
  EXPECT_EQ(reading.text("", "container-toolkit.envvar-when-unprivileged"), "<absent malformed>");
}

TEST(Containers, NoToolkitIsSaid) {
  TemporaryFolder tree;
  tree.write("/usr/bin/true", "");
  tree.write("/etc/hostname", "n1\n");
  const Reading reading = read_tree("containers", tree.string());
  EXPECT_EQ(reading.text("", "container-toolkit.installed"), "false");
  EXPECT_EQ(reading.text("", "docker.default-runtime"), "<absent missing>");
}

TEST(Containers, AFolderThatCannotBeSearchedIsNoAbsence) {
  if (geteuid() == 0) GTEST_SKIP() << "root may search any folder";
  TemporaryFolder tree;
  tree.write("/usr/bin/docker", "");
  tree.write("/usr/local/nvidia/toolkit/nvidia-ctk", "");
  const auto toolkit = tree.string() + "/usr/local/nvidia/toolkit";
  ASSERT_EQ(chmod(toolkit.c_str(), 0), 0);
  const Reading reading = read_tree("containers", tree.string());
  chmod(toolkit.c_str(), 0755);
  EXPECT_EQ(reading.text("", "container-toolkit.installed"), "<absent permission>");
  EXPECT_EQ(reading.text("", "container.runtimes"), "<absent permission>");
}

// Root may search any folder, so a loop stands for one that can't be: it is no "not there" either.
TEST(Containers, APlaceThatCannotBeLookedIntoIsNoAbsence) {
  TemporaryFolder tree;
  tree.write("/usr/bin/docker", "");
  tree.write("/usr/local/x", "");
  ASSERT_EQ(symlink("bin", (tree.string() + "/usr/local/bin").c_str()), 0);
  const Reading reading = read_tree("containers", tree.string());
  EXPECT_EQ(reading.text("", "container-toolkit.installed"), "<absent malformed>");
  EXPECT_EQ(reading.text("", "container.runtimes"), "<absent malformed>");
}

TEST(Containers, ATreeWithoutProgramsTellsNone) {
  TemporaryFolder tree;
  tree.write("/etc/hostname", "n1\n");
  const Reading reading = read_tree("containers", tree.string());
  EXPECT_EQ(reading.text("", "container-toolkit.installed"), "<absent unsupported>");
  EXPECT_EQ(reading.text("", "container.runtimes"), "<absent unsupported>");
}

TEST(Containers, DockersDaemonConfig) {
  TemporaryFolder tree;
  tree.write("/etc/docker/daemon.json",
             R"({"default-runtime": "nvidia", "hosts": ["unix:///var/run/docker.sock", "tcp://0.0.0.0:2375"]})");
  const Reading reading = read_tree("containers", tree.string());
  EXPECT_EQ(reading.text("", "docker.default-runtime"), "nvidia");
  EXPECT_EQ(reading.text("", "docker.hosts"), "unix:///var/run/docker.sock, tcp://0.0.0.0:2375");
  EXPECT_EQ(reading.text("", "docker.userns-remap"), "<absent missing>");
  tree.write("/etc/docker/daemon.json", R"({"default-runtime": "nvi)");
  EXPECT_EQ(read_tree("containers", tree.string()).text("", "docker.default-runtime"), "<absent malformed>");
  tree.write("/etc/docker/daemon.json", R"({"default-runtime": 5, "hosts": "tcp://x"})");
  const Reading odd = read_tree("containers", tree.string());
  EXPECT_EQ(odd.text("", "docker.default-runtime"), "<absent malformed>");
}

TEST(Toml, WhatGoesBeyondIsRefused) {
  EXPECT_EQ(parse_toml(kAsInstalled)->at("nvidia-container-runtime.runtimes"), "[\"docker-runc\", \"runc\", \"crun\"]");
  EXPECT_EQ(parse_toml("a = [\n  \"x\", # one\n  \"y\"\n]\nb = 1\n")->at("b"), "1");
  EXPECT_EQ(parse_toml("a = \"x # y\" # z\n")->at("a"), "x # y");
  for (const auto text : {"a = true\na = false\n", "a\n", "= 1\n", "[[table]]\n", "a = {b = 1}\n", "a = \"\"\"x\n",
                          "a = \"x\n", "[half\n", "a = tru\n", "a = \"x\\ty\"\n", "a = [1\n"})
    EXPECT_FALSE(parse_toml(text)) << text;
}

}  // namespace
}  // namespace assay::testing
