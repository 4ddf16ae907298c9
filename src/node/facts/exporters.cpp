// Exporters of metrics on this node: do they answer, and with what? A port that is open proves nothing by itself.
#include <fmt/format.h>

#include <algorithm>

#include "node/facts/http_detail.hpp"
#include "node/facts/tcp_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr std::chrono::milliseconds kPatience{3000};  // dcgm-exporter on 8 GPUs answers in some 50 ms
constexpr std::size_t kLargest = 4u << 20;

constexpr Emits kEmits[] = {
    {"exporter.state", "exporter", "",
     "answers; silent (no answer in 3 s); closed (nothing listens); other (it answers, but not with metrics)"},
    {"exporter.detail", "exporter", "", "what came, where it isn't metrics"},
    {"exporter.metrics", "exporter", "", "names of the metrics that it answers with"},
};

struct Exporter {
  std::string_view name;
  int port;
};

constexpr Exporter kExporters[] = {{"dcgm", 9400}, {"node", 9100}};

void say_no_metrics(Findings& findings, const Subject& exporter, std::string_view state, const std::string& detail,
                    const std::string& from) {
  findings.see(exporter, "exporter.state", std::string(state), from);
  findings.see(exporter, "exporter.detail", detail, from);
  findings.absent(exporter, "exporter.metrics", {Absence::missing, detail}, from);
}

void read_exporter(Host& host, Findings& findings, const Exporter& known) {
  const Subject exporter = Subject().child("exporter", known.name);
  const std::string from = fmt::format("GET http://localhost:{}/metrics", known.port);
  const auto answer = loopback_get(host, known.port, "/metrics", kPatience, kLargest);
  if (!answer) {
    switch (answer.error().reason) {
      case Absence::missing: return say_no_metrics(findings, exporter, "closed", answer.error().detail, from);
      case Absence::timeout: return say_no_metrics(findings, exporter, "silent", answer.error().detail, from);
      case Absence::malformed: return say_no_metrics(findings, exporter, "other", answer.error().detail, from);
      default: break;
    }
    for (const auto name : {"exporter.state", "exporter.detail", "exporter.metrics"})
      findings.absent(exporter, name, answer.error(), from);
    return;
  }
  const auto names = metric_names(answer->body);
  if (answer->status != 200)
    return say_no_metrics(findings, exporter, "other", fmt::format("HTTP status {}", answer->status), from);
  if (!names) return say_no_metrics(findings, exporter, "other", names.error().detail, from);
  findings.see(exporter, "exporter.state", std::string("answers"), from);
  findings.absent(exporter, "exporter.detail", {Absence::missing, "nothing else came"}, from);
  findings.see(exporter, "exporter.metrics", *names, from);
}

void read(Host& host, Findings& findings) {
  for (const Exporter& exporter : kExporters) read_exporter(host, findings, exporter);
}

}  // namespace

extern const Reader exporters = {"exporters", "exporters of metrics on this node's loopback", std::chrono::seconds(8),
                                 kEmits, read};

}  // namespace assay::node::facts
