#include "slurm/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/hostlist.hpp"
#include "base/text.hpp"

namespace assay::slurm {

namespace {

using json = nlohmann::json;

tl::unexpected<Absent> malformed(std::string detail) { return unseen(Absence::malformed, std::move(detail)); }

std::string shown(std::string_view text) { return text::printable(text.substr(0, 60)); }

bool state_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '+';
  });
}

std::string without_null(std::string_view value) {
  return value == "(null)" || value == "N/A" ? std::string() : std::string(value);
}

// ---- one-line records: "Key=value Key=value …", where only some values may hold blanks

// The value of the first " Key=" in `line`, up to the next blank.
std::optional<std::string_view> field(std::string_view line, std::string_view key) {
  const std::string marked = " " + std::string(key) + "=";
  const auto at = line.find(marked);
  if (at == std::string_view::npos) return std::nullopt;
  const auto value = line.substr(at + marked.size());
  return value.substr(0, value.find(' '));
}

std::size_t occurrences(std::string_view line, std::string_view what) {
  std::size_t count = 0;
  for (auto at = line.find(what); at != std::string_view::npos; at = line.find(what, at + 1)) ++count;
  return count;
}

// Everything after Reason=, without the "[root@2026-12-01T03:00:47]" that says who and when.
std::string reason_in(std::string_view rest) {
  const auto who = rest.find(" [");
  const auto close = rest.find(']', who == std::string_view::npos ? 0 : who);
  const bool stamped = who != std::string_view::npos && close != std::string_view::npos &&
                       rest.substr(who, close - who).find('@') != std::string_view::npos;
  return std::string(text::trim(stamped ? rest.substr(0, who) : rest));
}

Seen<Node> node_in(std::string_view line) {
  // People write the reason, so a "State=" in it means nothing; a node writes its OS=, so a second one before the
  // reason means that it can't be told which is Slurm's.
  const auto reason_at = line.find(" Reason=");
  const auto before = line.substr(0, reason_at);
  Node node;
  const auto name = line.substr(9, line.find(' ') - 9);
  const auto state = field(before, "State");
  if (name.empty() || !state || occurrences(before, " State=") != 1)
    return malformed(fmt::format("a node's line without one name and one state: \"{}\"", shown(line)));
  auto base = *state;
  // Text output of old versions marks a node that doesn't answer with a star.
  const bool silent = base.ends_with('*');
  if (silent) base.remove_suffix(1);
  if (!state_word(base)) return malformed(fmt::format("node {} has the state \"{}\"", shown(name), shown(*state)));
  node.name = name;
  node.state = text::upper(base) + (silent ? "+NOT_RESPONDING" : "");
  node.hostname = field(before, "NodeHostName").value_or(name);
  node.gres = without_null(field(before, "Gres").value_or(""));
  node.version = without_null(field(before, "Version").value_or(""));
  node.tres = without_null(field(before, "CfgTRES").value_or(""));
  if (reason_at != std::string_view::npos) node.reason = without_null(reason_in(line.substr(reason_at + 8)));
  return node;
}

// ---- JSON, as whichever version wrote it

