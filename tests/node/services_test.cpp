#include <gmock/gmock.h>

#include "node/facts/processes_detail.hpp"
#include "node/facts/systemd_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

void add_process(const TemporaryFolder& tree, int pid, const std::string& name, char state = 'S', int parent = 1) {
  const std::string number = std::to_string(pid);
  tree.write("/proc/" + number + "/stat",
             number + " (" + name + ") " + state + " " + std::to_string(parent) + " 1 1 0 -1 4194560 0 0\n");
}

TEST(Services, ProcessesStandInForAManager) {
  TemporaryFolder tree;
  add_process(tree, 1, "init", 'S', 0);
  add_process(tree, 50, "slurmd");
  add_process(tree, 51, "slurmd");
  add_process(tree, 52, "nv-hostengine", 'Z');
  add_process(tree, 53, "dcgm-exporter");
  add_process(tree, 54, "my slurmd) S 1");
  add_process(tree, 55, "kubelet", 'S', 2);  // a kernel thread may call itself so
  const Reading reading = read_tree("services", tree.string());
  EXPECT_EQ(reading.text("service/slurmd", "service.running"), "true");
  EXPECT_EQ(reading.text("service/slurmd", "service.processes"), "2");
  EXPECT_EQ(reading.text("service/nvidia-dcgm", "service.running"), "false");
  EXPECT_EQ(reading.text("service/dcgm-exporter", "service.running"), "true");
  EXPECT_EQ(reading.text("service/kubelet", "service.running"), "false");
  EXPECT_EQ(reading.text("", "services.manager"), "<absent unsupported>");
}

TEST(Services, WithoutProcessesNothingIsSaidToRunOrNot) {
  TemporaryFolder tree;
  tree.write("/proc/cpuinfo", "");
  EXPECT_EQ(read_tree("services", tree.string()).text("service/slurmd", "service.running"), "<absent unsupported>");
}

TEST(Services, AStatLineIsReadWhole) {
  const auto stat = node::facts::parse_stat("12 (a) b (c)) S 7 1 1");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->name, "a) b (c)");
  EXPECT_EQ(stat->parent, 7);
  for (const auto text : {"", "12", "12 (a", "12 (a)", "12 (a) S", "12 a) S 1", "12 (a) S x"})
    EXPECT_FALSE(node::facts::parse_stat(text)) << text;
}

TEST(Services, SystemdIsReadUnitByUnit) {
  const std::string output =
      "NRestarts=2\nId=slurmd.service\nLoadState=loaded\nActiveState=active\nUnitFileState=enabled\n\n"
      "NRestarts=0\nId=chrony.service\nLoadState=loaded\nActiveState=failed\nUnitFileState=alias\n\n"
      "NRestarts=0\nId=no.service\nLoadState=not-found\nActiveState=inactive\nUnitFileState=\n";
  const auto units = node::facts::parse_show(output, {"slurmd", "chronyd", "no"});
  ASSERT_TRUE(units);
  EXPECT_EQ(units->at("slurmd").at("NRestarts"), "2");
  EXPECT_EQ(units->at("chronyd").at("ActiveState"), "failed");
  EXPECT_EQ(units->at("no").at("LoadState"), "not-found");
  EXPECT_FALSE(node::facts::parse_show(output, {"slurmd", "chronyd"}));
  EXPECT_FALSE(node::facts::parse_show(output.substr(0, 90), {"slurmd", "chronyd", "no"}));
  EXPECT_FALSE(node::facts::parse_show("System has not been booted with systemd as init system\n", {"slurmd"}));
}

}  // namespace
}  // namespace assay::testing
