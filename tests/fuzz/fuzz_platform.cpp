// Files and answers of the platform's readers: package lists, /proc, chrony, limits, hosts. The first byte chooses the
// parser. Whatever comes is read or refused; what is read lies inside the text.
#include <cstdlib>
#include <string>
#include <string_view>

#include "node/facts/clock_detail.hpp"
#include "node/facts/cpu_detail.hpp"
#include "node/facts/limits_detail.hpp"
#include "node/facts/memory_detail.hpp"
#include "node/facts/names_detail.hpp"
#include "node/facts/packages_detail.hpp"

namespace {

using namespace assay::node::facts;

void check_packages(const assay::Seen<std::vector<assay::Package>>& packages) {
  if (!packages) return;
  for (const assay::Package& package : *packages) {
    const std::string entry = to_text(package);
    const auto again = assay::package_from(entry);
    if (!again || to_text(*again) != entry || again->name != package.name || again->state != package.state)
      std::abort();
  }
}

void parse(unsigned char which, std::string_view text) {
  switch (which % 10) {
    case 0: return check_packages(parse_dpkg_status(text));
    case 1: return check_packages(parse_rpm_list(text));
    case 2: return static_cast<void>(parse_cpuinfo(text));
    case 3: return static_cast<void>(count_in_list(text));
    case 4: return static_cast<void>(parse_meminfo(text));
    case 5: return static_cast<void>(parse_swaps(text));
    case 6: return static_cast<void>(chosen(text));
    case 7: return static_cast<void>(parse_tracking(text));
    case 8: return static_cast<void>(parse_limits(text));
    default:
      static_cast<void>(parse_resolv_conf(text));
      static_cast<void>(getent_addresses(text));
      return static_cast<void>(hosts_addresses(text, "n1"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size > 0) parse(data[0], std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
