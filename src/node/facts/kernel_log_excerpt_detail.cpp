#include "node/facts/kernel_log_excerpt_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace assay::node::kernel_log {

namespace {

constexpr std::size_t kAround = 2;
constexpr std::size_t kLongestLine = 1000;

}  // namespace

std::string excerpt(std::string_view text, const Log& log, std::span<const Event> told) {
  const auto lines = text::lines(text);
  std::set<std::size_t> kept;
  const auto keep = [&](std::size_t at) {
    for (std::size_t each = at - std::min(at, kAround); each < lines.size() && each <= at + kAround; ++each)
      kept.insert(each);
  };
  if (!lines.empty()) {
    keep(0);
    keep(lines.size() - 1);
  }
  if (!log.lines.empty()) {
    keep(log.lines.front().at);
    keep(log.lines.back().at);
  }
  for (const Event& event : told) {
    keep(event.first_at);
    keep(event.last_at);
  }
  kept.insert(log.unread_at.begin(), log.unread_at.end());

  std::string words = fmt::format("… {} of {} lines; {} are kernel messages of the last boot, {} in no known form\n",
                                  kept.size(), lines.size(), log.lines.size(), log.unread);
  std::size_t next = 0;
  for (const std::size_t at : kept) {
    if (at > next) words += fmt::format("… {} lines left out\n", at - next);
    words += lines[at].substr(0, kLongestLine);
    words += lines[at].size() > kLongestLine ? "…\n" : "\n";
    next = at + 1;
  }
  return words;
}

}  // namespace assay::node::kernel_log
