#include "report/overview.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/findings.hpp"
#include "report/html.hpp"
#include "report/rated.hpp"
#include "report/wording.hpp"

namespace assay::report::overview {

namespace {

constexpr std::size_t kFirst = 8;      // findings on the first screen
constexpr std::size_t kMostLines = 4;  // of one finding
constexpr std::size_t kMostGaps = 8;   // and of ways to close them

// A link into the script's views: #/check/ID
std::string link(std::string_view view, std::string_view id, std::string_view text) {
  return fmt::format("<a href=\"#/{}/{}\">{}</a>", view, escape(id), escape(text));
}

// Solid is what is earned for certain, pale what could still be.
std::string bar(const rating::Interval& span) {
  return fmt::format(
      "<svg class=\"bar\" role=\"img\" aria-label=\"score {} of 100\"><rect class=\"track\" width=\"100%\" "
      "height=\"100%\"/><rect class=\"open\" x=\"{:.1f}%\" width=\"{:.1f}%\" height=\"100%\"/>"
      "<rect class=\"band\" width=\"{:.1f}%\" height=\"100%\"/></svg>",
      to_text(span), 100 * span.low, 100 * (span.high - span.low), 100 * span.low);
}

// A disc of its metal; a ring for a tier that is none, broken where no tier is known.
std::string medal(const std::string& tier) {
  constexpr std::array<std::string_view, 4> kMetals{"platinum", "gold", "silver", "bronze"};
  const std::string name = text::lower(tier);
  const bool metal = std::find(kMetals.begin(), kMetals.end(), name) != kMetals.end();
  return fmt::format(
      "<svg viewBox=\"0 0 72 72\" aria-hidden=\"true\"><circle class=\"disc {}\" cx=\"36\" cy=\"36\" r=\"34\"/>"
      "<circle class=\"ring\" cx=\"36\" cy=\"36\" r=\"28\"/><text x=\"36\" y=\"45\">{}</text></svg>",
      metal          ? name
      : tier.empty() ? "open"
                     : "plain",
      tier.empty() ? "?" : escape(text::to_utf8(tier, 1)));
}

std::string gates(const rating::Rating& rating) {
  std::string html;
  for (const std::string& words : failed_gates(rating)) html += fmt::format("<li>{}</li>", escape(words));
  if (const std::string words = open_gates(rating); !words.empty())
    html += fmt::format("<li class=\"soft\">{}</li>", escape(words));
  return html.empty() ? html : "<ul class=\"gates\">" + html + "</ul>";
}

}  // namespace

std::string rating(const Report& report) {
  if (!report.rating) return "<h2 id=\"rating-title\">Not rated</h2>";
  const rating::Rating& rating = *report.rating;
  return fmt::format(
      "<div class=\"medal\">{}<div><h2 class=\"tier\" id=\"rating-title\">{}</h2>"
      "<p><b>{} of 100</b>, {} of the evidence <a href=\"#unknown\">seen</a>{}</p></div></div>{}"
      "<p class=\"scale\"><span>0</span><span>50</span><span>100</span></p>{}",
      medal(rating.tier), escape(tier_words(rating)), to_text(rating.score), escape(percent(rating.seen)),
      escape(allowed_words(rating)), bar(rating.score), gates(rating));
}

namespace {

// What is wrong comes first; the check's title says how it should be.
std::string finding(const Finding& finding) {
  const bool fails = finding.status == Status::fail;
  std::string html = fmt::format("<article class=\"finding\"><span class=\"tag {0}\">{1}</span><div><ul>",
                                 fails ? escape(finding.check->severity) : "warn",
                                 fails ? escape(finding.check->severity) : "warning");
  for (std::size_t i = 0; i < std::min(kMostLines, finding.lines.size()); ++i)
    html += fmt::format("<li><b>{}</b>: {}</li>", escape(finding.lines[i].where), escape(finding.lines[i].why));
  if (finding.lines.size() > kMostLines)
    html += fmt::format(
        "<li>{}</li>", link("check", finding.check->id, fmt::format("and {} more", finding.lines.size() - kMostLines)));
  html += fmt::format("</ul><p>Expected: {}</p>", link("check", finding.check->id, finding.check->title));
  if (!finding.fix.empty()) html += fmt::format("<p class=\"soft\">Fix: {}</p>", escape(finding.fix));
  return html + "</div></article>\n";
}

}  // namespace

std::string findings(const Report& report) {
  auto found = report::findings(report, Status::fail);
  const bool fails = !found.empty();
  for (Finding& warning : report::findings(report, Status::warn)) found.push_back(std::move(warning));
  if (found.empty()) {
    const bool any = of(count(report), Status::pass) > 0;
    return any ? "<p>Nothing fell short.</p>" : "<p>Nothing was judged.</p>";
  }
  std::string html = fails ? "" : "<p class=\"note\">Nothing fails. These are warnings.</p>";
  html += "<div>";
  for (std::size_t i = 0; i < std::min(kFirst, found.size()); ++i) html += finding(found[i]);
  html += "</div>";
  if (found.size() > kFirst) {
    html +=
        fmt::format("<details class=\"more\"><summary>{} more that fall short</summary><div>", found.size() - kFirst);
    for (std::size_t i = kFirst; i < found.size(); ++i) html += finding(found[i]);
    html += "</div></details>";
  }
  return html;
}

namespace {

// The first few items, and the others behind one line.
std::string list_of(const std::vector<std::string>& items, std::size_t shown, std::string_view kind) {
  std::string html = fmt::format("<ul class=\"{}\">", kind);
  for (std::size_t i = 0; i < std::min(shown, items.size()); ++i) html += items[i];
  html += "</ul>";
  if (items.size() <= shown) return html;
  html +=
      fmt::format("<details class=\"more\"><summary>{} more</summary><ul class=\"{}\">", items.size() - shown, kind);
  for (std::size_t i = shown; i < items.size(); ++i) html += items[i];
  return html + "</ul></details>";
}

std::string gap_item(const GapLine& line) {
  const std::string names = fmt::format("{}", fmt::join(line.names, ", "));
  return fmt::format("<li><b>{}</b>: {}{}</li>", escape(line.where), escape(line.what),
                     names.empty() ? "" : fmt::format(" <span class=\"soft small\">{}</span>", escape(names)));
}

// What a system can't tell comes last, and isn't among the first few.
std::string gaps(const Report& report) {
  std::vector<std::string> items;
  std::size_t first = 0;
  for (const GapLine& line : gap_lines(report)) {
    items.push_back(gap_item(line));
    if (!line.by_nature) ++first;
  }
  if (items.empty()) return "<p>Every host answered, and nothing was hidden.</p>";
  return list_of(items, std::min(first, kMostGaps), "plain");
}

std::string closings(const std::vector<rating::Closing>& closes) {
  std::vector<std::string> items;
  for (const rating::Closing& closing : closes)
    items.push_back(fmt::format("<li><b>{}</b>: {}</li>", escape(closing.title), escape(closing.words)));
  return list_of(items, kMostGaps, "plain");
}

}  // namespace

std::string unknown(const Report& report) {
  std::string html = "<div class=\"columns\">";
  if (report.rating && !report.rating->closes.empty())
    html += fmt::format("<div><h3>{}</h3>{}</div>", kClosing, closings(report.rating->closes));
  return html + fmt::format("<div><h3>What couldn’t be seen</h3>{}</div></div>", gaps(report));
}

std::string criteria(const Report& report) {
  if (!report.rating || report.rating->criteria.empty()) return "<p>The run wasn’t rated.</p>";
  std::string html =
      "<table><thead><tr><th scope=\"col\">Criterion</th><th scope=\"col\" class=\"number wide\">Weight</th>"
      "<th scope=\"col\">Score</th><th scope=\"col\" class=\"number\">of 100</th><th scope=\"col\" "
      "class=\"number\">Seen</th></tr></thead><tbody>";
  for (const rating::CriterionScore& criterion : report.rating->criteria) {
    if (!criterion.applies) continue;
    html += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number wide\">{:g}</td><td class=\"span\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        link("criterion", criterion.id, criterion.title), criterion.weight, bar(criterion.score),
        to_text(criterion.score), escape(percent(criterion.seen)));
  }
  html += "</tbody></table>";
  if (!report.rating->rubric.empty())
    html += fmt::format("<p class=\"note small\">Rubric {}. A score is as wide as what wasn’t seen.</p>",
                        escape(report.rating->rubric));
  return html;
}

