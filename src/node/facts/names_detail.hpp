// Where names are looked up: hosts, resolv.conf, and what getent answers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::node::facts {

// Addresses that /etc/hosts gives to a name, in its order. Letter case is ignored.
std::vector<std::string> hosts_addresses(std::string_view text, std::string_view name);

struct Resolver {
  std::vector<std::string> servers;
  std::vector<std::string> search;  // the last search or domain line counts
};
Resolver parse_resolv_conf(std::string_view text);

// Distinct addresses that `getent ahosts` printed, in its order.
std::vector<std::string> getent_addresses(std::string_view text);

}  // namespace assay::node::facts
