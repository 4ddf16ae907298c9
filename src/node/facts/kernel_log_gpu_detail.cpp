// Detectors for GPUs and their switches.
#include <fmt/format.h>

#include <array>

#include "base/text.hpp"
#include "node/facts/kernel_log_events_detail.hpp"

namespace assay::node::kernel_log {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// "(PCI:0000:9b:00): 119, rest": the device, the number, and what is behind it.
struct Report {
  std::string device;
  std::string code;
  std::string_view rest;
};

std::optional<Report> numbered_report(std::string_view text) {
  const auto close = text.find("):");
  if (!text.starts_with('(') || close == std::string_view::npos) return std::nullopt;
  const auto inside = text.substr(1, close - 1);
  const auto device = pci_function(inside.substr(0, inside.find(' ')));
  const auto behind = text.substr(close + 2);
  const auto comma = behind.find(',');
  const auto number = text::trim(behind.substr(0, comma));
  const auto code = number.starts_with("0x") ? text::integer(number.substr(2), 16) : text::integer(number);
  if (device.empty() || !code || *code < 0) return std::nullopt;
  return Report{device, fmt::to_string(*code),
                comma == std::string_view::npos ? std::string_view() : text::trim(behind.substr(comma + 1))};
}

// "NVRM: Xid (PCI:0000:9b:00): 119, pid=…, name=…, Timeout after 6s …"
std::optional<Finding> xid(std::string_view message) {
  constexpr std::string_view kStart = "NVRM: Xid ";
  const auto start = message.find(kStart);  // "nvidia 0000:9b:00.0: " may stand before it
  if (start > 32) return std::nullopt;
  const auto report = numbered_report(message.substr(start + kStart.size()));
  if (!report) return std::nullopt;
  return Finding{"xid", report->device, report->code, has(report->rest, "Nonfatal") ? "non-fatal" : ""};
}

// "nvidia-nvswitch3: SXid (PCI:0000:08:00.0): 22013, Non-fatal, Link 60 …". Further lines of the same event hold its
// data and no severity.
std::optional<Finding> sxid(std::string_view message) {
  const auto start = message.find(": SXid ");
  if (!message.starts_with("nvidia-nvswitch") || start == std::string_view::npos) return std::nullopt;
  const auto report = numbered_report(message.substr(start + 7));
  if (!report) return std::nullopt;
  if (report->rest.starts_with("Non-fatal")) return Finding{"sxid", report->device, report->code, "non-fatal"};
  if (report->rest.starts_with("Fatal")) return Finding{"sxid", report->device, report->code, "fatal"};
  return std::nullopt;
}

// "amdgpu 0000:09:00.0: amdgpu: ring gfx timeout, signaled seq=…"
std::optional<Finding> amdgpu(std::string_view message) {
  constexpr std::string_view kStart = "amdgpu ";
  if (!message.starts_with(kStart)) return std::nullopt;
  const auto end = message.find(": ", kStart.size());
  if (end == std::string_view::npos) return std::nullopt;
  const auto device = pci_function(message.substr(kStart.size(), end - kStart.size()));
  const auto text = message.substr(end + 2);
  if (device.empty()) return std::nullopt;
  if (has(text, "ring ") && has(text, " timeout")) return Finding{"amdgpu-timeout", device, "", ""};
  if (has(text, "GPU reset begin") || has(text, "MODE1 reset") || has(text, "GPU mode1 reset"))
    return Finding{"amdgpu-reset", device, "", ""};
  if (has(text, " uncorrectable hardware errors detected in ")) return Finding{"amdgpu-ras", device, "", "uncorrected"};
  if (has(text, " new correctable hardware errors detected in ")) return Finding{"amdgpu-ras", device, "", "corrected"};
  return std::nullopt;
}

constexpr std::array<Detector, 3> kDetectors = {xid, sxid, amdgpu};

}  // namespace

std::span<const Detector> gpu_detectors() { return kDetectors; }

std::string pci_function(std::string_view text) {
  if (text.starts_with("PCI:")) text.remove_prefix(4);
  auto parts = text::split(text, ':');
  if (parts.size() != 3) return {};
  const auto dot = parts[2].find('.');
  const auto domain = text::integer(parts[0], 16);
  const auto bus = text::integer(parts[1], 16);
  const auto device = text::integer(parts[2].substr(0, dot), 16);
  const auto function =
      dot == std::string_view::npos ? std::optional<std::int64_t>(0) : text::integer(parts[2].substr(dot + 1), 16);
  if (!domain || !bus || !device || !function || *domain < 0 || *bus < 0 || *bus > 0xff || *device < 0 ||
      *device > 0x1f || *function < 0 || *function > 7)
    return {};
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", *domain, *bus, *device, *function);
}

}  // namespace assay::node::kernel_log
