// ibstat and ibstatus: "Name: value" lines, indented below an adapter and a port.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/text.hpp"
#include "node/facts/infiniband_detail.hpp"

namespace assay::node::infiniband {

namespace {

tl::unexpected<Absent> malformed(std::string_view tool, std::string_view line) {
  return unseen(Absence::malformed, fmt::format("{} printed \"{}\"", tool, line.substr(0, 100)));
}

std::pair<std::string_view, std::string_view> field(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return {text::trim(line), {}};
  return {text::trim(line.substr(0, colon)), text::trim(line.substr(colon + 1))};
}

// What stands between the first pair of single quotes.
std::string quoted(std::string_view line) {
  const auto first = line.find('\'');
  const auto last = first == std::string_view::npos ? first : line.find('\'', first + 1);
  return last == std::string_view::npos ? "" : std::string(line.substr(first + 1, last - first - 1));
}

std::optional<std::int64_t> number(std::string_view text) {
  return text.starts_with("0x") ? text::integer(text.substr(2), 16) : text::integer(text);
}

std::string state_word(std::string_view state) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kWords = {
      {{"Active", "ACTIVE"}, {"Down", "DOWN"}, {"Initializing", "INIT"}, {"Armed", "ARMED"}, {"No change", "NOP"}}};
  for (const auto& [ours, theirs] : kWords)
    if (state == ours) return std::string(theirs);
  return std::string(state);
}

// ibstat's last line of a port is its link layer; without it the text was cut.
bool whole(const Port& port) {
  return !port.state.empty() && !port.phys_state.empty() && port.rate && !port.link_layer.empty();
}

bool whole(const Listing& listing) {
  for (const auto& [name, adapter] : listing.adapters) {
    if (adapter.ports.empty() || std::cmp_less(adapter.ports.size(), adapter.port_count)) return false;
    for (const auto& [number, port] : adapter.ports)
      if (!whole(port)) return false;
  }
  return true;
}

// False for a value that can't be read.
bool take_ibstat(Port& port, std::string_view name, std::string_view value) {
  if (name == "State") port.state = state_word(value);
  if (name == "Physical state") port.phys_state = value;
  if (name == "Link layer") port.link_layer = value;
  if (name == "Rate") {
    const auto gigabits = text::decimal(value);
    if (!gigabits) return false;
    port.rate = Rate{*gigabits, 0, ""};
  }
  for (const auto& [ours, slot] : {std::pair("Base lid", &port.lid), std::pair("SM lid", &port.sm_lid),
                                   std::pair("Capability mask", &port.capabilities)}) {
    if (name != ours) continue;
    *slot = number(value);
    if (!*slot) return false;
  }
  return true;
}

void take_ibstat(Adapter& adapter, std::string_view name, std::string_view value) {
  if (name == "CA type") adapter.type = value;
  if (name == "Firmware version") adapter.firmware = value;
  if (name == "Node GUID") adapter.node_guid = value;
  if (name == "Number of ports") adapter.port_count = text::integer(value).value_or(0);
}

bool take_ibstatus(Port& port, std::string_view name, std::string_view value) {
  const auto state = [&](std::string& slot) {
    const auto word = parse_state(value);
    if (word) slot = *word;
    return word.has_value();
  };
  if (name == "state") return state(port.state);
  if (name == "phys state") return state(port.phys_state);
  if (name == "link_layer") port.link_layer = value;
  if (name == "rate") {
    const auto rate = parse_rate(value);
    if (rate) port.rate = *rate;
    return rate.has_value();
  }
  if (name == "base lid") return (port.lid = number(value)).has_value();
  if (name == "sm lid") return (port.sm_lid = number(value)).has_value();
  return true;
}

}  // namespace

Seen<Listing> parse_ibstat(std::string_view text) {
  Listing listing;
  Adapter* adapter = nullptr;
  Port* port = nullptr;
  for (const std::string_view line : text::lines(text)) {
    const auto [name, value] = field(line);
    if (name.empty()) continue;
    if (line.starts_with("CA '")) {
      adapter = &listing.adapters[quoted(line)];
      port = nullptr;
    } else if (line.starts_with("ibpanic:")) {
      const std::string failed = quoted(line);
      if (failed.empty()) return malformed("ibstat", line);
      listing.failed[failed] = line;
      port = nullptr;
    } else if (adapter == nullptr) {
      return malformed("ibstat", line);
    } else if (name.starts_with("Port ") && value.empty()) {
      const auto which = text::integer(name.substr(5));
      if (!which || *which < 1 || *which > 255) return malformed("ibstat", line);
      port = &adapter->ports[static_cast<int>(*which)];
    } else if (port == nullptr) {
      take_ibstat(*adapter, name, value);
    } else if (!take_ibstat(*port, name, value)) {
      return malformed("ibstat", line);
    }
  }
  if (listing.adapters.empty() && listing.failed.empty())
    return unseen(Absence::malformed, "no adapter in the text of ibstat");
  if (!whole(listing)) return unseen(Absence::malformed, "the text of ibstat is cut");
  return listing;
}

Seen<Listing> parse_ibstatus(std::string_view text) {
  Listing listing;
  Port* port = nullptr;
  for (const std::string_view line : text::lines(text)) {
    const auto [name, value] = field(line);
    if (name.empty()) continue;
    if (line.starts_with("Infiniband device '")) {
      const auto words = text::words(line);
      const auto which = words.size() == 6 && words[3] == "port" ? text::integer(words[4]) : std::nullopt;
      if (!which || *which < 1 || *which > 255) return malformed("ibstatus", line);
      port = &listing.adapters[quoted(line)].ports[static_cast<int>(*which)];
    } else if (port == nullptr || !take_ibstatus(*port, name, value)) {
      return malformed("ibstatus", line);
    }
  }
  if (listing.adapters.empty()) return unseen(Absence::malformed, "no adapter in the text of ibstatus");
  if (!whole(listing)) return unseen(Absence::malformed, "the text of ibstatus is cut");
  return listing;
}

}  // namespace assay::node::infiniband
