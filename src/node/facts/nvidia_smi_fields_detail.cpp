// Which line of nvidia-smi -q is which observation, and how its text becomes a value.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.hpp"
#include "node/facts/gpu_words_detail.hpp"
#include "node/facts/nvidia_smi_detail.hpp"

namespace assay::node::gpu {

namespace {

using Convert = std::optional<Value> (*)(const std::string&);

std::optional<Value> as_text(const std::string& text) { return Value(text); }

std::optional<Value> as_lower(const std::string& text) { return Value(text::lower(text)); }

std::optional<Value> as_flag(const std::string& text) {
  if (text == "Enabled" || text == "Yes") return Value(true);
  if (text == "Disabled" || text == "No") return Value(false);
  return std::nullopt;
}

// What no device can have is no reading: a counter of more than a double tells apart, a clock or a power beyond any
// GPU's, a bound of zero.
constexpr std::int64_t kMostCounted = std::int64_t{1} << 53;
constexpr std::int64_t kMostMegahertz = 20'000;
constexpr double kMostWatts = 10'000;

// A whole number from `least` to `most` with exactly this unit behind it.
std::optional<std::int64_t> counted(const std::string& text, std::string_view unit, std::int64_t least = 0,
                                    std::int64_t most = kMostCounted) {
  if (!text.ends_with(unit)) return std::nullopt;
  const auto number = text::integer(std::string_view(text).substr(0, text.size() - unit.size()));
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

template <class Number>
std::optional<Value> optional_value(const std::optional<Number>& number) {
  return number ? std::optional<Value>(Value(*number)) : std::nullopt;
}

std::optional<Value> as_count(const std::string& text) { return optional_value(counted(text, "")); }
std::optional<Value> as_megahertz(const std::string& text) {
  return optional_value(counted(text, " MHz", 0, kMostMegahertz));
}
std::optional<Value> as_most_megahertz(const std::string& text) {
  return optional_value(counted(text, " MHz", 1, kMostMegahertz));
}
std::optional<Value> as_celsius(const std::string& text) { return optional_value(counted(text, " C", -100, 1000)); }
std::optional<Value> as_percent(const std::string& text) { return optional_value(counted(text, " %")); }
std::optional<Value> as_lanes(const std::string& text) { return optional_value(counted(text, "x")); }

std::optional<Value> as_bytes(const std::string& text) {
  const auto mebibytes = counted(text, " MiB");
  if (!mebibytes || *mebibytes > (std::int64_t{1} << 40)) return std::nullopt;
  return Value(*mebibytes << 20);
}

std::optional<double> watts(const std::string& text) {
  if (!text.ends_with(" W")) return std::nullopt;
  const auto number = text::decimal(std::string_view(text).substr(0, text.size() - 2));
  return number && *number >= 0 && *number <= kMostWatts ? number : std::nullopt;
}

std::optional<Value> as_watts(const std::string& text) { return optional_value(watts(text)); }
std::optional<Value> as_most_watts(const std::string& text) {
  const auto number = watts(text);
  return number && *number >= 1 ? std::optional<Value>(*number) : std::nullopt;
}

std::optional<Value> as_compute_mode(const std::string& text) {
  const std::string mode = text::lower(text);
  if (mode == "exclusive_process") return Value(std::string("exclusive-process"));
  if (mode != "default" && mode != "prohibited") return std::nullopt;
  return Value(mode);
}

std::optional<Value> as_virtualization(const std::string& text) {
  const std::string mode = text::lower(text);
  if (mode == "pass-through") return Value(std::string("passthrough"));
  if (mode == "host vgpu") return Value(std::string("host-vgpu"));
  return Value(mode);
}

struct Field {
  std::string_view name;
  std::string_view path;
  std::string_view older_path;  // of older drivers; may be empty
  Convert convert;
};

constexpr Field kFields[] = {
    {"gpu.name", "Product Name", "", as_text},
    {"gpu.uuid", "GPU UUID", "", as_text},
    {"gpu.serial", "Serial Number", "", as_text},
    {"gpu.vbios", "VBIOS Version", "", as_text},
    {"gpu.memory-total", "FB Memory Usage/Total", "", as_bytes},
    {"gpu.ecc-mode", "ECC Mode/Current", "Ecc Mode/Current", as_lower},
    {"gpu.remapped-rows-correctable", "Remapped Rows/Correctable Error", "", as_count},
    {"gpu.remapped-rows-uncorrectable", "Remapped Rows/Uncorrectable Error", "", as_count},
    {"gpu.remap-pending", "Remapped Rows/Pending", "", as_flag},
    {"gpu.remap-failed", "Remapped Rows/Remapping Failure Occurred", "", as_flag},
    {"gpu.retired-pages-pending", "Retired Pages/Pending Page Blacklist", "Retired Pages/Pending", as_flag},
    {"gpu.sram-threshold-exceeded", "ECC Errors/Aggregate/SRAM Threshold Exceeded", "", as_flag},
    {"gpu.persistence-mode", "Persistence Mode", "", as_flag},
    {"gpu.compute-mode", "Compute Mode", "", as_compute_mode},
    {"gpu.mig-mode", "MIG Mode/Current", "", as_flag},
    {"gpu.virtualization", "GPU Virtualization Mode/Virtualization Mode", "", as_virtualization},
    {"gpu.clock-sm", "Clocks/SM", "", as_megahertz},
    {"gpu.clock-sm-max", "Max Clocks/SM", "", as_most_megahertz},
    {"gpu.clock-memory", "Clocks/Memory", "", as_megahertz},
    {"gpu.clock-memory-max", "Max Clocks/Memory", "", as_most_megahertz},
    {"gpu.temperature", "Temperature/GPU Current Temp", "", as_celsius},
    {"gpu.power", "GPU Power Readings/Power Draw", "Power Readings/Power Draw", as_watts},
    {"gpu.power-limit", "GPU Power Readings/Current Power Limit", "Power Readings/Power Limit", as_most_watts},
    {"gpu.power-limit-default", "GPU Power Readings/Default Power Limit", "Power Readings/Default Power Limit",
     as_most_watts},
    {"gpu.utilization", "Utilization/Gpu", "Utilization/GPU", as_percent},
    {"gpu.pcie-generation", "PCI/GPU Link Info/PCIe Generation/Current", "", as_count},
    {"gpu.pcie-generation-max", "PCI/GPU Link Info/PCIe Generation/Max", "", as_count},
    {"gpu.pcie-width", "PCI/GPU Link Info/Link Width/Current", "", as_lanes},
    {"gpu.pcie-width-max", "PCI/GPU Link Info/Link Width/Max", "", as_lanes},
    {"gpu.pcie-replays", "PCI/Replays Since Reset", "PCI/Replays since reset", as_count},
};

Seen<Value> read_field(const SmiSection& values, const Field& field) {
  const bool older = !field.older_path.empty() && !values.contains(field.path);
  const auto path = older ? field.older_path : field.path;
  return smi_value(values, path).and_then([&](const std::string& text) -> Seen<Value> {
    if (auto value = field.convert(text)) return std::move(*value);
    return unseen(Absence::malformed, fmt::format("nvidia-smi says \"{}\" for {}", text, path));
  });
}

// The sum of counters; every one of them must be there.
Seen<std::int64_t> sum(const SmiSection& values, const std::vector<std::string>& paths) {
  std::int64_t total = 0;
  for (const std::string& path : paths) {
    const auto text = smi_value(values, path);
    if (!text) return tl::unexpected(text.error());
    const auto count = counted(*text, "");
    if (!count || *count > kMostCounted - total)
      return unseen(Absence::malformed, fmt::format("nvidia-smi says \"{}\" for {}", *text, path));
    total += *count;
  }
  return total;
}

// The layout of ECC counters changed twice: by bits (before Turing), by kind, and with SRAM's kinds apart (since 535).
std::vector<std::string> ecc_paths(const SmiSection& values, const std::string& span, bool uncorrected) {
  const std::string base = "ECC Errors/" + span;
  if (values.contains(base + "/Single Bit")) return {base + (uncorrected ? "/Double Bit/Total" : "/Single Bit/Total")};
  if (!uncorrected) return {base + "/SRAM Correctable", base + "/DRAM Correctable"};
  if (values.contains(base + "/SRAM Uncorrectable Parity"))
    return {base + "/SRAM Uncorrectable Parity", base + "/SRAM Uncorrectable SEC-DED", base + "/DRAM Uncorrectable"};
  return {base + "/SRAM Uncorrectable", base + "/DRAM Uncorrectable"};
}

void say_ecc(const SmiSection& values, Card& card, std::string_view from) {
  card.say("gpu.ecc-corrected-volatile", sum(values, ecc_paths(values, "Volatile", false)), from);
  card.say("gpu.ecc-uncorrected-volatile", sum(values, ecc_paths(values, "Volatile", true)), from);
  card.say("gpu.ecc-corrected-aggregate", sum(values, ecc_paths(values, "Aggregate", false)), from);
  auto paths = ecc_paths(values, "Aggregate", true);
  card.say("gpu.ecc-uncorrected-aggregate", sum(values, paths), from);
  const bool apart = paths.size() > 1;
  paths.pop_back();
  card.say("gpu.sram-uncorrected-aggregate",
           apart ? sum(values, paths) : unseen(Absence::unsupported, "this layout doesn't keep SRAM's errors apart"),
           from);
}

// Completed tells how it ended in a line of its own.
Seen<std::string> fabric_state(const SmiSection& values) {
  const auto state = smi_value(values, "Fabric/State");
  if (!state) return state;
  std::string word = text::lower(*state);
  std::replace(word.begin(), word.end(), ' ', '-');
  if (word != "completed") return word;
  const auto status = smi_value(values, "Fabric/Status");
  if (!status) return tl::unexpected(status.error());
  return *status == "Success" ? word : word + " with error: " + *status;
}

struct Reason {
  std::string_view line;
  const char* name;
};

constexpr Reason kReasons[] = {
    {"Idle", "gpu-idle"},
    {"Applications Clocks Setting", "application-clocks"},
    {"SW Power Cap", "sw-power-cap"},
    {"HW Slowdown", "hw-slowdown"},
    {"HW Slowdown/HW Thermal Slowdown", "hw-thermal-slowdown"},
    {"HW Slowdown/HW Power Brake Slowdown", "hw-power-brake"},
    {"Sync Boost", "sync-boost"},
    {"SW Thermal Slowdown", "sw-thermal-slowdown"},
    {"Display Clock Setting", "display-clock"},
};

Seen<TextList> throttle_reasons(const SmiSection& values) {
  const std::string base =
      values.contains("Clocks Event Reasons") ? "Clocks Event Reasons/" : "Clocks Throttle Reasons/";
  TextList active;
  for (const Reason& reason : kReasons) {
    const auto state = smi_value(values, base + std::string(reason.line));
    if (!state) return tl::unexpected(state.error());
    if (*state == "Active") {
      active.emplace_back(reason.name);
    } else if (*state != "Not Active") {
      return unseen(Absence::malformed, fmt::format("nvidia-smi says \"{}\" for {}", *state, reason.line));
    }
  }
  return active;
}

// Drivers that don't tell of resets have answered all the same.
Seen<std::string> state_of(const SmiSection& values) {
  const auto reset = smi_value(values, "GPU Reset Status/Reset Required");
  if (!reset && reset.error().reason == Absence::malformed) return tl::unexpected(reset.error());
  if (!reset || *reset == "No") return std::string("ok");
  if (*reset == "Yes") return std::string("reset-required");
  return unseen(Absence::malformed, fmt::format("nvidia-smi says \"{}\" for Reset Required", *reset));
}

void say_gpu(const SmiGpu& gpu, std::size_t index, std::string_view from, Findings& findings) {
  Card card(findings, fmt::to_string(index));
  card.see("gpu.vendor", "nvidia", from);
  card.see("gpu.pci-address", gpu.address, from);
  card.say("gpu.state", state_of(gpu.values), from);
  for (const Field& field : kFields) card.say(field.name, read_field(gpu.values, field), from);
  say_ecc(gpu.values, card, from);
  card.say("gpu.throttle-reasons", throttle_reasons(gpu.values), from);
  card.say("gpu.fabric-state", fabric_state(gpu.values), from);
  const auto processes = smi_value(gpu.values, "Processes");
  if (processes && *processes == "None") card.see("gpu.processes", std::int64_t{0}, from);
  card.rest({Absence::unsupported, "the text of nvidia-smi -q doesn't tell it"}, from);
}

}  // namespace

void say_smi(const SmiReport& report, std::string_view from, Findings& findings) {
  findings.say({}, "gpu.driver-version", smi_value(report.values, "Driver Version"), from);
  findings.say({}, "gpu.cuda-version", smi_value(report.values, "CUDA Version"), from);
  for (std::size_t index = 0; index < report.gpus.size(); ++index) say_gpu(report.gpus[index], index, from, findings);
}

}  // namespace assay::node::gpu
