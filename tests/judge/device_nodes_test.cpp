#include <gmock/gmock.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using Observations = std::vector<Observation>;

const std::string kHost = "cluster/c/node/n1";

Observations listed(const std::string& list, TextList names) { return {seen(kHost, list, std::move(names))}; }

void add_mode(Observations& all, const std::string& device, std::int64_t mode) {
  all.push_back(seen(kHost + "/device/" + device, "device.mode", mode, "1"));
}

struct Kind {
  const char* check;
  const char* list;
  const char* name;
  const char* device;
};

class ClosedNodes : public ::testing::TestWithParam<Kind> {};

TEST_P(ClosedNodes, SoundUnsoundUnreadableMalformed) {
  const Kind kind = GetParam();
  const auto status = [&](const Observations& all) { return status_of(kind.check, all, "node/n1"); };
  EXPECT_EQ(status(listed(kind.list, {})), "pass");
  EXPECT_EQ(status({unseen(kHost, kind.list, Absence::permission)}), "unknown");
  EXPECT_EQ(status({unseen(kHost, kind.list, Absence::missing)}), "unknown");
  EXPECT_EQ(status({seen(kHost, kind.list, std::string("umad0"))}), "unknown");
  Observations all = listed(kind.list, {kind.name});
  EXPECT_EQ(status(all), "unknown");
  add_mode(all, kind.device, 0660);
  EXPECT_EQ(status(all), "pass");
  all.pop_back();
  add_mode(all, kind.device, 0662);
  EXPECT_EQ(status(all), "fail");
  all.pop_back();
  all.push_back(unseen(kHost + "/device/" + kind.device, "device.mode", Absence::permission));
  EXPECT_EQ(status(all), "unknown");
}

INSTANTIATE_TEST_SUITE_P(All, ClosedNodes,
                         ::testing::Values(Kind{"security.umad-closed", "devices.umad", "umad0", "umad0"},
                                           Kind{"security.ipmi-closed", "devices.ipmi", "ipmi0", "ipmi0"},
                                           Kind{"security.imex-channels-closed", "devices.imex", "channel0",
                                                "imex-channel0"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(UmadClosed, AnAccessListOpensWhatTheModeCloses) {
  Observations all = listed("devices.umad", {"umad0"});
  add_mode(all, "umad0", 0660);
  all.push_back(seen(kHost + "/device/umad0", "device.readable-by-us", true));
  EXPECT_EQ(status_of("security.umad-closed", all, "node/n1"), "fail");
}

TEST(UmadClosed, VerbsAreOpenByDesign) {
  Observations all = listed("devices.umad", {});
  all.push_back(seen(kHost, "devices.uverbs", TextList{"uverbs0"}));
  add_mode(all, "uverbs0", 0666);
  EXPECT_EQ(status_of("security.umad-closed", all, "node/n1"), "pass");
}

TEST(UmadClosed, AGapHidesNoOpenDoor) {
  Observations all = listed("devices.umad", {"umad0", "umad1"});
  add_mode(all, "umad1", 0666);
  const auto verdicts = judged("security.umad-closed", all);
  EXPECT_EQ(verdicts.at("node/n1").status, Status::fail);
  EXPECT_EQ(verdicts.at("node/n1").measured, "umad1 (mode 0666)");
}

Observations rshim(TextList folders, TextList interfaces) {
  return {seen(kHost, "devices.rshim", std::move(folders)), seen(kHost, "interface.tmfifo", std::move(interfaces))};
}

TEST(RshimHidden, HiddenClosedAndOpen) {
  const auto status = [](const Observations& all) { return status_of("security.rshim-hidden", all, "node/n1"); };
  EXPECT_EQ(status(rshim({}, {})), "pass");
  EXPECT_EQ(status(rshim({}, {"tmfifo_net0"})), "fail");
  Observations all = rshim({"rshim0"}, {});
  add_mode(all, "rshim0", 0755);  // the folder itself is no door
  add_mode(all, "rshim0-console", 0600);
  EXPECT_EQ(status(all), "warn");
  add_mode(all, "rshim0-boot", 0666);
  EXPECT_EQ(status(all), "fail");
}

TEST(RshimHidden, WhatWasNotSeenIsNotClosed) {
  const auto status = [](const Observations& all) { return status_of("security.rshim-hidden", all, "node/n1"); };
  Observations all = rshim({"rshim0"}, {});
  EXPECT_EQ(status(all), "unknown") << "nothing was seen of it";
  add_mode(all, "rshim0", 0755);
  EXPECT_EQ(status(all), "unknown") << "users can go in";
  all.pop_back();
  add_mode(all, "rshim0", 0700);
  EXPECT_EQ(status(all), "warn") << "they can't";
  all.push_back(unseen(kHost + "/device/rshim0-console", "device.mode", Absence::timeout));
  EXPECT_EQ(status(all), "unknown");
  add_mode(all, "rshim0-boot", 0600);
  EXPECT_EQ(status(all), "unknown");
  add_mode(all, "rshim0-misc", 0666);
  EXPECT_EQ(status(all), "fail") << "a gap hides no open door";
}

TEST(RshimHidden, UnreadableAndMalformed) {
  const auto status = [](const Observations& all) { return status_of("security.rshim-hidden", all, "node/n1"); };
  EXPECT_EQ(status({}), "<none>");
  EXPECT_EQ(status({seen(kHost, "devices.rshim", TextList{})}), "unknown");
  EXPECT_EQ(status({unseen(kHost, "devices.rshim", Absence::permission), seen(kHost, "interface.tmfifo", TextList{})}),
            "unknown");
  EXPECT_EQ(status({seen(kHost, "devices.rshim", std::int64_t{0}), seen(kHost, "interface.tmfifo", TextList{})}),
            "unknown");
}

TEST(UmadClosed, AnAccessListThatWasNotSeenIsNoPass) {
  Observations all = listed("devices.umad", {"umad0"});
  add_mode(all, "umad0", 0660);
  all.push_back(unseen(kHost + "/device/umad0", "device.readable-by-us", Absence::malformed));
  EXPECT_EQ(status_of("security.umad-closed", all, "node/n1"), "unknown");
  all.back() = unseen(kHost + "/device/umad0", "device.readable-by-us", Absence::unsupported, "asked as root");
  EXPECT_EQ(status_of("security.umad-closed", all, "node/n1"), "pass");
}

}  // namespace
}  // namespace assay::testing
