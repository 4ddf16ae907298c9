#include "base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace assay::text {
namespace {

TEST(Integer, IsReadWholeOrNotAtAll) {
  EXPECT_EQ(integer("42"), 42);
  EXPECT_EQ(integer("-1"), -1);
  EXPECT_EQ(integer("0x1f", 16), 31);
  for (const char* bad : {"", " 5", "5 ", "12 MB", "1e3", "0x", "9223372036854775808", "--1"})
    EXPECT_EQ(integer(bad), std::nullopt) << bad;
}

TEST(Decimal, RefusesWhatIsNoFiniteNumber) {
  EXPECT_EQ(decimal("2.5"), 2.5);
  EXPECT_EQ(decimal("1e-12"), 1e-12);
  for (const char* bad : {"", "nan", "inf", "1.2.3", "1e999", "5 %", "0x10"})
    EXPECT_EQ(decimal(bad), std::nullopt) << bad;
}

TEST(Lines, KeepNoEnds) {
  EXPECT_EQ(lines("a\r\nb\n\nc").size(), 4u);
  EXPECT_EQ(lines("a\r\nb")[0], "a");
  EXPECT_TRUE(lines("").empty());
}

TEST(Printable, ShowsEscapesAndOverrides) {
  EXPECT_EQ(printable("\x1b[32mPASS\x1b[0m"), "\\x1b[32mPASS\\x1b[0m");
  EXPECT_EQ(printable("a\nb"), "a\\nb");
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "evil"),
            "\\u{202e}evil");
  EXPECT_EQ(printable("gr\xC3\xBCn \xFF"), "gr\xC3\xBCn \\xff");
}

TEST(Html, LeavesNoMarkup) { EXPECT_EQ(html("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;"); }

TEST(NaturalLess, CountsAsPeopleDo) {
  EXPECT_TRUE(natural_less("n2", "n10"));
  EXPECT_FALSE(natural_less("n10", "n2"));
  EXPECT_TRUE(natural_less("5.15.0-97", "5.15.0-113"));
}

RC_GTEST_PROP(ToUtf8, IsAlwaysValidAndBounded, (const std::string& bytes)) {
  const auto clean = to_utf8(bytes, 40);
  RC_ASSERT(valid_utf8(clean));
  RC_ASSERT(clean.size() <= 40u);
  if (valid_utf8(bytes)) RC_ASSERT(to_utf8(bytes) == bytes);
}

RC_GTEST_PROP(Printable, LeavesNoControlCharacter, (const std::string& bytes)) {
  const auto shown = printable(bytes);
  RC_ASSERT(valid_utf8(shown));
  for (const char c : shown) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20);
}

RC_GTEST_PROP(NaturalLess, IsAStrictOrder, (const std::string& a, const std::string& b, const std::string& c)) {
  RC_ASSERT(!natural_less(a, a));
  RC_ASSERT(!(natural_less(a, b) && natural_less(b, a)));
  if (natural_less(a, b) && natural_less(b, c)) RC_ASSERT(natural_less(a, c));
  if (a != b) RC_ASSERT(natural_less(a, b) || natural_less(b, a));
}

}  // namespace
}  // namespace assay::text
