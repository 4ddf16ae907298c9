// What every order must be, whatever its scheme, on versions drawn from its grammar.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "orders.hpp"

namespace assay::testing {
namespace {

using version::compare;
using version::Order;
using version::Scheme;

Order mirrored(Order order) {
  return order == Order::less ? Order::greater : order == Order::greater ? Order::less : order;
}

struct Properties : ::testing::TestWithParam<Scheme> {
  static std::string any_version() {
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    return draw_version(GetParam(), [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); });
  }
};

TEST_P(Properties, AVersionEqualsItself) {
  EXPECT_TRUE(rc::check([] {
    const auto text = any_version();
    RC_ASSERT(compare(GetParam(), text, text) == Order::equal);
  }));
}

TEST_P(Properties, TheOtherWayRoundIsTheMirror) {
  EXPECT_TRUE(rc::check([] {
    const auto left = any_version(), right = any_version();
    RC_ASSERT(compare(GetParam(), left, right) == mirrored(compare(GetParam(), right, left)));
  }));
}

TEST_P(Properties, TheLineIsAPartOfTheVersion) {
  EXPECT_TRUE(rc::check([] {
    const auto text = any_version();
    RC_ASSERT(text.find(version::line(GetParam(), text)) != std::string::npos);
  }));
}

// A text without a model stands for any model, one of rpm without a release for any: what is equal to it needn't be
// comparable. But no order ever runs in a circle. Three versions in a row seldom are near enough by RapidCheck's
// choice; many are tried.
TEST_P(Properties, NoOrderRunsInACircle) {
  std::mt19937 random(20260825);
  const Choice choose = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  int chains = 0;
  for (int i = 0; i < 60'000 && !HasFailure(); ++i) {
    const auto a = draw_version(GetParam(), choose), b = draw_version(GetParam(), choose),
               c = draw_version(GetParam(), choose);
    const Order ab = compare(GetParam(), a, b), bc = compare(GetParam(), b, c), ac = compare(GetParam(), a, c);
    const auto rises = [](Order order) { return order == Order::less || order == Order::equal; };
    if (!rises(ab) || !rises(bc)) continue;
    ++chains;
    if (ac == Order::incomparable)
      EXPECT_TRUE(GetParam() == Scheme::firmware) << a << " " << b << " " << c;
    else
      EXPECT_EQ(ac, ab == Order::less || bc == Order::less ? Order::less : Order::equal) << a << " " << b << " " << c;
  }
  EXPECT_GT(chains, 100);
}

INSTANTIATE_TEST_SUITE_P(All, Properties, ::testing::ValuesIn(all_schemes()),
                         [](const auto& one) { return std::string(version::name_of(one.param)); });

TEST(Schemes, AreFoundByTheirNames) {
  for (const Scheme scheme : all_schemes()) EXPECT_EQ(version::scheme_from(version::name_of(scheme)), scheme);
  EXPECT_EQ(version::scheme_from("deb"), std::nullopt);
}

// The mistake of a known tool: the first number of any text is the version.
TEST(Schemes, TakeNoErrorTextForAVersion) {
  for (const Scheme scheme : all_schemes())
    expect_no_versions(scheme, {"", " ", "1.2 ", " 1.2.3", "1.2.3\n", "NVIDIA-SMI has failed: 535.1",
                                "runc: command not found (1.3.6)", "error 404", "v", ".", "-", "~1", "1.2.3/4",
                                "(devel)", "unknown", "n/a", "1,2,3", "1.2.3\xC3\xA4", std::string_view("1.2\0", 4)});
}

TEST(Schemes, TakeNoTextOfAnyLength) {
  const std::string longest = "1." + std::string(126, '1'), longer = longest + "1";
  EXPECT_TRUE(version::is_version(Scheme::dpkg, longest));
  for (const Scheme scheme : all_schemes()) expect_no_versions(scheme, {longer});
}

TEST(Lines, AreComparedByTheirNumbers) {
  EXPECT_EQ(version::compare_lines("1.2", "1.10"), Order::less);
  EXPECT_EQ(version::compare_lines("535", "535"), Order::equal);
  EXPECT_EQ(version::compare_lines("1", "1.0"), Order::equal);
  EXPECT_EQ(version::compare_lines("", "1"), Order::less);
}

}  // namespace
}  // namespace assay::testing
