// The IOMMU: whether one translates for devices, and how. With translation on, traffic between PCIe peers may have to
// go up to the CPU.
#include <fmt/format.h>

#include <set>

#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"iommu.units", "", "", "the IOMMUs that the kernel drives: dmar0, ivhd0, smmu3.0x…; empty where none is on"},
    {"iommu.groups", "", "1", "IOMMU groups"},
    {"iommu.domain-types", "", "", "kinds of their default domains: identity (passed through), DMA, DMA-FQ"},
};

Seen<TextList> domain_types(Host& host, const std::vector<std::string>& groups) {
  std::set<std::string> types;
  for (const std::string& group : groups) {
    const auto type = host.line(fmt::format("/sys/kernel/iommu_groups/{}/type", group));
    if (!type) return tl::unexpected(type.error());
    types.insert(*type);
  }
  return TextList(types.begin(), types.end());
}

void read(Host& host, Findings& findings) {
  findings.say({}, "iommu.units", host.names("/sys/class/iommu"), "/sys/class/iommu");
  const auto groups = host.names("/sys/kernel/iommu_groups");
  findings.say({}, "iommu.groups",
               groups.map([](const auto& names) { return static_cast<std::int64_t>(names.size()); }),
               "/sys/kernel/iommu_groups");
  findings.say({}, "iommu.domain-types",
               groups.and_then([&](const std::vector<std::string>& names) { return domain_types(host, names); }),
               "/sys/kernel/iommu_groups");
}

}  // namespace

extern const Reader iommu = {"iommu", "IOMMUs and their groups", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
