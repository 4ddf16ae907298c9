#include "node/facts/nvidia_smi_detail.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace assay::node::gpu {

namespace {

constexpr std::size_t kStep = 4;     // blanks of indentation a level
constexpr std::size_t kDeepest = 8;  // levels

tl::unexpected<Absent> refuse(std::string detail) {
  return unseen(Absence::malformed, "nvidia-smi -q: " + text::to_utf8(detail, 300));
}

// "00000000:3B:00.0" as sysfs writes it, "0000:3b:00.0"; empty if it is none.
std::string sysfs_address(std::string_view bus_id) {
  const auto parts = text::split(bus_id, ':');
  if (parts.size() != 3) return {};
  const auto domain = text::integer(parts[0], 16);
  const auto bus = text::integer(parts[1], 16);
  const auto dot = parts[2].find('.');
  if (!domain || !bus || dot == std::string_view::npos) return {};
  const auto device = text::integer(parts[2].substr(0, dot), 16);
  const auto function = text::integer(parts[2].substr(dot + 1), 16);
  if (!device || !function) return {};
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", *domain, *bus, *device, *function);
}

// Reads lines into the section they belong to, keeping the headings above each by their indentation.
class Scanner {
 public:
  Seen<void> take(std::string_view line) {
    const auto indent = line.find_first_not_of(' ');
    if (indent == std::string_view::npos || line.starts_with("==")) return {};
    const auto body = text::trim(line);
    if (indent == 0) return take_outer(body);
    if (report.gpus.empty()) return refuse(fmt::format("\"{}\" before any GPU", body));
    if (indent % kStep != 0 || indent / kStep > headings_.size() + 1 || indent / kStep > kDeepest)
      return refuse(fmt::format("\"{}\" is indented by {}", body, indent));
    headings_.resize(indent / kStep - 1);
    store(report.gpus.back().values, body);
    return {};
  }

  SmiReport report;

 private:
  Seen<void> take_outer(std::string_view body) {
    headings_.clear();
    if (body.starts_with("GPU ")) {
      const std::string address = sysfs_address(body.substr(4));
      if (address.empty()) return refuse(fmt::format("\"{}\" is no GPU's heading", body));
      report.gpus.push_back({address, {}});
      return {};
    }
    if (!text::starts_with_any(body, {"Timestamp", "Driver Version", "CUDA Version", "Attached GPUs", "HIC Info"}))
      return refuse(fmt::format("\"{}\" where a GPU was expected", body));
    store(report.values, body);
    headings_.clear();
    return {};
  }

  void store(SmiSection& section, std::string_view body) {
    const auto colon = body.find(" :");
    std::string path;
    for (const std::string& heading : headings_) path += heading + "/";
    const std::string key(text::trim(body.substr(0, colon)));
    const std::string value(colon == std::string_view::npos ? "" : text::trim(body.substr(colon + 2)));
    section.emplace(path + key, value);
    headings_.push_back(key);
  }

  std::vector<std::string> headings_;
};

Seen<void> whole(const SmiReport& report) {
  const auto attached = report.values.find("Attached GPUs");
  if (attached == report.values.end()) return refuse("no \"Attached GPUs\" line");
  const auto count = text::integer(attached->second);
  if (!count || *count < 0) return refuse(fmt::format("\"{}\" attached GPUs", attached->second));
  if (static_cast<std::size_t>(*count) != report.gpus.size())
    return refuse(fmt::format("says that {} GPUs are attached, but holds {}", *count, report.gpus.size()));
  for (const SmiGpu& gpu : report.gpus)
    if (!gpu.values.contains("Processes"))
      return refuse(fmt::format("the section of GPU {} is cut off or partial: it has no \"Processes\"", gpu.address));
  return {};
}

}  // namespace

Seen<SmiReport> parse_smi(std::string_view text) {
  if (text::trim(text).empty()) return refuse("empty");
  if (text.find("NVSMI LOG") == std::string_view::npos) {
    const auto lines = text::lines(text::trim(text));
    return refuse(fmt::format("no NVSMI LOG but \"{}\"", lines.front()));
  }
  Scanner scanner;
  for (const std::string_view line : text::lines(text))
    if (auto taken = scanner.take(line); !taken) return tl::unexpected(taken.error());
  if (auto complete = whole(scanner.report); !complete) return tl::unexpected(complete.error());
  return std::move(scanner.report);
}

Seen<std::string> smi_value(const SmiSection& section, std::string_view path) {
  const auto found = section.find(path);
  if (found == section.end()) return unseen(Absence::unsupported, fmt::format("nvidia-smi -q has no {}", path));
  std::string_view value = found->second;
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
  const auto said = fmt::format("nvidia-smi says \"{}\" for {}", found->second, path);
  if (value == "N/A" || value == "Not Supported" || value == "Requested functionality has been deprecated" ||
      value == "Function Not Found")
    return unseen(Absence::unsupported, said);
  if (value == "Insufficient Permissions") return unseen(Absence::permission, said);
  if (value.empty() || value == "ERR!" || value == "GPU is lost" || value == "GPU requires reset" ||
      value.find("Error") != std::string_view::npos)
    return unseen(Absence::malformed, said);
  return found->second;
}

}  // namespace assay::node::gpu
