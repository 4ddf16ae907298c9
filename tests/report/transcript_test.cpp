#include "report/transcript.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace assay::testing {
namespace {

using report::excerpt_of;

const std::string kLong(5000, 'x');

TEST(Excerpt, IsTheWholeWhereThatFits) { EXPECT_EQ(excerpt_of("== a\nb\n", {"a"}, 100), "== a\nb\n"); }

TEST(Excerpt, HoldsTheSectionsAskedFor) {
  const std::string raw = "== file /a\n" + kLong + "\n== file /b\nwanted\n== file /c\n" + kLong + "\n";
  EXPECT_EQ(excerpt_of(raw, {"/b"}, 1000), "[5012 bytes left out]\n== file /b\nwanted\n[5012 bytes left out]\n");
}

TEST(Excerpt, SharesItsRoomAmongSections) {
  const std::string raw = "== file /a\n" + kLong + "\n== file /b\n" + kLong + "\n== file /c\nshort\n";
  const std::string excerpt = excerpt_of(raw, {"/a", "/b"}, 2000);
  EXPECT_NE(excerpt.find("== file /a\nxxx"), std::string::npos);
  EXPECT_NE(excerpt.find("== file /b\nxxx"), std::string::npos);
  EXPECT_EQ(excerpt.find("short"), std::string::npos);
  EXPECT_LT(excerpt.size(), 2200u);
}

TEST(Excerpt, BeginsAtTheBeginningWhereNothingIsAskedFor) {
  const std::string excerpt = excerpt_of("== file /a\n" + kLong, {"/elsewhere", ""}, 100);
  EXPECT_TRUE(excerpt.starts_with("== file /a\nxxx"));
  EXPECT_TRUE(excerpt.ends_with("[4911 bytes left out]\n"));
}

TEST(Excerpt, IsUtf8WhateverCame) {
  EXPECT_TRUE(text::valid_utf8(excerpt_of("\xff\xfe== \x80\n" + kLong, {"\x80"}, 50)));
  EXPECT_TRUE(text::valid_utf8(excerpt_of("== a\n\xe2\x82", {"a"}, 50)));
}

}  // namespace
}  // namespace assay::testing
