#include "orders.hpp"

#include <gtest/gtest.h>

#include <array>

namespace assay::testing {

using version::compare;
using version::Order;
using version::Scheme;

void expect_versions(Scheme scheme, const std::vector<std::string_view>& texts) {
  for (const auto text : texts) {
    EXPECT_TRUE(version::is_version(scheme, text)) << text;
    EXPECT_EQ(compare(scheme, text, text), Order::equal) << text;
  }
}

void expect_no_versions(Scheme scheme, const std::vector<std::string_view>& texts) {
  for (const auto text : texts) {
    EXPECT_FALSE(version::is_version(scheme, text)) << text;
    EXPECT_EQ(compare(scheme, text, text), Order::incomparable) << text;
    EXPECT_EQ(version::line(scheme, text), "") << text;
  }
}

void expect_ascending(Scheme scheme, const std::vector<std::string_view>& versions) {
  expect_versions(scheme, versions);
  for (std::size_t i = 0; i < versions.size(); ++i)
    for (std::size_t j = i + 1; j < versions.size(); ++j) {
      EXPECT_EQ(compare(scheme, versions[i], versions[j]), Order::less) << versions[i] << " " << versions[j];
      EXPECT_EQ(compare(scheme, versions[j], versions[i]), Order::greater) << versions[j] << " " << versions[i];
    }
}

void expect_all(Scheme scheme, Order order, const std::vector<std::string_view>& versions) {
  expect_versions(scheme, versions);
  for (const auto left : versions)
    for (const auto right : versions)
      EXPECT_EQ(compare(scheme, left, right), left == right ? Order::equal : order) << left << " " << right;
}

const std::vector<Scheme>& all_schemes() {
  static const std::vector<Scheme> all = {Scheme::dpkg,   Scheme::rpm,           Scheme::semver,   Scheme::go,
                                          Scheme::pep440, Scheme::nvidia_driver, Scheme::firmware, Scheme::ufm,
                                          Scheme::kernel, Scheme::plain};
  return all;
}

namespace {

struct Grammar {
  std::vector<std::string_view> heads, parts, tails;  // one head, a number, some parts, one tail
};

const Grammar& grammar_of(Scheme scheme) {
  static const std::array<Grammar, 10> all = {{
      {{"", "", "", "0:", "1:"}, {".", ".", "~", "+", "-", "a", "rc", "Z", "z"}, {"", "-0", "-1", "-1~", "-2+b1", "~"}},
      {{"", "", "", "0:", "1:", "a"},
       {".", ".", "_", "+", "~", "^", "a", "rc", "Z"},
       {"", "-0", "-1", "-1.el9", "-1^"}},
      {{"", "v"},
       {".", ".", ".", "-rc.", "-rc", "-", "~", "-gke.", "-eks-", "a"},
       {"", "", "-rc.1", "+k3s1", "-0", "-eks-a1"}},
      {{"", "v"},
       {".", ".", ".", "-", "-rc.", "-pre.0."},
       {"", "", "-0.20210101000000-abcdefabcdef", "+incompatible", "-rc", "-Rc"}},
      {{"", "", "1!"},
       {".", ".", "a", "rc", "b", ".post", ".dev", "-", "C", "_"},
       {"", "", ".dev1", "+a", "+1.b", "+1.B", "+cu121", ".post1"}},
      {{"53", "39", ""}, {".", "."}, {""}},
      {{"28.39.35", "28.39.10", "22.39.35", "39.35", "28.3", ""}, {"", "", "."}, {"60", "1", ""}},
      {{"6.15.", "6.16.", "6."}, {"-", "-", "."}, {"", ""}},
      {{"6.8.", "5.14.", "6."},
       {".", "-", "-rc", "-427."},
       {"", "-generic", "-aws", ".el9_4", ".el9_4.x86_64", ".el8", ".el9_4+rt", ".el9", "+deb13-amd64"}},
      {{"", "v"}, {".", ".", "-", "p", "P", "rc", "b", "a", "~", "_"}, {"", "", "w", "a", "B", "-1"}},
  }};
  return all[static_cast<std::size_t>(scheme)];
}

std::string_view one_of(const std::vector<std::string_view>& texts, const Choice& choose) {
  return texts[static_cast<std::size_t>(choose(static_cast<int>(texts.size())))];
}

}  // namespace

std::string draw(Scheme scheme, const Choice& choose) {
  static const std::vector<std::string_view> kNumbers = {"0", "1", "2", "01", "9", "10"};
  const Grammar& grammar = grammar_of(scheme);
  std::string text(one_of(grammar.heads, choose));
  text += one_of(kNumbers, choose);
  for (int parts = choose(4); parts > 0; --parts) {
    text += one_of(grammar.parts, choose);
    if (choose(5) > 0) text += one_of(kNumbers, choose);
  }
  text += one_of(grammar.tails, choose);
  return text;
}

std::string draw_version(Scheme scheme, const Choice& choose) {
  std::string text;
  do text = draw(scheme, choose);
  while (!version::is_version(scheme, text));
  return text;
}

}  // namespace assay::testing

namespace assay::version {

void PrintTo(Order order, std::ostream* out) {
  constexpr std::array<std::string_view, 4> kNames = {"less", "equal", "greater", "incomparable"};
  *out << kNames[static_cast<std::size_t>(order)];
}

}  // namespace assay::version
