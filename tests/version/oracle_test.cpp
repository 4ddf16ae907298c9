// 100,000 random pairs each against those whose orders they are: Dpkg::Version of dpkg, librpm, and Python's packaging.
#include <gtest/gtest.h>
#include <rpm/rpmver.h>

#include <memory>
#include <random>
#include <sstream>
#include <utility>

#include "base/process.hpp"
#include "orders.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using version::compare;
using version::Order;
using version::Scheme;

constexpr int kPairs = 100'000;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// Half of them differ by one character at most.
Pairs pairs_of(Scheme scheme) {
  std::mt19937 random(20260825);
  const Choice choose = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  Pairs pairs;
  while (pairs.size() < kPairs) {
    std::string left = draw_version(scheme, choose), right = left;
    if (choose(2) == 0)
      right = draw_version(scheme, choose);
    else if (const auto at = static_cast<std::size_t>(choose(static_cast<int>(left.size()))); choose(2) == 0)
      right.erase(at, 1);
    else
      right[at] = "0129.~^+-aZ"[choose(11)];
    if (version::is_version(scheme, right)) pairs.emplace_back(std::move(left), std::move(right));
  }
  return pairs;
}

Order order_of(int sign) { return sign < 0 ? Order::less : sign > 0 ? Order::greater : Order::equal; }

// The program reads "LEFT RIGHT" lines from the file that is its last argument, and answers -1, 0 or 1 to each.
void expect_agreement(Scheme scheme, std::vector<std::string> program) {
  const Pairs pairs = pairs_of(scheme);
  std::string asked;
  for (const auto& [left, right] : pairs) asked += left + " " + right + "\n";
  const TemporaryFolder folder;
  folder.write("pairs", asked);
  program.push_back(folder.string() + "/pairs");
  const auto answer = process::run(program, {.time = std::chrono::seconds(60)});
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->status, 0) << answer->err;
  std::istringstream signs(answer->out);
  int unlike = 0;
  for (const auto& [left, right] : pairs) {
    int sign = 0;
    ASSERT_TRUE(signs >> sign) << "no answer to " << left << " " << right;
    if (compare(scheme, left, right) == order_of(sign)) continue;
    if (++unlike <= 10) ADD_FAILURE() << left << " " << right << ": it says " << sign;
  }
  EXPECT_EQ(unlike, 0);
}

TEST(Oracle, DpkgOrdersTheSame) {
  expect_agreement(Scheme::dpkg, {"perl", "-MDpkg::Version", "-ne",
                                  "chomp; my ($a, $b) = split / /; print version_compare($a, $b), qq{\\n};"});
}

TEST(Oracle, PythonsPackagingOrdersTheSame) {
  const auto there = process::run({"/usr/bin/python3", "-c", "import packaging.version"});
  if (!there || there->status != 0) GTEST_SKIP() << "python3-packaging isn't installed";
  expect_agreement(Scheme::pep440, {"/usr/bin/python3", "-c",
                                    "import sys\n"
                                    "from packaging.version import Version\n"
                                    "for line in open(sys.argv[1]):\n"
                                    "    a, b = map(Version, line.split())\n"
                                    "    print((a > b) - (a < b))\n"});
}

using Rpmver = std::unique_ptr<rpmver_s, decltype(&rpmverFree)>;

int rpms_sign(const std::string& left, const std::string& right) {
  const Rpmver a(rpmverParse(left.c_str()), rpmverFree), b(rpmverParse(right.c_str()), rpmverFree);
  return rpmverCmp(a.get(), b.get());
}

TEST(Oracle, RpmOrdersTheSame) {
  int unlike = 0, open = 0;
  for (const auto& [left, right] : pairs_of(Scheme::rpm)) {
    const auto dash_a = left.rfind('-'), dash_b = right.rfind('-');
    const bool one_alone = (dash_a == std::string::npos) != (dash_b == std::string::npos);
    Order expected = order_of(rpms_sign(left, right));
    if (one_alone && rpms_sign(left.substr(0, dash_a), right.substr(0, dash_b)) == 0)
      expected = Order::incomparable, ++open;  // rpm takes the one without a release for the oldest
    if (compare(Scheme::rpm, left, right) == expected) continue;
    if (++unlike <= 10) ADD_FAILURE() << left << " " << right << ": it says " << rpms_sign(left, right);
  }
  EXPECT_EQ(unlike, 0);
  EXPECT_GT(open, 100);
}

}  // namespace
}  // namespace assay::testing
