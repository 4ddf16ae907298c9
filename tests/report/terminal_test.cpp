#include "report/terminal.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.hpp"
#include "sample.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string rendered(const SampleOptions& options = {}, const report::TerminalStyle& style = {}) {
  const TemporaryFolder folder;
  return report::render_terminal(sample_report(folder.path() / "run", options), style, "here/report.html");
}

TEST(Terminal, SaysWhatMattersFirst) {
  const std::string text = rendered({}, {false, 200, false});
  const auto critical = text.find("critical  n1 pci 0000:1a:00.0: the switch above GPU 0");
  const auto high =
      text.find("high      n[2-3]: kernel 5.15.0-113-generic is installed but 5.15.0-97-generic is running");
  const auto warning = text.find("warning   n[1-2]: transparent huge pages are always on");
  ASSERT_NE(critical, std::string::npos) << text;
  ASSERT_NE(high, std::string::npos) << text;
  ASSERT_NE(warning, std::string::npos) << text;
  EXPECT_LT(critical, high);
  EXPECT_LT(high, warning);
}

TEST(Terminal, SaysWhatWasNotSeenAndWhereTheReportIs) {
  const std::string text = rendered();
  EXPECT_THAT(text, HasSubstr("n4: didn't answer: ssh: connect to host n4 port 22: Connection timed out"));
  EXPECT_THAT(text, HasSubstr("gpu on n3: the reader gpu timed out: after 20 s"));
  EXPECT_THAT(text, HasSubstr("28 pass · 4 fail · 2 warn · 20 unknown · 3 don't apply"));
  EXPECT_THAT(text, HasSubstr("Report: here/report.html"));
}

TEST(Terminal, SaysWhatTheRatingDoesNotKnow) {
  const std::string text = rendered({}, {false, 200, false});
  EXPECT_THAT(text,
              HasSubstr("  Not enough seen for a tier\n  31 to 78 of 100, 34 % of the evidence seen; what is known "
                        "allows Underperforming to Silver\n"));
  EXPECT_THAT(text, HasSubstr("  A gate failed: traffic between GPU and NIC goes through the CPU\n"));
  EXPECT_THAT(text, HasSubstr("  1 gate is open: nobody knows yet whether what disqualifies is there\n"));
}

TEST(Terminal, IsQuietWhereAllIsSound) {
  EXPECT_EQ(rendered({true, 4, ""}),
            "acme · ssh n1,n2,n3,n4 · 4 of 4 hosts answered · 14 s\n\n"
            "  Gold\n"
            "  83 to 95 of 100, 88 % of the evidence seen; what is known allows Gold to\n"
            "  Platinum\n\n"
            "60 pass · 4 don't apply\n"
            "Report: here/report.html\n");
}

TEST(Terminal, NothingFromANodeReachesItUnescaped) {
  const std::string text = rendered({false, 4, "\x1b[2J\r\x07\u202e\u2066\x9b\x7f\n\xff"});
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
  EXPECT_THAT(text, Not(HasSubstr("\u202e")));
  EXPECT_TRUE(text::valid_utf8(text));
}

TEST(Terminal, ColorsOnlyWhereAsked) {
  EXPECT_THAT(rendered(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(rendered({}, {true, 80, false}), HasSubstr("\x1b[1;31m  critical\x1b[0m"));
}

TEST(Terminal, SuitsTheDescriptor) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  winsize size{};
  size.ws_col = 66;
  ASSERT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  EXPECT_TRUE(report::style_for(terminal).color);
  EXPECT_EQ(report::style_for(terminal).width, 66u);
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(report::style_for(terminal).color);
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(report::style_for(terminal).color);
  close(terminal);
  const int file = open("/dev/null", O_WRONLY);
  EXPECT_FALSE(report::style_for(file).color);
  EXPECT_EQ(report::style_for(file).width, 80u);
  close(file);
}

TEST(Terminal, KeepsToItsWidth) {
  for (const std::size_t width : {1u, 40u, 80u, 120u}) {
    const std::string shown = rendered({}, {false, width, true});
    for (const auto line : text::lines(shown)) {
      std::size_t columns = 0;
      for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
      EXPECT_LE(columns, std::max<std::size_t>(width, 40)) << line;
    }
  }
}

TEST(Terminal, AThousandNodesAreFewLines) { EXPECT_LT(text::lines(rendered({false, 1000, ""})).size(), 45u); }

}  // namespace
}  // namespace assay::testing
