// Detectors for what is attached: NVMe, file systems, mlx5, Lustre.
#include <array>

#include "base/text.hpp"
#include "node/facts/kernel_log_events_detail.hpp"

namespace assay::node::kernel_log {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The word after `mark`, up to any of `ends`.
std::string word_after(std::string_view text, std::string_view mark, std::string_view ends) {
  const auto at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const auto rest = text.substr(at + mark.size());
  return std::string(rest.substr(0, rest.find_first_of(ends)));
}

// "nvme nvme4: I/O tag 22 (2016) opcode 0x2 (Admin Cmd) QID 0 timeout, reset controller"
std::optional<Finding> nvme(std::string_view message) {
  if (!message.starts_with("nvme nvme")) return std::nullopt;
  const std::string device = word_after(message, "nvme ", ":");
  if (has(message, ": Removing after probe failure") || has(message, ": Disabling device after reset failure"))
    return Finding{"nvme-removed", device, "", ""};
  if (has(message, " timeout, reset controller") || has(message, "controller is down; will reset") ||
      has(message, "Device not ready; aborting reset"))
    return Finding{"nvme-reset", device, "", ""};
  return std::nullopt;
}

std::optional<Finding> block(std::string_view message) {
  if (message.starts_with("block ") && has(message, ": no available path - failing I/O"))
    return Finding{"block-error", word_after(message, "block ", ":"), "", ""};
  if (has(message, "I/O error, dev ") && has(message, ", sector "))
    return Finding{"block-error", word_after(message, "I/O error, dev ", ","), "", ""};
  if (message.starts_with("Buffer I/O error on dev "))
    return Finding{"block-error", word_after(message, "on dev ", ","), "", ""};
  return std::nullopt;
}

std::optional<Finding> filesystem(std::string_view message) {
  const bool ext4 = message.starts_with("EXT4-fs ") && (has(message, "Remounting filesystem read-only") ||
                                                        has(message, "I/O error") || has(message, "EXT4-fs error"));
  const bool xfs = message.starts_with("XFS (") &&
                   (has(message, "log I/O error") || has(message, "Corruption") || has(message, "Shutting down"));
  if (!ext4 && !xfs) return std::nullopt;
  return Finding{"filesystem-error", word_after(message, "(", ")"), "", ""};
}

// "mlx5_core 0000:0d:00.0: poll_health:801:(pid 0): device's health compromised - reached miss count"
std::optional<Finding> mlx5(std::string_view message) {
  if (!message.starts_with("mlx5_core ")) return std::nullopt;
  const auto end = message.find(": ", 10);
  const auto device = pci_function(message.substr(10, end == std::string_view::npos ? 0 : end - 10));
  if (device.empty()) return std::nullopt;
  if (has(message, "health compromised") || has(message, "Health issue observed"))
    return Finding{"mlx5-health", device, "", ""};
  if (has(message, " timeout. Will cause a leak of a command resource"))
    return Finding{"mlx5-command-timeout", device, "", ""};
  return std::nullopt;
}

std::optional<Finding> lustre(std::string_view message) {
  if (!text::starts_with_any(message, {"LustreError: ", "Lustre: "})) return std::nullopt;
  if (has(message, "was evicted by") || has(message, "evicting client")) return Finding{"lustre-eviction", "", "", ""};
  if (message.starts_with("LustreError: ") || (has(message, ": Connection to ") && has(message, " was lost")))
    return Finding{"lustre-error", "", "", ""};
  return std::nullopt;
}

constexpr std::array<Detector, 5> kDetectors = {nvme, block, filesystem, mlx5, lustre};

}  // namespace

std::span<const Detector> device_detectors() { return kDetectors; }

}  // namespace assay::node::kernel_log
