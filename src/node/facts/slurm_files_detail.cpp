#include "node/facts/slurm_files_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace assay::node::slurm {

namespace {

constexpr std::size_t kMostIncludes = 64;
constexpr std::size_t kLargest = 4u << 20;

// Up to a "#" that isn't escaped.
std::string_view without_comment(std::string_view line) {
  for (auto at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
    if (at == 0 || line[at - 1] != '\\') return line.substr(0, at);
  return line;
}

// Lines joined over a backslash at their end, each with the number it began at.
std::vector<std::pair<std::size_t, std::string>> logical_lines(std::string_view text) {
  std::vector<std::pair<std::size_t, std::string>> joined;
  std::size_t number = 0;
  bool open = false;
  for (const std::string_view raw : text::lines(text)) {
    ++number;
    auto line = text::trim(without_comment(raw));
    const bool goes_on = line.ends_with('\\');
    if (goes_on) line.remove_suffix(1);
    if (open) {
      joined.back().second.append(" ").append(line);
    } else {
      joined.emplace_back(number, line);
    }
    open = goes_on;
  }
  return joined;
}

// Takes one pair off the front; false if there is none.
bool take_pair(std::string_view& rest, ConfLine& to) {
  const auto equals = rest.find('=');
  if (equals == std::string_view::npos) return false;
  auto key = text::trim(rest.substr(0, equals));
  if (key.ends_with('+')) key.remove_suffix(1);  // TaskPluginParam+=…: added to what was there
  if (key.empty() || key.find_first_of(" \t\"") != std::string_view::npos) return false;
  rest = text::trim(rest.substr(equals + 1));
  std::string_view value;
  if (rest.starts_with('"')) {
    const auto close = rest.find('"', 1);
    if (close == std::string_view::npos) return false;
    value = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
  } else {
    value = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(value.size());
  }
  rest = text::trim(rest);
  to.emplace_back(text::lower(key), value);
  return true;
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos || slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

bool about_part(const ConfLine& line) {
  static constexpr std::array<std::string_view, 6> kParts{"nodename", "partitionname", "downnodes",
                                                          "nodeset",  "frontendname",  "switchname"};
  return !line.empty() && std::find(kParts.begin(), kParts.end(), line.front().first) != kParts.end();
}

const std::string* Conf::setting(std::string_view lower_key) const {
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (about_part(*line)) continue;
    for (auto pair = line->rbegin(); pair != line->rend(); ++pair)
      if (pair->first == lower_key) return &pair->second;
  }
  return nullptr;
}

Seen<Conf> parse_conf(std::string_view text) {
  Conf conf;
  for (const auto& [number, line] : logical_lines(text)) {
    if (line.empty()) continue;
    const auto words = text::words(line);
    if (words.size() == 2 && text::lower(words[0]) == "include") {
      conf.includes.emplace_back(words[1]);
      continue;
    }
    ConfLine pairs;
    for (std::string_view rest = line; !rest.empty();)
      if (!take_pair(rest, pairs))
        return unseen(Absence::malformed, fmt::format("line {} is no list of key=value pairs: \"{}\"", number,
                                                      text::printable(std::string_view(line).substr(0, 60))));
    conf.lines.push_back(std::move(pairs));
  }
  return conf;
}

std::vector<std::string> conf_places(Host& host) {
  std::vector<std::string> places{"/etc/slurm/slurm.conf",
                                  "/etc/slurm-llnl/slurm.conf",
                                  "/run/slurm/conf/slurm.conf",
                                  "/usr/local/etc/slurm.conf",
                                  "/opt/slurm/etc/slurm.conf",
                                  "/usr/local/slurm/etc/slurm.conf",
                                  "/cm/shared/apps/slurm/var/etc/slurm/slurm.conf"};
  if (const auto named = host.environment("SLURM_CONF")) places.insert(places.begin(), *named);
  return places;
}

Seen<std::string> find_conf(Host& host) {
  const auto places = conf_places(host);
  for (const std::string& place : places) {
    const auto status = host.status(place);
    if (status) return place;
    if (status.error().reason == Absence::permission) return tl::unexpected(status.error());
  }
  return tl::unexpected(host.none(fmt::format("no slurm.conf at {}", fmt::join(places, ", "))));
}

Seen<Conf> read_conf(Host& host, const std::string& path) {
  Conf whole;
  std::vector<std::string> waiting{path};
  for (std::size_t read = 0; !waiting.empty(); ++read) {
    if (read > kMostIncludes)
      return unseen(Absence::malformed, fmt::format("{} includes more than {} files", path, kMostIncludes));
    const std::string next = waiting.back();
    waiting.pop_back();
    const auto content = host.text(next, kLargest);
    if (!content) return tl::unexpected(content.error());
    auto conf = parse_conf(*content);
    if (!conf) return unseen(Absence::malformed, next + ": " + conf.error().detail);
    for (const std::string& include : conf->includes)
      waiting.push_back(include.starts_with('/') ? include : folder_of(path) + "/" + include);
    std::move(conf->lines.begin(), conf->lines.end(), std::back_inserter(whole.lines));
  }
  return whole;
}

}  // namespace assay::node::slurm