namespace {

struct CheckLine {
  const catalog::Check* check;
  Counts counts{};
};

// In the order of checks, which is by criterion.
std::vector<CheckLine> check_lines(const Report& report) {
  std::vector<CheckLine> lines;
  for (const Verdict& verdict : report.verdicts) {
    if (lines.empty() || lines.back().check->id != verdict.check) lines.push_back({&report.check(verdict.check), {}});
    ++lines.back().counts[static_cast<std::size_t>(verdict.status)];
  }
  return lines;
}

constexpr std::array<std::pair<Status, std::string_view>, 5> kWords{{{Status::fail, "fail"},
                                                                     {Status::warn, "warn"},
                                                                     {Status::unknown, "unknown"},
                                                                     {Status::pass, "pass"},
                                                                     {Status::not_applicable, "doesn’t apply"}}};

std::string check_row(const CheckLine& line) {
  std::string counts;
  std::string_view worst;
  for (const auto& [status, words] : kWords) {
    if (of(line.counts, status) == 0) continue;
    if (worst.empty()) worst = name_of(status);
    counts += fmt::format("{}<span class=\"{}\">{} {}</span>", counts.empty() ? "" : " · ", name_of(status),
                          of(line.counts, status), words);
  }
  return fmt::format(
      "<tr class=\"check-row\" data-check=\"{}\" data-status=\"{}\"><td><span class=\"mark {}\"></span>{}</td>"
      "<td class=\"counts\">{}</td></tr>\n",
      escape(line.check->id), worst, worst, link("check", line.check->id, line.check->title), counts);
}

}  // namespace

std::string checks(const Report& report) {
  const auto lines = check_lines(report);
  if (lines.empty()) return "<p>No check spoke.</p>";
  std::string html =
      "<table><thead class=\"wide\"><tr><th scope=\"col\">Check</th><th scope=\"col\">Over nodes and their "
      "parts</th></tr></thead>";
  std::string criterion;
  for (const CheckLine& line : lines) {
    if (criterion != line.check->criterion) {
      if (!criterion.empty()) html += "</tbody>";
      criterion = line.check->criterion;
      std::string title = criterion;
      if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
      html += fmt::format("<tbody><tr><th scope=\"rowgroup\" colspan=\"2\">{}</th></tr>\n", escape(title));
    }
    html += check_row(line);
  }
  return html + "</tbody></table>";
}

}  // namespace assay::report::overview
