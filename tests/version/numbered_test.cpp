#include "orders.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

using version::compare;
using version::line;
using version::Order;
using version::Scheme;

TEST(NvidiaDriver, OrdersByNumbers) {
  expect_ascending(Scheme::nvidia_driver,
                   {"71.86.01", "340.108", "390.157", "450.80.02", "470.256.02", "535.54.03", "535.129.03",
                    "535.274.02", "550.163.01", "570.86.15", "570.86.16", "570.195.03", "580.178.04", "610.57.04"});
  expect_all(Scheme::nvidia_driver, Order::equal, {"570.86.1", "570.86.01", "570.086.01"});
}

TEST(NvidiaDriver, KnowsWhatIsNone) {
  expect_no_versions(
      Scheme::nvidia_driver,
      {"535", "16.12", "13.1", "575.274.02 (vGPU 16.12)", "580.159.03-rc1", "535.274.02-server", "595.71.05 (open)",
       "570.86.15.1", "0.86.15", "5350.1.1", "535.274.", "535..02", "535-274-02", "NVML library version: 580.159"});
}

TEST(NvidiaDriver, LineIsTheFirstNumber) { EXPECT_EQ(line(Scheme::nvidia_driver, "535.274.02"), "535"); }

TEST(Firmware, OrdersWithinAModel) {
  expect_ascending(Scheme::firmware, {"28.38.1002", "28.39.2048", "28.39.3560", "28.43.1014", "28.46.3008"});
  expect_all(Scheme::firmware, Order::incomparable, {"20.39.3560", "22.39.3004", "28.39.5050", "32.39.5050"});
}

TEST(Firmware, TakesABulletinsTrainForAnyModels) {
  expect_ascending(Scheme::firmware, {"28.39.3560", "39.5050"});
  expect_ascending(Scheme::firmware, {"22.39.3560", "39.5050", "22.43.1014"});
  expect_all(Scheme::firmware, Order::equal, {"39.5050", "28.39.5050"});
}

// 28 is a train of ConnectX-4 and the model ConnectX-7: the number of a full version is its second one.
TEST(Firmware, NeverTakesAModelForATrain) {
  EXPECT_EQ(compare(Scheme::firmware, "28.39.3560", "28.4702"), Order::greater);
  EXPECT_EQ(compare(Scheme::firmware, "12.28.2302", "28.4702"), Order::less);
  EXPECT_EQ(line(Scheme::firmware, "28.39.3560"), "39");
  EXPECT_EQ(line(Scheme::firmware, "28.4702"), "28");
  EXPECT_EQ(line(Scheme::firmware, "39.5050"), "39");
}

TEST(Firmware, KnowsWhatIsNone) {
  expect_no_versions(Scheme::firmware, {"28", "28.39", "28.39.35", "28.39.35600", "2.39.3560", "28.39.3560.1",
                                        "28.39.3560 (MT_0000000838)", "28.39.3560-x", "-E- Failed mt4129 28.46.3008"});
}

TEST(Ufm, OrdersByVersionAndBuild) {
  expect_ascending(Scheme::ufm, {"6.15.6-3", "6.15.6-4", "6.15.6-10", "6.16.0-5", "6.18.0-5"});
  expect_all(Scheme::ufm, Order::equal, {"6.15.6", "6.15.06"});
  EXPECT_EQ(line(Scheme::ufm, "6.15.6-4"), "6.15");
}

TEST(Ufm, KnowsNoOrderOfBuildsWhereOneIsMissing) {
  expect_all(Scheme::ufm, Order::incomparable, {"6.15.6", "6.15.6-4"});
  expect_ascending(Scheme::ufm, {"6.15.5", "6.15.6-4", "6.15.7"});
}

TEST(Ufm, KnowsWhatIsNone) {
  expect_no_versions(Scheme::ufm, {"6", "6.15", "6.15.6-", "6.15.6-4-1", "6.15.6-a", "6.15.6.1.2", "UFM 6.15.6-4"});
}

}  // namespace
}  // namespace assay::testing
