#include "node/facts/names_detail.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

void add_once(std::vector<std::string>& list, std::string_view entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.emplace_back(entry);
}

}  // namespace

std::vector<std::string> hosts_addresses(std::string_view text, std::string_view name) {
  std::vector<std::string> addresses;
  for (const std::string_view line : text::lines(text)) {
    const auto words = text::words(line.substr(0, line.find('#')));
    for (std::size_t i = 1; i < words.size(); ++i)
      if (text::lower(words[i]) == text::lower(name)) add_once(addresses, words[0]);
  }
  return addresses;
}

Resolver parse_resolv_conf(std::string_view text) {
  Resolver resolver;
  for (const std::string_view line : text::lines(text)) {
    const auto words = text::words(line.substr(0, line.find_first_of("#;")));
    if (words.size() < 2) continue;
    if (words[0] == "nameserver") resolver.servers.emplace_back(words[1]);
    if (words[0] == "search" || words[0] == "domain") resolver.search.assign(words.begin() + 1, words.end());
  }
  return resolver;
}

std::vector<std::string> getent_addresses(std::string_view text) {
  std::vector<std::string> addresses;
  for (const std::string_view line : text::lines(text)) {
    const auto words = text::words(line);
    if (words.size() >= 2) add_once(addresses, words[0]);
  }
  return addresses;
}

}  // namespace assay::node::facts
