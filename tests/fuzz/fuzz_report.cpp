// Text of a hostile node, put everywhere that a node's text can come to stand: no face shows it as anything but text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/terminal.hpp"

namespace {

using namespace assay;

void need(bool holds, int line = __builtin_LINE()) {
  if (!holds) std::fprintf(stderr, "broken at line %d\n", line), std::abort();
}

std::size_t times(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

report::Report spoken(const std::string& text) {
  const Subject host = Subject().child("cluster", text).child("node", text.substr(0, text.size() / 2));
  report::Report report;
  report.run = {text, text, text, text, text, "", {host}, {}, false, {{text, text}}};
  rating::Rating rating;
  rating.rubric = rating.summary = rating.tier = rating.tier_low = text;
  rating.gates = {{text, {}, Status::fail, text}, {text, {}, Status::unknown, text}};
  rating.closes = {{text, text, text, text, 0, false}};
  rating.criteria.push_back({text, text, 1, true, {}, 0, {}});
  report.rating = rating;
  catalog::Check check;
  check.id = "security.x";
  check.title = check.severity = check.fix = check.criterion = text;
  report.checks = {check};
  for (const Status status : {Status::fail, Status::warn, Status::unknown})
    report.verdicts.push_back({check.id, host.child("gpu", text), status, text, text, text, text, {1}});
  report.gaps = {{report::Gap::Of::host, host, "agent", "timeout", text, {host}},
                 {report::Gap::Of::step, host, text, "timeout", text, {host}},
                 {report::Gap::Of::observation, host, text, text, text, {host}}};
  const std::string sha(64, 'a');
  report.observations.emplace(1, Observation{1, host, text, Value(text), text, 0, text, sha});
  report.transcripts.emplace(
      sha, report::Transcript{text.size(), report::excerpt_of(text, {text.substr(0, 3)}, 64), true, ""});
  return report;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto plain = report::to_html(spoken("plain"));
  const auto report = spoken(std::string(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 4096)));
  const std::string html = report::to_html(report);
  for (const char* mark : {"<script", "</script", "<style", "<title", "<svg", "<a ", "<article", "<main", "<!--"})
    need(times(html, mark) == times(plain, mark));
  const std::string terminal = report::render_terminal(report, {false, 80, true});
  for (const std::string* shown : {&html, &terminal}) {
    need(text::valid_utf8(*shown));
    for (const char c : *shown) need(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
    for (const char* hidden : {"\u202e", "\u2066", "\u2028", "\u200f"}) need(shown->find(hidden) == std::string::npos);
  }
  need(nlohmann::json::parse(report::to_json_text(report), nullptr, false).is_object());
  return 0;
}
