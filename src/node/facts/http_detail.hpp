// One plain HTTP GET of this machine's own loopback: what exporters of metrics answer. Nothing else is ever connected
// to, nothing is sent but the request, and the answer is bounded in time and size.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node::facts {

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// The answer to GET path on 127.0.0.1:port, or ::1 where nothing listens on the former. Absent: missing if nothing
// listens, timeout if it takes more than `patience`, malformed if it is no HTTP or larger than `limit`.
Seen<HttpAnswer> loopback_get(Host& host, int port, const std::string& path, std::chrono::milliseconds patience,
                              std::size_t limit);

// A whole answer as it came on a connection that is closed after it; chunked bodies are put together.
Seen<HttpAnswer> parse_http(std::string_view bytes);

// Names of the metrics in Prometheus' text form, each once, in order of first sight. A line of another form makes the
// whole answer unreadable.
Seen<std::vector<std::string>> metric_names(std::string_view body);

}  // namespace assay::node::facts
