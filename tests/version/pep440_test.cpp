#include "orders.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

constexpr auto kPep440 = version::Scheme::pep440;

TEST(Pep440, OrdersAsItsTextSays) {
  expect_ascending(kPep440, {"1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12.dev456", "1.0a12", "1.0b1.dev456", "1.0b2",
                             "1.0b2.post345.dev456", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0", "1.0+abc.5",
                             "1.0+abc.7", "1.0+5", "1.0.post456.dev34", "1.0.post456", "1.1.dev1", "1!0.1"});
}

TEST(Pep440, TakesOtherSpellingsForTheSame) {
  using version::Order;
  expect_all(kPep440, Order::equal, {"1.0rc1", "v1.0.0c1", "1.0-RC.1", "1_pre_1", "1.0preview1", "0!1.0rc01"});
  expect_all(kPep440, Order::equal, {"1.0.post1", "1.0-1", "1.0r1", "1.0-rev1", "1.0POST1"});
  expect_all(kPep440, Order::equal, {"2.5.1+cu121", "2.5.1+CU121", "2.5.1.0+cu121"});
  expect_all(kPep440, Order::equal, {"1.0a", "1.0a0", "1.0alpha"});
}

TEST(Pep440, OrdersBuildsOfOurComponents) {
  expect_ascending(kPep440, {"0.8.5.dev3+g1234567", "0.8.5rc1", "0.8.5", "0.8.5.post1", "0.11.1", "0.27.0"});
}

TEST(Pep440, KnowsWhatIsNone) {
  expect_no_versions(kPep440, {"a", "1.0x1", "1.0+", "1.0+a..b", "1.0+.a", "1!", "!1", "1..0", "1.0-", "1.0rc1rc2",
                               "1.0.devv", "2.5.1 cu121", "ModuleNotFoundError 0.27.0"});
}

TEST(Pep440, LineIsTwoNumbers) {
  EXPECT_EQ(version::line(kPep440, "0.11.1"), "0.11");
  EXPECT_EQ(version::line(kPep440, "1!2.3.4rc1"), "2.3");
}

}  // namespace
}  // namespace assay::testing
