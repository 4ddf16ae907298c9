#include "report/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "report/findings.hpp"
#include "report/rated.hpp"
#include "report/wording.hpp"

namespace assay::report {

namespace {

constexpr std::size_t kMostFindings = 8;
constexpr std::size_t kMostLines = 3;  // of one finding, and of what wasn't seen by each kind
constexpr std::size_t kLabel = 10;     // columns before a finding's words

enum class Ink { plain, bold, dim, red, yellow, green };

constexpr std::string_view code(Ink ink) {
  switch (ink) {
    case Ink::bold: return "\x1b[1m";
    case Ink::dim: return "\x1b[2m";
    case Ink::red: return "\x1b[1;31m";
    case Ink::yellow: return "\x1b[33m";
    case Ink::green: return "\x1b[32m";
    case Ink::plain: break;
  }
  return "";
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string first_columns(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size() && columns_of(text.substr(0, end + 1)) <= columns) ++end;
  return std::string(text.substr(0, end));
}

// No single text takes over the screen; the report has it whole.
std::string clip(const std::string& text) {
  constexpr std::size_t kLongest = 400;
  return text.size() <= kLongest ? text : text::to_utf8(text.substr(0, kLongest), kLongest) + " …";
}

std::string first_sentence(const std::string& text) {
  const auto end = text.find(". ");
  return clip(end == std::string::npos ? text : text.substr(0, end + 1) + " …");
}

// Lines of text, wrapped with a hanging indent. Everything that goes in is escaped here, so no caller can forget it.
class Page {
 public:
  explicit Page(const TerminalStyle& style) : style_(style), width_(std::max<std::size_t>(style.width, 40)) {}

  void blank() { out_ += '\n'; }
  void text(std::string_view words, std::size_t indent = 0, Ink ink = Ink::plain) {
    labeled("", words, indent, ink, ink);
  }

  // `label` stands before the first line, in the indent's columns.
  void labeled(std::string_view label, std::string_view words, std::size_t indent, Ink label_ink, Ink ink) {
    const std::string shown = text::printable(words);
    const std::string shown_label = text::printable(label);
    std::string line =
        paint(shown_label, label_ink) + std::string(indent - std::min(indent, columns_of(shown_label)), ' ');
    std::string body;
    const auto end_line = [&] {
      out_.append(line).append(paint(body, ink)).append("\n");
      line.assign(indent, ' ');
      body.clear();
    };
    const std::size_t room = width_ - indent;
    for (std::string_view word : text::words(shown)) {
      if (!body.empty() && columns_of(body) + 1 + columns_of(word) > room) end_line();
      body.append(body.empty() ? "" : " ");
      for (; columns_of(word) > room; end_line()) {  // longer than a line
        const std::string piece = first_columns(word, room);
        body += piece;
        word.remove_prefix(piece.size());
      }
      body += word;
    }
    end_line();
  }

  std::string take() { return std::move(out_); }

 private:
  std::string paint(std::string_view words, Ink ink) const {
    if (!style_.color || ink == Ink::plain || words.empty()) return std::string(words);
    return fmt::format("{}{}\x1b[0m", code(ink), words);
  }

