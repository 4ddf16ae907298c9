#include "node/facts/http_detail.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

using Clock = std::chrono::steady_clock;

class Socket {
 public:
  explicit Socket(int family) : fd_(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (fd_ >= 0) close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

bool ready(int fd, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd polled{fd, events, 0};
    const int count = left <= 0 ? 0 : poll(&polled, 1, static_cast<int>(left));
    if (count >= 0 || errno != EINTR) return count > 0;
  }
}

// 0, or the errno of a refusal; ETIMEDOUT at the deadline.
int connect_loopback(int fd, int family, int port, Clock::time_point deadline) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(static_cast<std::uint16_t>(port));
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = four.sin_port;
  six.sin6_addr = in6addr_loopback;
  const auto* address =
      family == AF_INET ? reinterpret_cast<const sockaddr*>(&four) : reinterpret_cast<const sockaddr*>(&six);
  if (connect(fd, address, family == AF_INET ? sizeof four : sizeof six) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!ready(fd, POLLOUT, deadline)) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

Seen<std::string> exchange(int fd, const std::string& request, Clock::time_point deadline, std::size_t limit) {
  if (!ready(fd, POLLOUT, deadline)) return unseen(Absence::timeout, "it took no request");
  if (send(fd, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
    return unseen(Absence::malformed, "it took no whole request");
  std::string answer;
  std::array<char, 65536> buffer;
  for (;;) {
    if (!ready(fd, POLLIN, deadline))
      return unseen(Absence::timeout, fmt::format("no end of its answer in time, after {} bytes", answer.size()));
    const ssize_t count = recv(fd, buffer.data(), buffer.size(), 0);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return unseen(Absence::malformed, "receive: " + errno_words(errno));
    if (count == 0) return answer;
    answer.append(buffer.data(), static_cast<std::size_t>(count));
    if (answer.size() > limit) return unseen(Absence::malformed, fmt::format("it sent more than {} bytes", limit));
  }
}

Seen<std::string> get(int port, const std::string& path, Clock::time_point deadline, std::size_t limit) {
  for (const int family : {AF_INET, AF_INET6}) {
    const Socket socket(family);
    if (socket.get() < 0) continue;
    const int error = connect_loopback(socket.get(), family, port, deadline);
    if (error == ECONNREFUSED || error == EADDRNOTAVAIL || error == ENETUNREACH) continue;
    if (error == ETIMEDOUT) return unseen(Absence::timeout, "it took no connection");
    if (error != 0) return unseen(Absence::malformed, "connect: " + errno_words(error));
    return exchange(socket.get(),
                    fmt::format("GET {} HTTP/1.0\r\nHost: localhost:{}\r\nAccept: text/plain\r\n\r\n", path, port),
                    deadline, limit);
  }
  return unseen(Absence::missing, fmt::format("nothing listens on port {} of the loopback", port));
}

tl::unexpected<Absent> no_http(std::string_view what) {
  return unseen(Absence::malformed, fmt::format("no HTTP answer: {}", what));
}

Seen<std::string> join_chunks(std::string_view rest) {
  std::string body;
  for (;;) {
    const auto end = rest.find("\r\n");
    if (end == std::string_view::npos) return no_http("it ends inside a chunk");
    const auto size = text::integer(rest.substr(0, std::min(end, rest.find(';'))), 16);
    if (!size || *size < 0) return no_http("a chunk without its size");
    rest.remove_prefix(end + 2);
    if (*size == 0) return body;
    const auto length = static_cast<std::size_t>(*size);
    if (rest.size() < 2 || length > rest.size() - 2) return no_http("it ends inside a chunk");
    body.append(rest.substr(0, length));
    rest.remove_prefix(length + 2);
  }
}

bool name_char(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || (!first && c >= '0' && c <= '9');
}

// Past `{label="value",…}` that begins at `at`; npos if it has another form.
std::size_t labels_end(std::string_view line, std::size_t at) {
  for (++at; at < line.size() && line[at] != '}';) {
    const std::size_t name = at;
    while (at < line.size() && name_char(line[at], at == name)) ++at;
    if (at == name || line.substr(at, 2) != "=\"") return std::string_view::npos;
    for (at += 2; at < line.size() && line[at] != '"'; ++at)
      if (line[at] == '\\') ++at;
    if (++at < line.size() && line[at] == ',') ++at;
  }
  return at < line.size() ? at + 1 : std::string_view::npos;
}

bool number(std::string_view word) {
  return word == "NaN" || word == "+Inf" || word == "-Inf" || text::decimal(word).has_value();
}

// "name{label="value"} 1.5 [time]" → name; empty for a line of another form.
std::string_view sample_name(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && name_char(line[end], end == 0)) ++end;
  const std::size_t value_at = end < line.size() && line[end] == '{' ? labels_end(line, end) : end;
  if (end == 0 || value_at >= line.size()) return {};
  const auto values = text::words(line.substr(value_at));
  const bool sample = (values.size() == 1 || values.size() == 2) && number(values.front()) && number(values.back());
  return sample ? line.substr(0, end) : std::string_view();
}

}  // namespace

Seen<HttpAnswer> parse_http(std::string_view bytes) {
  const auto head_end = bytes.find("\r\n\r\n");
  const auto first_end = bytes.find("\r\n");
  if (head_end == std::string_view::npos) return no_http("no end of its head");
  const auto words = text::words(bytes.substr(0, first_end));
  const auto status = words.size() < 2 ? std::nullopt : text::integer(words[1]);
  if (!status || !words[0].starts_with("HTTP/1.") || *status < 100 || *status > 599)
    return no_http(text::to_utf8(bytes.substr(0, first_end), 60));
  HttpAnswer answer{static_cast<int>(*status), std::string(bytes.substr(head_end + 4))};
  const std::string head = text::lower(bytes.substr(0, head_end + 2));
  if (head.find("\r\ntransfer-encoding: chunked\r\n") != std::string::npos) {
    auto body = join_chunks(answer.body);
    if (!body) return tl::unexpected(body.error());
    answer.body = std::move(*body);
  }
  constexpr std::string_view kLength = "\r\ncontent-length:";
  if (const auto at = head.find(kLength); at != std::string::npos) {
    const auto from = at + kLength.size();
    const auto length = text::integer(text::trim(std::string_view(head).substr(from, head.find("\r\n", from) - from)));
    if (!length || *length < 0 || static_cast<std::size_t>(*length) != answer.body.size())
      return no_http(fmt::format("its body has {} bytes, not as many as it says", answer.body.size()));
  }
  return answer;
}

Seen<HttpAnswer> loopback_get(Host& host, int port, const std::string& path, std::chrono::milliseconds patience,
                              std::size_t limit) {
  const auto deadline = Clock::now() + patience;
  return host
      .ask(fmt::format("GET http://localhost:{}{}", port, path), [&] { return get(port, path, deadline, limit); })
      .and_then([](const std::string& bytes) { return parse_http(bytes); });
}

Seen<std::vector<std::string>> metric_names(std::string_view body) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const std::string_view line : text::lines(body)) {
    if (line.empty() || line[0] == '#') continue;
    const auto name = sample_name(line);
    if (name.empty())
      return unseen(Absence::malformed, fmt::format("no line of metrics: \"{}\"", text::to_utf8(line, 80)));
    if (known.insert(name).second) names.emplace_back(name);
  }
  return names;
}

}  // namespace assay::node::facts
