#include "node/facts/cpu_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

// Views of one logical CPU's lines.
struct Block {
  std::string_view processor, model, microcode, physical, core, flags, implementer, part;
};

void take_line(std::string_view line, Block& block) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const auto key = text::trim(line.substr(0, colon));
  const auto value = text::trim(line.substr(colon + 1));
  if (key == "processor") block.processor = value;
  if (key == "model name") block.model = value;
  if (key == "microcode") block.microcode = value;
  if (key == "physical id") block.physical = value;
  if (key == "core id") block.core = value;
  if (key == "flags") block.flags = value;
  if (key == "CPU implementer") block.implementer = value;
  if (key == "CPU part") block.part = value;
}

std::vector<Block> blocks_of(std::string_view text) {
  std::vector<Block> blocks;
  for (const std::string_view line : text::lines(text)) {
    if (line.starts_with("processor") && text::trim(line.substr(9)).starts_with(':')) blocks.emplace_back();
    if (!blocks.empty()) take_line(line, blocks.back());
  }
  return blocks;
}

bool has_word(std::string_view words, std::string_view word) {
  const auto found = text::words(words);
  return std::find(found.begin(), found.end(), word) != found.end();
}

void count_topology(const std::vector<Block>& blocks, CpuInfo& info) {
  std::set<std::string_view> sockets;
  std::set<std::pair<std::string_view, std::string_view>> cores;
  for (const Block& block : blocks) {
    if (block.physical.empty() || block.core.empty()) return;
    sockets.insert(block.physical);
    cores.emplace(block.physical, block.core);
  }
  info.sockets = static_cast<std::int64_t>(sockets.size());
  info.cores = static_cast<std::int64_t>(cores.size());
}

}  // namespace

Seen<CpuInfo> parse_cpuinfo(std::string_view text) {
  const auto blocks = blocks_of(text);
  if (blocks.empty() || !text.ends_with('\n'))
    return unseen(Absence::malformed, blocks.empty() ? "no processor in /proc/cpuinfo" : "/proc/cpuinfo is cut off");
  for (const Block& block : blocks)
    if (!text::integer(block.processor))
      return unseen(Absence::malformed, "a processor of /proc/cpuinfo has no number");
  const Block& first = blocks.front();
  CpuInfo info;
  info.threads = static_cast<std::int64_t>(blocks.size());
  info.microcode = first.microcode;
  info.model = first.model;
  if (info.model.empty() && !first.implementer.empty())
    info.model = fmt::format("implementer {} part {}", first.implementer, first.part);
  if (!first.flags.empty()) info.guest = has_word(first.flags, "hypervisor");
  count_topology(blocks, info);
  return info;
}

Seen<std::int64_t> count_in_list(std::string_view text) {
  text = text::trim(text);
  std::int64_t count = 0;
  if (text.empty()) return count;
  for (const std::string_view range : text::split(text, ',')) {
    const auto dash = range.find('-');
    const auto first = text::integer(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : text::integer(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > 1'000'000)
      return unseen(Absence::malformed, fmt::format("\"{}\" is not a list of CPUs", text::to_utf8(text.substr(0, 60))));
    count += *last - *first + 1;
  }
  return count;
}

}  // namespace assay::node::facts
