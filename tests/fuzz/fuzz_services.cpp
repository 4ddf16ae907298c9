// Files and answers that the readers of mounts, ports, services and containers take apart. The first byte picks the
// parser; none may crash, and what one accepts must hold to what its header promises.
#include <cstdlib>
#include <string>

#include "node/facts/http_detail.hpp"
#include "node/facts/mounts_detail.hpp"
#include "node/facts/processes_detail.hpp"
#include "node/facts/systemd_detail.hpp"
#include "node/facts/tcp_detail.hpp"
#include "node/facts/toml_detail.hpp"
#include "node/facts/yaml_detail.hpp"

namespace {

using namespace assay::node::facts;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const assay::Seen<std::vector<Mount>>& mounts) {
  if (!mounts) return;
  require(visible(*mounts).size() <= mounts->size());
  for (const Mount& mount : *mounts) {
    require(mount.point.starts_with('/') && !mount.type.empty());
    static_cast<void>(media_of(mount));
  }
  static_cast<void>(covering(*mounts, "/home"));
}

void check(const assay::Seen<std::vector<Listener>>& listeners) {
  if (!listeners) return;
  for (const Listener& listener : *listeners)
    require(listener.port > 0 && listener.port < 65536 && !listener.address.empty());
}

void parse(unsigned char which, std::string_view text) {
  switch (which % 9) {
    case 0: return check(parse_mountinfo(text));
    case 1: return check(parse_mounts(text));
    case 2: return check(parse_tcp(text));
    case 3: return static_cast<void>(parse_stat(text));
    case 4: return static_cast<void>(parse_show(text, {"slurmd", "munge"}));
    case 5: return static_cast<void>(parse_http(text));
    case 6: return static_cast<void>(metric_names(text));
    case 7: return static_cast<void>(parse_toml(text));
    default: return static_cast<void>(parse_yaml_settings(text));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size > 0) parse(data[0], std::string_view(reinterpret_cast<const char*>(data + 1), size - 1));
  return 0;
}