const json* member(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

// A text member; "" if it is absent or null, nothing if it is of another type.
std::optional<std::string> text_member(const json& object, const char* key) {
  const json* value = member(object, key);
  if (value == nullptr || value->is_null()) return std::string();
  if (!value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

// "mixed", or ["MIXED","DRAIN"]; and "state_flags" of the versions that had a word.
std::optional<std::string> state_member(const json& object) {
  std::string joined;
  for (const char* key : {"state", "state_flags"}) {
    const json* value = member(object, key);
    if (value == nullptr) continue;
    const json list = value->is_array() ? *value : json::array({*value});
    for (const json& word : list) {
      if (!word.is_string() || !state_word(word.get_ref<const std::string&>())) return std::nullopt;
      joined.append(joined.empty() ? "" : "+").append(text::upper(word.get_ref<const std::string&>()));
    }
  }
  return joined.empty() ? std::nullopt : std::optional(joined);
}

Seen<Node> node_in(const json& object) {
  if (!object.is_object()) return malformed("an entry of \"nodes\" is not an object");
  const auto name = text_member(object, "name");
  const auto state = state_member(object);
  if (!name || name->empty() || !state)
    return malformed(fmt::format("a node without a name or a readable state: {}", shown(object.dump())));
  const auto hostname = text_member(object, "hostname");
  const auto reason = text_member(object, "reason");
  const auto gres = text_member(object, "gres");
  const auto version = text_member(object, member(object, "version") != nullptr ? "version" : "slurmd_version");
  const auto tres = text_member(object, "tres");
  if (!hostname || !reason || !gres || !version || !tres)
    return malformed(
        fmt::format("node {} has a hostname, reason, gres, tres or version that is no text", shown(*name)));
  return Node{*name, hostname->empty() ? *name : *hostname, *state, *reason, *gres, *version, *tres};
}

// Slurm answers with an "errors" list and whatever it could gather: part of the nodes isn't all of them.
std::optional<std::string> error_in(const json& answer) {
  const json* errors = member(answer, "errors");
  if (errors == nullptr || !errors->is_array() || errors->empty()) return std::nullopt;
  const json& first = errors->front();
  const auto words = first.is_object() ? text_member(first, "description") : std::nullopt;
  return "the answer carries an error: " + shown(words.value_or(first.dump()));
}

}  // namespace

Seen<Config> parse_config(std::string_view text) {
  if (!text.starts_with("Configuration data as of ")) return malformed("no \"Configuration data as of\" at its start");
  if (!text.ends_with('\n')) return malformed("the last line has no end");
  Config config;
  auto* section = &config.settings;
  std::map<std::string, std::string> other;
  for (const std::string_view line : text::lines(text)) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) {
      if (line.ends_with("Configuration:")) section = line.starts_with("Cgroup") ? &config.cgroup : &other;
      continue;
    }
    (*section)[std::string(text::trim(line.substr(0, equals)))] = text::trim(line.substr(equals + 1));
  }
  if (!config.settings.contains("SLURM_VERSION") || !config.settings.contains("TreeWidth"))
    return malformed("no SLURM_VERSION or TreeWidth among its lines: it isn't whole");
  return config;
}

Seen<std::vector<Node>> parse_nodes_text(std::string_view text) {
  if (!text.empty() && !text.ends_with('\n')) return malformed("the last line has no end");
  std::vector<Node> nodes;
  for (const std::string_view line : text::lines(text)) {
    // An administrator's comment may hold a line break; what follows it belongs to no field that is read here.
    if (!line.starts_with("NodeName=")) continue;
    auto node = node_in(line);
    if (!node) return tl::unexpected(node.error());
    nodes.push_back(std::move(*node));
  }
  if (nodes.empty()) return malformed("no line begins with NodeName=");
  return nodes;
}

Seen<std::vector<Node>> parse_nodes_json(std::string_view text) {
  const json answer = json::parse(text, nullptr, false);
  if (answer.is_discarded() || !answer.is_object()) return malformed("not one JSON object");
  if (const auto error = error_in(answer)) return malformed(*error);
  const json* entries = member(answer, "nodes");
  if (entries == nullptr || !entries->is_array()) return malformed("no list \"nodes\" in the answer");
  std::vector<Node> nodes;
  for (const json& entry : *entries) {
    auto node = node_in(entry);
    if (!node) return tl::unexpected(node.error());
    nodes.push_back(std::move(*node));
  }
  return nodes;
}

Seen<std::vector<Partition>> parse_partitions_text(std::string_view text) {
  if (!text.empty() && !text.ends_with('\n')) return malformed("the last line has no end");
  std::vector<Partition> partitions;
  for (const std::string_view line : text::lines(text)) {
    if (line.empty()) continue;
    const auto state = field(line, "State");
    const auto nodes = field(line, "Nodes");
    const bool named = line.starts_with("PartitionName=") && line.size() > 14 && line[14] != ' ';
    if (!named || !state || !state_word(*state) || !nodes)
      return malformed(fmt::format("a partition's line without name, state or nodes: \"{}\"", shown(line)));
    partitions.push_back(
        {std::string(line.substr(14, line.find(' ') - 14)), text::upper(*state), without_null(*nodes)});
  }
  return partitions;
}

