#include "slurm/gres.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/text.hpp"

namespace assay::slurm {

namespace {

// Entries without what stands in brackets after them, where commas separate nothing.
std::vector<std::string_view> entries_of(std::string_view gres) {
  std::vector<std::string_view> entries;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= gres.size(); ++i) {
    if (i < gres.size() && gres[i] == '(') ++depth;
    if (i < gres.size() && gres[i] == ')') --depth;
    if (i < gres.size() && (gres[i] != ',' || depth > 0)) continue;
    const auto entry = gres.substr(start, i - start);
    entries.push_back(entry.substr(0, entry.find('(')));
    start = i + 1;
  }
  return entries;
}

// gpu, gpu:8, gpu:h100, gpu:h100:8
std::optional<GpuGres> gpu_entry(std::string_view entry) {
  const auto fields = text::split(entry, ':');
  if (fields[0] != "gpu") return GpuGres{};
  GpuGres gres{1, false};
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (const auto count = text::integer(fields[i])) {
      if (i + 1 != fields.size() || *count < 0) return std::nullopt;
      gres.count = *count;
    } else if (fields[i].empty() || i != 1) {
      return std::nullopt;
    } else {
      gres.slices = fields[i].find("g.") != std::string_view::npos && fields[i].ends_with("gb");
    }
  }
  return gres;
}

}  // namespace

std::optional<GpuGres> gpus_in(std::string_view gres) {
  GpuGres all;
  for (const std::string_view entry : entries_of(gres)) {
    const auto gpus = gpu_entry(entry);
    if (!gpus) return std::nullopt;
    all.count += gpus->count;
    all.slices = all.slices || gpus->slices;
  }
  return all;
}

std::optional<std::int64_t> gpus_of_tres(std::string_view tres) {
  constexpr std::string_view kKey = "gres/gpu=";
  for (const std::string_view entry : text::split(tres, ','))
    if (entry.starts_with(kKey)) {
      const auto count = text::integer(entry.substr(kKey.size()));
      return count && *count >= 0 ? count : std::nullopt;
    }
  return std::nullopt;
}

std::string devices_of(std::string_view gres) {
  std::vector<std::string_view> devices;
  for (const std::string_view entry : entries_of(gres))
    if (entry.starts_with("gpu:") || entry.starts_with("nic:")) devices.push_back(entry);
  return fmt::format("{}", fmt::join(devices, ","));
}

std::string devices_of(const std::string& devices, std::string_view tres) {
  const bool single = devices.starts_with("gpu:") && devices.find(',') == std::string::npos;
  const auto count = single ? gpus_of_tres(tres) : std::nullopt;
  return count ? fmt::format("{}{}", devices.substr(0, devices.rfind(':') + 1), *count) : devices;
}

}  // namespace assay::slurm
