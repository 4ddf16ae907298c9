// Detectors for the machine itself: PCIe errors, machine checks, memory, stuck processors.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "node/facts/kernel_log_events_detail.hpp"

namespace assay::node::kernel_log {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// "nvme 0000:02:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)"
std::optional<Finding> aer(std::string_view message) {
  const auto at = message.find(": PCIe Bus Error: severity=");
  if (at == std::string_view::npos) return std::nullopt;
  const auto before = message.substr(0, at);
  const auto device =
      pci_function(before.substr(before.rfind(' ') == std::string_view::npos ? 0 : before.rfind(' ') + 1));
  const auto rest = message.substr(at + 27);
  const auto severity = pcie_severity(rest.substr(0, rest.find(',')));
  if (device.empty()) return std::nullopt;
  return Finding{"aer", device, "", severity};
}

// "mce: [Hardware Error]: CPU 2: Machine Check: 0 Bank 8: 9c0000…": bit 61 of the bank's status is "uncorrected".
std::optional<Finding> mce_bank(std::string_view message) {
  const auto bank = message.find(" Bank ");
  if (!message.starts_with("mce: [Hardware Error]: CPU ") || !has(message, "Machine Check") ||
      bank == std::string_view::npos)
    return std::nullopt;
  const auto words = text::words(message.substr(bank + 6));
  if (words.size() < 2 || words[1].size() != 16) return std::nullopt;
  const auto high = text::integer(words[1].substr(0, 8), 16);
  if (!high) return std::nullopt;
  const bool uncorrected = (*high >> 29 & 1) != 0;
  return Finding{"mce", fmt::format("bank{}", words[0].substr(0, words[0].find(':'))), "",
                 uncorrected ? "uncorrected" : "corrected"};
}

// "EDAC MC0: 1 CE memory read error on …", "EDAC MC2: 1 UE …"
std::optional<Finding> edac(std::string_view message) {
  const auto words = text::words(message);
  constexpr std::int64_t kMost = 1'000'000'000;  // no counter of a memory controller holds more
  const auto times = words.size() < 4 ? std::nullopt : text::integer(words[2]);
  if (!times || words[0] != "EDAC" || !words[1].starts_with("MC")) return std::nullopt;
  const std::string device = text::lower(words[1].substr(0, words[1].find(':')));
  const std::int64_t counted = std::clamp<std::int64_t>(*times, 1, kMost);
  if (words[3] == "CE") return Finding{"mce", device, "", "corrected", counted};
  if (words[3] == "UE") return Finding{"mce", device, "", "uncorrected", counted};
  return std::nullopt;
}

// The words for severities in the firmware's records (UEFI's common platform error record).
std::string firmware_severity(std::string_view words) {
  if (words.starts_with("corrected")) return "corrected";
  if (words.starts_with("info")) return "informational";
  return text::starts_with_any(words, {"fatal", "recoverable"}) ? "uncorrected" : "unstated";
}

// What the firmware, the decoder and the page allocator say in words.
std::optional<Finding> mce_words(std::string_view message) {
  if (message.starts_with("Memory failure: 0x") && has(message, "recovery action for"))
    return Finding{"mce", "memory", "", "uncorrected"};
  const auto mark = message.find("[Hardware Error]: ");
  // amdgpu's own records carry the same mark behind the device's name.
  if (mark == std::string_view::npos || mark > 8) return std::nullopt;
  const auto text = message.substr(mark + 18);
  constexpr std::string_view kFirmware = "event severity: ";
  if (text.starts_with(kFirmware))
    return Finding{"mce", "firmware-record", "", firmware_severity(text.substr(kFirmware.size()))};
  if (text.starts_with("Corrected error")) return Finding{"mce", "decoded", "", "corrected"};
  if (text::starts_with_any(text, {"Uncorrected", "Deferred error", "System Fatal error"}))
    return Finding{"mce", "decoded", "", "uncorrected"};
  // Said of every polled event; what it was is in lines that may be elsewhere (mcelog, rasdaemon).
  if (text.starts_with("Machine check events logged")) return Finding{"mce", "logged", "", "unknown"};
  return std::nullopt;
}

std::optional<Finding> oom(std::string_view message) {
  const bool cgroup = message.starts_with("Memory cgroup out of memory: ");
  if (!cgroup && !message.starts_with("Out of memory: ")) return std::nullopt;
  if (!has(message, "Killed process ") && !has(message, "Kill process ")) return std::nullopt;
  return Finding{"oom", "", "", cgroup ? "cgroup" : "host"};
}

// "CPU#18" or "cpu 3" in a message, as "cpu18".
std::string processor(std::string_view message, std::string_view mark) {
  const auto at = message.find(mark);
  if (at == std::string_view::npos) return {};
  const auto digits = message.substr(at + mark.size());
  return "cpu" + std::string(digits.substr(0, digits.find_first_not_of("0123456789")));
}

std::optional<Finding> stuck(std::string_view message) {
  if (message.starts_with("INFO: task ") && has(message, " blocked for more than "))
    return Finding{"hung-task", "", "", ""};
  if (has(message, "BUG: soft lockup - CPU#")) return Finding{"soft-lockup", processor(message, "CPU#"), "", ""};
  if (has(message, "Watchdog detected hard LOCKUP on cpu "))
    return Finding{"hard-lockup", processor(message, "on cpu "), "", ""};
  if (message.starts_with("Kernel panic - not syncing: ")) return Finding{"panic", "", "", ""};
  if (text::starts_with_any(message, {"BUG: kernel NULL pointer dereference", "BUG: unable to handle "}))
    return Finding{"oops", "", "", ""};
  return std::nullopt;
}

constexpr std::array<Detector, 6> kDetectors = {aer, mce_bank, edac, mce_words, oom, stuck};

}  // namespace

// The kernel's words; they were renamed in 6.10.
std::string pcie_severity(std::string_view text) {
  if (has(text, "Non-Fatal")) return "non-fatal";
  if (has(text, "Fatal")) return "fatal";
  if (has(text, "Uncorrect")) return "uncorrected";
  return has(text, "Correct") ? "corrected" : "unknown";
}

std::span<const Detector> machine_detectors() { return kDetectors; }

}  // namespace assay::node::kernel_log
