#include <gmock/gmock.h>

#include "gpu_cases.hpp"

namespace assay::testing {
namespace {

constexpr const char* kCheck = "orchestration.gpu-devices-usable";

Observation mode(const std::string& device, std::int64_t bits) {
  return seen(node_path(1) + "/device/" + device, "device.mode", bits, "1");
}

Observations sound() {
  Observations all = sound_node(1);
  const TextList names = {"nvidia0", "nvidia1", "nvidia-uvm", "nvidiactl", "nvidia-nvswitch0"};
  all.push_back(seen(node_path(1), "devices.nvidia", names));
  for (const std::string& name : names) all.push_back(mode(name, name == "nvidia-nvswitch0" ? 0600 : 0666));
  return all;
}

std::string status(const Observations& all) { return status_of(kCheck, all, "node/n1"); }

TEST(GpuDevices, OpenToAllWhateverTheSwitchesAre) { EXPECT_EQ(status(sound()), "pass"); }

TEST(GpuDevices, AClosedOneFails) {
  for (const char* name : {"nvidia1", "nvidiactl", "nvidia-uvm"})
    EXPECT_EQ(status(with(sound(), mode(name, 0600))), "fail") << name;
  const auto roots = seen(node_path(1) + "/device/nvidia0", "device.gid", std::int64_t{0});
  EXPECT_EQ(status(with(with(sound(), mode("nvidia0", 0664)), roots)), "fail") << "reading alone is not enough";
  EXPECT_EQ(judged(kCheck, with(sound(), mode("nvidia1", 0600))).at("node/n1").measured, "nvidia1 (mode 0600)");
}

TEST(GpuDevices, ForAGroupOrAUserOnlyWarns) {
  const auto grouped = with(sound(), mode("nvidia0", 0660));
  const std::string device = node_path(1) + "/device/nvidia0";
  EXPECT_EQ(status(grouped), "warn") << "not for all, and of which group it is wasn't seen";
  EXPECT_EQ(status(with(grouped, seen(device, "device.gid", "video"))), "warn");
  EXPECT_EQ(status(with(grouped, seen(device, "device.gid", std::int64_t{0}))), "fail");
  EXPECT_EQ(status(with(grouped, seen(device, "device.gid", std::int64_t{44}))), "warn");
  EXPECT_EQ(status(with(grouped, seen(device, "device.readable-by-us", true))), "warn");
  EXPECT_EQ(status(with(grouped, seen(device, "device.readable-by-us", false))), "warn");
}

TEST(GpuDevices, UnreadableAndMalformed) {
  const std::string device = node_path(1) + "/device/nvidia0";
  EXPECT_EQ(status(with(sound(), unseen(node_path(1), "devices.nvidia", Absence::unsupported))), "unknown");
  EXPECT_EQ(status(with(sound(), seen(node_path(1), "devices.nvidia", "nvidia0"))), "unknown");
  EXPECT_EQ(status(with(sound(), seen(node_path(1), "devices.nvidia", TextList{}))), "unknown");
  const auto hidden = with(sound(), unseen(device, "device.mode", Absence::permission));
  EXPECT_EQ(status(hidden), "unknown");
  EXPECT_EQ(status(with(sound(), seen(device, "device.mode", "rw-rw-rw-"))), "unknown");
  EXPECT_EQ(status(with(hidden, mode("nvidia1", 0600))), "fail") << "a gap hides no failure";
}

TEST(GpuDevices, WithoutGpusNotApplicable) { EXPECT_EQ(status(bare_node(1)), "not_applicable"); }

}  // namespace
}  // namespace assay::testing