  const TerminalStyle& style_;
  std::size_t width_;
  std::string out_;
};

void say_run(Page& page, const Report& report) {
  const Run& run = report.run;
  std::string line = run.cluster;
  for (const std::string& part :
       {run.target, fmt::format("{} of {} answered", run.answered.size(), counted(run.hosts.size(), "host", "hosts")),
        duration(run)})
    if (!part.empty()) line += " · " + part;
  page.text(line, 0, Ink::dim);
  if (!run.complete) page.text("The run was stopped before its end; go on with it by --resume.", 0, Ink::yellow);
}

void say_rating(Page& page, const Report& report) {
  if (!report.rating) return;
  const rating::Rating& rating = *report.rating;
  page.blank();
  page.text(tier_words(rating), 2, Ink::bold);
  page.text(fmt::format("{} of 100, {} of the evidence seen{}", to_text(rating.score), percent(rating.seen),
                        allowed_words(rating)),
            2);
  for (const std::string& words : failed_gates(rating)) page.text(clip(words), 2, Ink::red);
  if (const std::string words = open_gates(rating); !words.empty()) page.text(words, 2);
}

// The first few ways to narrow the score, where it is too wide for a tier.
void say_closings(Page& page, const Report& report, const TerminalStyle& style) {
  if (!report.rating || !report.rating->tier.empty() || report.rating->closes.empty()) return;
  const auto& closes = report.rating->closes;
  page.blank();
  page.text(kClosing, 0, Ink::bold);
  const std::size_t most = style.all ? closes.size() : std::min(kMostLines, closes.size());
  for (std::size_t i = 0; i < most; ++i)
    page.text(fmt::format("{}: {}", clip(closes[i].title), clip(closes[i].words)), 2);
  if (closes.size() > most) page.text(fmt::format("and {} more", closes.size() - most), 2, Ink::dim);
}

// What is wrong comes first; the check's title says how it should be.
void say_finding(Page& page, const Finding& finding, const TerminalStyle& style) {
  const bool fails = finding.status == Status::fail;
  const bool grave = fails && rank_of_severity(finding.check->severity) <= 1;
  const std::size_t most = style.all ? finding.lines.size() : std::min(kMostLines, finding.lines.size());
  std::string label = "  " + (fails ? finding.check->severity : "warning");
  for (std::size_t i = 0; i < most; ++i) {
    const auto& line = finding.lines[i];
    page.labeled(label, fmt::format("{}: {}", clip(line.where), clip(line.why)), 2 + kLabel,
                 grave ? Ink::red : Ink::yellow, Ink::bold);
    label.clear();
  }
  if (finding.lines.size() > most) page.text(fmt::format("and {} more", finding.lines.size() - most), 2 + kLabel);
  page.text("Expected: " + clip(finding.check->title), 2 + kLabel);
  if ((grave || style.all) && !finding.fix.empty())
    page.text("Fix: " + (style.all ? finding.fix : first_sentence(finding.fix)), 2 + kLabel, Ink::dim);
}

void say_findings(Page& page, const Report& report, const TerminalStyle& style) {
  auto found = findings(report, Status::fail);
  const std::size_t fails = found.size();
  for (Finding& finding : findings(report, Status::warn)) found.push_back(std::move(finding));
  if (found.empty()) return;
  const std::size_t most = style.all ? found.size() : std::min(kMostFindings, found.size());
  page.blank();
  page.text(fails > 0 ? "What matters first" : "Nothing fails; warnings", 0, Ink::bold);
  for (std::size_t i = 0; i < most; ++i) say_finding(page, found[i], style);
  if (most < found.size())
    page.text(fmt::format("and {} more that fall short: the report tells all", found.size() - most), 2, Ink::dim);
}

void say_gaps(Page& page, const Report& report, const TerminalStyle& style) {
  const auto lines = gap_lines(report);
  const std::string summary = gap_summary(report);
  const auto told = [](const GapLine& line) { return line.of != Gap::Of::observation; };
  const auto large = static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), told));
  const bool blind = of(count(report), Status::unknown) > 0;
  if (large == 0 && (!blind || summary.empty())) return;
  page.blank();
  page.text("What wasn't seen", 0, Ink::bold);
  const std::size_t most = style.all ? large : 2 * kMostLines;
  std::size_t said = 0;
  for (const GapLine& line : lines)
    if (told(line) && said++ < most) page.text(fmt::format("{}: {}", clip(line.where), clip(line.what)), 2);
  if (large > most) page.text(fmt::format("and {} more", large - most), 2, Ink::dim);
  if (!summary.empty()) page.text(summary, 2);
}

void say_counts(Page& page, const Report& report) {
  const Counts counts = count(report);
  std::string line = fmt::format("{} pass", of(counts, Status::pass));
  for (const auto& [status, words] : {std::pair(Status::fail, "fail"),
                                      {Status::warn, "warn"},
                                      {Status::unknown, "unknown"},
                                      {Status::not_applicable, "don't apply"}})
    if (of(counts, status) > 0) line += fmt::format(" · {} {}", of(counts, status), words);
  page.blank();
  page.text(line, 0, of(counts, Status::fail) == 0 && of(counts, Status::warn) == 0 ? Ink::green : Ink::plain);
}

}  // namespace

TerminalStyle style_for(int descriptor) {
  TerminalStyle style;
  if (isatty(descriptor) == 0) return style;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  style.color = (no_color == nullptr || *no_color == '\0') && (term == nullptr || std::string_view(term) != "dumb");
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::min<std::size_t>(size.ws_col, 120);
  return style;
}

std::string render_terminal(const Report& report, const TerminalStyle& style, const std::string& place) {
  Page page(style);
  say_run(page, report);
  say_rating(page, report);
  say_findings(page, report, style);
  say_gaps(page, report, style);
  say_closings(page, report, style);
  say_counts(page, report);
  if (!place.empty()) page.text("Report: " + place);
  return page.take();
}

}  // namespace assay::report