Seen<Topology> parse_topology_text(std::string_view text) {
  if (text.empty()) return unseen(Absence::missing, "no switch or block is configured");
  if (!text.ends_with('\n')) return malformed("the last line has no end");
  Topology topology;
  for (const std::string_view line : text::lines(text)) {
    if (line.empty()) continue;
    const auto names = text::starts_with_any(line, {"SwitchName=", "BlockName="});
    if (!names) return malformed(fmt::format("neither a switch nor a block: \"{}\"", shown(line)));
    const auto first = line.substr(line.find('=') + 1);
    // An upper switch lists the nodes of those below it again.
    const bool upper_level = field(line, "Switches").has_value();
    const auto nodes = hostlist::expand(without_null(field(line, "Nodes").value_or("")));
    if (!nodes) return malformed(nodes.error().message());
    if (!upper_level && !nodes->empty()) topology.leaves.emplace_back(first.substr(0, first.find(' ')));
    topology.nodes.insert(topology.nodes.end(), nodes->begin(), nodes->end());
  }
  if (topology.leaves.empty()) return malformed("no switch or block with nodes");
  std::sort(topology.nodes.begin(), topology.nodes.end(), text::natural_less);
  topology.nodes.erase(std::unique(topology.nodes.begin(), topology.nodes.end()), topology.nodes.end());
  return topology;
}

Seen<Table> parse_table(std::string_view text, std::string_view separator) {
  if (!text.ends_with('\n')) return malformed("the last line has no end");
  const auto fields = [&](std::string_view line) {
    std::vector<std::string> found;
    for (;;) {
      const auto at = line.find(separator);
      found.emplace_back(line.substr(0, at));
      if (at == std::string_view::npos) return found;
      line.remove_prefix(at + separator.size());
    }
  };
  Table table;
  std::size_t number = 0;
  for (const std::string_view line : text::lines(text)) {
    auto row = fields(line);
    if (++number == 1) {
      table.heading = std::move(row);
    } else if (row.size() == table.heading.size()) {
      table.rows.push_back(std::move(row));
    } else {
      return malformed(fmt::format("line {} has {} fields, its heading {}", number, row.size(), table.heading.size()));
    }
  }
  return table;
}

Seen<std::map<std::string, std::string>> count_states(std::string_view text) {
  std::map<std::string, std::int64_t> counts;
  for (const std::string_view line : text::lines(text)) {
    if (!state_word(line)) return malformed(fmt::format("\"{}\" is no job state", shown(line)));
    ++counts[std::string(line)];
  }
  std::map<std::string, std::string> result;
  for (const auto& [state, count] : counts) result[state] = std::to_string(count);
  return result;
}

Absent why_failed(std::string_view command, const process::Output& output) {
  const auto words = text::trim(output.err.empty() ? output.out : output.err);
  const auto says = [&](std::string_view phrase) { return words.find(phrase) != std::string_view::npos; };
  Absence reason = Absence::malformed;
  if (says("Unable to contact slurm") || says("Socket timed out") || says("Connection refused") || says("timed out")) {
    reason = Absence::timeout;
  } else if (says("ermission denied") || says("Invalid user id")) {
    reason = Absence::permission;
  } else if (says("unrecognized option") || says("Only 'accounting_storage/slurmdbd'") ||
             says("No topology information")) {
    reason = Absence::unsupported;
  } else if (says("Could not establish a configuration source")) {
    reason = Absence::missing;
  }
  return {reason, fmt::format("{} ended with {}: {}", command, output.status,
                              text::to_utf8(words.substr(0, words.find('\n')), 200))};
}

}  // namespace assay::slurm
