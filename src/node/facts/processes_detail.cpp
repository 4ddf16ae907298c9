#include "node/facts/processes_detail.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

constexpr std::size_t kMostProcesses = 20000;
constexpr std::int64_t kKernelThreads = 2;  // kthreadd, the parent of them all

bool is_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Seen<Stat> parse_stat(std::string_view text) {
  // The name may hold blanks and brackets of its own: the last bracket ends it.
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  const auto rest =
      close == std::string_view::npos ? std::vector<std::string_view>() : text::words(text.substr(close + 1));
  const auto parent = rest.size() < 2 ? std::nullopt : text::integer(rest[1]);
  if (open == std::string_view::npos || close < open || !parent || rest[0].size() != 1)
    return unseen(Absence::malformed, fmt::format("no line of /proc/PID/stat: \"{}\"", text::to_utf8(text, 80)));
  return Stat{text::to_utf8(text.substr(open + 1, close - open - 1)), rest[0][0], *parent};
}

Seen<std::vector<Process>> processes(Host& host) {
  const auto names = host.names("/proc");
  if (!names) return tl::unexpected(names.error());
  // With hidepid=2 even process 1 isn't there for others; in a folder tree there may be none at all.
  if (!host.exists("/proc/1/stat"))
    return host.live() ? unseen(Absence::permission, "/proc hides other users' processes (hidepid)")
                       : unseen(Absence::unsupported, "a folder tree has no processes");
  std::vector<Process> found;
  std::size_t looked_at = 0;
  for (const std::string& name : *names) {
    if (!is_number(name)) continue;
    if (++looked_at > kMostProcesses)
      return unseen(Absence::malformed, fmt::format("more than {} processes", kMostProcesses));
    const auto stat = host.text("/proc/" + name + "/stat", 4096, false).and_then([](const std::string& text) {
      return parse_stat(text);
    });
    if (!stat || stat->state == 'Z' || stat->state == 'X' || stat->parent == kKernelThreads) continue;  // it has ended
    found.push_back({text::integer(name).value_or(0), stat->name});
  }
  return found;
}

}  // namespace assay::node::facts
