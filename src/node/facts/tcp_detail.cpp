#include "node/facts/tcp_detail.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

constexpr std::size_t kLargest = 8u << 20;
constexpr std::string_view kListen = "0A";

// "0100007F" or four such words.
std::string address_of(std::string_view words) {
  if (words.size() != 8 && words.size() != 32) return {};
  std::array<std::uint32_t, 4> parts{};
  for (std::size_t i = 0; i < words.size() / 8; ++i) {
    const auto word = text::integer(words.substr(i * 8, 8), 16);
    if (!word || *word < 0) return {};
    parts[i] = static_cast<std::uint32_t>(*word);
  }
  std::array<char, INET6_ADDRSTRLEN> printed{};
  const int family = words.size() == 8 ? AF_INET : AF_INET6;
  return inet_ntop(family, parts.data(), printed.data(), printed.size()) == nullptr ? std::string() : printed.data();
}

Seen<Listener> parse_line(std::string_view line) {
  const auto fields = text::words(line);
  const auto colon = fields.size() < 10 ? std::string_view::npos : fields[1].find(':');
  if (colon != std::string_view::npos) {
    Listener listener{address_of(fields[1].substr(0, colon)), 0, 0};
    const auto port = text::integer(fields[1].substr(colon + 1), 16);
    const auto inode = text::integer(fields[9]);
    if (!listener.address.empty() && port && *port > 0 && *port < 65536 && inode && *inode >= 0) {
      listener.port = *port;
      listener.inode = *inode;
      return listener;
    }
  }
  return unseen(Absence::malformed, fmt::format("no line of /proc/net/tcp: \"{}\"", text::to_utf8(line, 120)));
}

}  // namespace

Seen<std::vector<Listener>> parse_tcp(std::string_view text) {
  std::vector<Listener> found;
  const auto lines = text::lines(text);
  if (lines.empty() || lines[0].find("local_address") == std::string_view::npos || text.back() != '\n')
    return unseen(Absence::malformed, "the table of TCP sockets has no head or ends inside a line");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto fields = text::words(lines[i]);
    if (fields.size() > 3 && fields[3] != kListen) continue;
    auto listener = parse_line(lines[i]);
    if (!listener) return tl::unexpected(listener.error());
    found.push_back(std::move(*listener));
  }
  return found;
}

namespace {

// A busy machine's table is all connections, and who talks to whom is nobody's business here: the transcript gets the
// lines that were used.
std::string excerpt(std::string_view text) {
  std::string kept;
  for (const std::string_view line : text::lines(text)) {
    const auto fields = text::words(line);
    if (fields.size() > 3 && (fields[3] == kListen || fields[1] == "local_address")) kept.append(line).append("\n");
  }
  return kept;
}

Seen<std::vector<Listener>> table(Host& host, const std::string& path) {
  const auto text = host.text(path, kLargest, false);
  if (!text) return tl::unexpected(text.error());
  host.note(fmt::format("excerpt {}: listening sockets", path), excerpt(*text));
  return parse_tcp(*text);
}

}  // namespace

Seen<std::vector<Listener>> listeners(Host& host) {
  auto found = table(host, "/proc/net/tcp");
  if (!found) return found;
  const auto six = table(host, "/proc/net/tcp6");
  if (six) found->insert(found->end(), six->begin(), six->end());
  if (!six && six.error().reason != Absence::missing) return six;
  return found;
}

}  // namespace assay::node::facts
