#include "report/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "sample.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const auto begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

TEST(ReportHtml, HoldsTheFindingsWithoutAnyScript) {
  const TemporaryFolder folder;
  const std::string html = report::to_html(sample_report(folder.path() / "run"));
  const std::string page = html.substr(0, html.find("<script"));
  EXPECT_THAT(page,
              HasSubstr("<b>n[2-3]</b>: kernel 5.15.0-113-generic is installed but 5.15.0-97-generic is running"));
  EXPECT_THAT(page, HasSubstr("<b>n4</b>: didn&#39;t answer: ssh: connect to host n4 port 22: Connection timed out"));
  EXPECT_THAT(page, HasSubstr("Not enough seen for a tier"));
  EXPECT_THAT(page, HasSubstr("31 to 78 of 100"));
}

TEST(ReportHtml, IsQuietWhereAllIsSound) {
  const TemporaryFolder folder;
  const std::string html = report::to_html(sample_report(folder.path() / "run", {true, 4, ""}));
  EXPECT_THAT(html, HasSubstr("Nothing fell short."));
  EXPECT_THAT(html, HasSubstr("Every host answered, and nothing was hidden."));
}

TEST(ReportHtml, EscapesEverythingFromNodes) {
  const TemporaryFolder folder;
  const std::string spice = "<script>x()</script><img src=x onerror=x()>\"'&</title>\u202e\x1b[31m\u2028{{data}}]]>";
  const std::string html = report::to_html(sample_report(folder.path() / "run", {false, 4, spice}));
  EXPECT_EQ(times(html, "<script"), 2u);  // the data and the page's own
  EXPECT_EQ(times(html, "</script"), 2u);
  EXPECT_EQ(times(html, "<title"), 1u);
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("\u202e")));
  EXPECT_THAT(html, Not(HasSubstr("\x1b")));
  EXPECT_THAT(html, Not(HasSubstr("\u2028")));
}

TEST(ReportHtml, TheDataIsJsonThatSaysTheSame) {
  const TemporaryFolder folder;
  const std::string spice = "</script><!--\u2028\u2029&<>";
  const std::string html = report::to_html(sample_report(folder.path() / "run", {false, 4, spice}));
  const auto data = nlohmann::json::parse(between(html, "id=\"data\">", "</script>"));
  EXPECT_THAT(data["run"]["target"].get<std::string>(), HasSubstr(spice));
  EXPECT_EQ(data["hosts"].size(), 4u);
  EXPECT_EQ(data["verdicts"].size(), 57u);
}

TEST(ReportHtml, NamesTheHashesOfItsOwnScriptAndStyleOnly) {
  const TemporaryFolder folder;
  const std::string html = report::to_html(sample_report(folder.path() / "run"));
  const std::string policy = between(html, "Content-Security-Policy\" content=\"", "\">");
  EXPECT_THAT(policy, ::testing::MatchesRegex("default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]+=*'; style-src "
                                              "'sha256-[A-Za-z0-9+/]+=*'; base-uri 'none'; form-action 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("style=\"")));
  EXPECT_THAT(html, Not(HasSubstr("onclick")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
}

TEST(ReportHtml, IsUtf8WhateverCame) {
  const TemporaryFolder folder;
  EXPECT_TRUE(text::valid_utf8(report::to_html(sample_report(folder.path() / "run", {false, 4, "\xff\xc0\xaf"}))));
}

}  // namespace
}  // namespace assay::testing
