#include "report/html.hpp"

#include <fmt/format.h>

#include <map>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "evidence/artifacts.hpp"
#include "report/overview.hpp"
#include "report/packed.hpp"
#include "report/page.hpp"
#include "report/wording.hpp"

namespace assay::report {

namespace {

// SHA-256 in base64, as a Content-Security-Policy spells it.
std::string policy_hash(std::string_view content) {
  const std::string hex = artifacts::sha256(content);
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(text::integer(std::string_view(hex).substr(i, 2), 16).value_or(0));
  return base64_encode(bytes);
}

// Each {{name}} of the template becomes its part. The parts themselves are not looked into.
std::string filled(std::string_view page, const std::map<std::string, std::string, std::less<>>& parts) {
  std::string html;
  for (;;) {
    const auto open = page.find("{{");
    html += page.substr(0, open);
    if (open == std::string_view::npos) return html;
    const auto close = page.find("}}", open);
    const auto part = parts.find(page.substr(open + 2, close - open - 2));
    if (part != parts.end()) html += part->second;
    page.remove_prefix(close + 2);
  }
}

std::string meta_of(const Run& run) {
  std::string line;
  for (const std::string& part :
       {run.target, moment(run.started), duration(run),
        fmt::format("{} of {} answered", run.answered.size(), counted(run.hosts.size(), "host", "hosts"))})
    if (!part.empty()) line += (line.empty() ? "" : " · ") + part;
  return escape(line);
}

}  // namespace

std::string escape(std::string_view text) { return text::html(text::printable(text)); }

std::string script_safe(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&')
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      safe += c;
  }
  return safe;
}

std::string to_html(const Report& report) {
  const Run& run = report.run;
  const std::string cluster = run.cluster.empty() ? "A cluster" : run.cluster;
  return filled(page::kTemplate,
                {{"script-hash", policy_hash(page::kScript)},
                 {"style-hash", policy_hash(page::kStyle)},
                 {"title", escape(fmt::format("{}: assay report", cluster))},
                 {"style", std::string(page::kStyle)},
                 {"cluster", escape(cluster)},
                 {"meta", meta_of(run)},
                 {"stopped", run.complete ? ""
                                          : "<p class=\"alert\">The run was stopped before its end: what is missing is "
                                            "unknown. Go on with it by --resume.</p>"},
                 {"rating", overview::rating(report)},
                 {"findings", overview::findings(report)},
                 {"unknown", overview::unknown(report)},
                 {"criteria", overview::criteria(report)},
                 {"checks", overview::checks(report)},
                 {"footer", escape(fmt::format("assay {} · run {}", run.version, run.id))},
                 {"data", script_safe(to_packed_json(report))},
                 {"script", std::string(page::kScript)}});
}

}  // namespace assay::report
