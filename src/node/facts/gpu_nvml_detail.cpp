#include "node/facts/gpu_nvml_detail.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "node/facts/gpu_words_detail.hpp"

namespace assay::node::gpu {

namespace {

using nvml::Code;
using nvml::Device;
using nvml::Library;

// One GPU being asked: calls, remembers whether it turned out to be lost, and keeps the answers for the transcript.
class Asking {
 public:
  Asking(const Library& library, Device device, Card& card) : library_(library), device_(device), card_(card) {}

  template <class... Arguments>
  int call(const char* symbol, Arguments... arguments) {
    const int code = library_.call(symbol, device_, arguments...);
    if (code == Code::gpu_is_lost || code == Code::reset_required) trouble_ = code;
    log_ += fmt::format("{}: {}\n", symbol, code == Code::success ? "ok" : nvml::words_of(code));
    return code;
  }

  void say(std::string_view name, const char* symbol, int code, Value value) {
    if (code == Code::success) {
      log_ += fmt::format("  {} = {}\n", name, to_text(value));
      card_.see(name, std::move(value), symbol);
    } else {
      card_.absent(name, nvml::absent_of(code, symbol), symbol);
    }
  }

  void text(std::string_view name, const char* symbol) {
    std::array<char, 128> buffer{};
    const int code = call(symbol, buffer.data(), static_cast<unsigned>(buffer.size() - 1));
    say(name, symbol, code, std::string(buffer.data()));
  }

  void number(std::string_view name, const char* symbol) {
    unsigned value = 0;
    const int code = call(symbol, &value);
    say(name, symbol, code, static_cast<std::int64_t>(value));
  }

  void flag(std::string_view name, const char* symbol) {
    int value = 0;
    const int code = call(symbol, &value);
    say(name, symbol, code, value != 0);
  }

  // Milliwatts as watts.
  void power(std::string_view name, const char* symbol) {
    unsigned value = 0;
    const int code = call(symbol, &value);
    say(name, symbol, code, value / 1000.0);
  }

  void clock(std::string_view name, const char* symbol, nvml::ClockType type) {
    unsigned value = 0;
    const int code = call(symbol, static_cast<unsigned>(type), &value);
    say(name, symbol, code, static_cast<std::int64_t>(value));
  }

  void ecc(std::string_view name, nvml::MemoryError error, nvml::EccCounter counter) {
    constexpr const char* symbol = "nvmlDeviceGetTotalEccErrors";
    unsigned long long value = 0;
    const int code = call(symbol, static_cast<unsigned>(error), static_cast<unsigned>(counter), &value);
    say(name, symbol, code, static_cast<std::int64_t>(value));
  }

  bool has(const char* symbol) const { return library_.has(symbol); }
  int trouble() const { return trouble_; }
  const std::string& log() const { return log_; }

 private:
  const Library& library_;
  Device device_;
  Card& card_;
  int trouble_ = Code::success;
  std::string log_;
};

template <std::size_t N>
std::string name_at(const std::array<const char*, N>& names, std::size_t index) {
  return index < N && names[index] != nullptr ? names[index] : fmt::format("unknown ({})", index);
}

void ask_identity(Asking& gpu) {
  gpu.text("gpu.name", "nvmlDeviceGetName");
  gpu.text("gpu.uuid", "nvmlDeviceGetUUID");
  gpu.text("gpu.serial", "nvmlDeviceGetSerial");
  gpu.text("gpu.vbios", "nvmlDeviceGetVbiosVersion");
  nvml::PciInfo pci{};
  const int code = gpu.call("nvmlDeviceGetPciInfo_v3", &pci);
  gpu.say("gpu.pci-address", "nvmlDeviceGetPciInfo_v3", code,
          fmt::format("{:04x}:{:02x}:{:02x}.0", pci.domain, pci.bus, pci.device));
}

void ask_memory(Asking& gpu) {
  nvml::Memory memory{};
  int code = gpu.call("nvmlDeviceGetMemoryInfo", &memory);
  gpu.say("gpu.memory-total", "nvmlDeviceGetMemoryInfo", code, static_cast<std::int64_t>(memory.total));

  int now = 0, pending = 0;
  code = gpu.call("nvmlDeviceGetEccMode", &now, &pending);
  gpu.say("gpu.ecc-mode", "nvmlDeviceGetEccMode", code, now != 0 ? "enabled" : "disabled");
  gpu.ecc("gpu.ecc-corrected-volatile", nvml::corrected, nvml::volatile_count);
  gpu.ecc("gpu.ecc-uncorrected-volatile", nvml::uncorrected, nvml::volatile_count);
  gpu.ecc("gpu.ecc-corrected-aggregate", nvml::corrected, nvml::aggregate_count);
  gpu.ecc("gpu.ecc-uncorrected-aggregate", nvml::uncorrected, nvml::aggregate_count);

  constexpr const char* kSram = "nvmlDeviceGetSramEccErrorStatus";
  nvml::SramErrors sram{};
  sram.version = nvml::versioned<nvml::SramErrors>(1);
  code = gpu.call(kSram, &sram);
  gpu.say("gpu.sram-uncorrected-aggregate", kSram, code,
          static_cast<std::int64_t>(sram.aggregate_parity + sram.aggregate_sec_ded));
  gpu.say("gpu.sram-threshold-exceeded", kSram, code, sram.threshold_exceeded != 0);

  constexpr const char* kRows = "nvmlDeviceGetRemappedRows";
  unsigned correctable = 0, uncorrectable = 0, waiting = 0, failed = 0;
  code = gpu.call(kRows, &correctable, &uncorrectable, &waiting, &failed);
  gpu.say("gpu.remapped-rows-correctable", kRows, code, static_cast<std::int64_t>(correctable));
  gpu.say("gpu.remapped-rows-uncorrectable", kRows, code, static_cast<std::int64_t>(uncorrectable));
  gpu.say("gpu.remap-pending", kRows, code, waiting != 0);
  gpu.say("gpu.remap-failed", kRows, code, failed != 0);
  gpu.flag("gpu.retired-pages-pending", "nvmlDeviceGetRetiredPagesPendingStatus");
}

void ask_modes(Asking& gpu) {
  gpu.flag("gpu.persistence-mode", "nvmlDeviceGetPersistenceMode");
  unsigned mode = 0, pending = 0;
  int code = gpu.call("nvmlDeviceGetComputeMode", &mode);
  constexpr std::array<const char*, 4> kComputeModes = {"default", nullptr, "prohibited", "exclusive-process"};
  gpu.say("gpu.compute-mode", "nvmlDeviceGetComputeMode", code, name_at(kComputeModes, mode));
  mode = 0;
  code = gpu.call("nvmlDeviceGetMigMode", &mode, &pending);
  gpu.say("gpu.mig-mode", "nvmlDeviceGetMigMode", code, mode != 0);
  mode = 0;
  code = gpu.call("nvmlDeviceGetVirtualizationMode", &mode);
  constexpr std::array<const char*, 5> kVirtualizations = {"none", "passthrough", "vgpu", "host-vgpu", "host-vsga"};
  gpu.say("gpu.virtualization", "nvmlDeviceGetVirtualizationMode", code, name_at(kVirtualizations, mode));
}

void ask_clocks(Asking& gpu) {
  gpu.clock("gpu.clock-sm", "nvmlDeviceGetClockInfo", nvml::clock_sm);
  gpu.clock("gpu.clock-sm-max", "nvmlDeviceGetMaxClockInfo", nvml::clock_sm);
  gpu.clock("gpu.clock-memory", "nvmlDeviceGetClockInfo", nvml::clock_memory);
  gpu.clock("gpu.clock-memory-max", "nvmlDeviceGetMaxClockInfo", nvml::clock_memory);
  // Named anew in driver 535; older drivers have the older name alone.
  constexpr const char* kNew = "nvmlDeviceGetCurrentClocksEventReasons";
  constexpr const char* kOld = "nvmlDeviceGetCurrentClocksThrottleReasons";
  const char* reasons = gpu.has(kNew) ? kNew : kOld;
  unsigned long long bits = 0;
  const int code = gpu.call(reasons, &bits);
  gpu.say("gpu.throttle-reasons", reasons, code, throttle_names(bits));
}

void ask_load(Asking& gpu) {
  unsigned celsius = 0;
  int code = gpu.call("nvmlDeviceGetTemperature", static_cast<unsigned>(nvml::sensor_gpu), &celsius);
  gpu.say("gpu.temperature", "nvmlDeviceGetTemperature", code, static_cast<std::int64_t>(celsius));
  gpu.power("gpu.power", "nvmlDeviceGetPowerUsage");
  gpu.power("gpu.power-limit", "nvmlDeviceGetEnforcedPowerLimit");
  gpu.power("gpu.power-limit-default", "nvmlDeviceGetPowerManagementDefaultLimit");
  nvml::Utilization utilization{};
  code = gpu.call("nvmlDeviceGetUtilizationRates", &utilization);
  gpu.say("gpu.utilization", "nvmlDeviceGetUtilizationRates", code, static_cast<std::int64_t>(utilization.gpu));
  // Asked for no entries, it tells their number: in `processes` and by the code if there are any.
  constexpr const char* kProcesses = "nvmlDeviceGetComputeRunningProcesses_v3";
  unsigned processes = 0;
  code = gpu.call(kProcesses, &processes, static_cast<nvml::ProcessInfo*>(nullptr));
  if (code == Code::insufficient_size) code = Code::success;
  gpu.say("gpu.processes", kProcesses, code, static_cast<std::int64_t>(processes));
}

void ask_pcie(Asking& gpu) {
  gpu.number("gpu.pcie-generation", "nvmlDeviceGetCurrPcieLinkGeneration");
  gpu.number("gpu.pcie-generation-max", "nvmlDeviceGetMaxPcieLinkGeneration");
  gpu.number("gpu.pcie-width", "nvmlDeviceGetCurrPcieLinkWidth");
  gpu.number("gpu.pcie-width-max", "nvmlDeviceGetMaxPcieLinkWidth");
  gpu.number("gpu.pcie-replays", "nvmlDeviceGetPcieReplayCounter");
}

std::string link_version(unsigned version) {
  constexpr std::array<const char*, 9> kVersions = {nullptr, "1.0", "2.0", "2.2", "3.0", "3.1", "4.0", "5.0", "6.0"};
  return name_at(kVersions, version);
}

// A counter summed over links; one link that doesn't tell leaves the sum open. `code` is success if there are links.
void ask_link_errors(Asking& gpu, std::string_view name, const std::vector<unsigned>& links, int code,
                     std::initializer_list<nvml::LinkCounter> counters) {
  constexpr const char* kErrors = "nvmlDeviceGetNvLinkErrorCounter";
  unsigned long long sum = 0;
  for (const unsigned link : links) {
    for (const nvml::LinkCounter counter : counters) {
      unsigned long long value = 0;
      if (code == Code::success) code = gpu.call(kErrors, link, static_cast<unsigned>(counter), &value);
      sum += value;
    }
  }
  gpu.say(name, kErrors, code, static_cast<std::int64_t>(sum));
}

void ask_links(Asking& gpu) {
  constexpr const char* kState = "nvmlDeviceGetNvLinkState";
  constexpr const char* kVersion = "nvmlDeviceGetNvLinkVersion";
  TextList states, versions;
  std::vector<unsigned> active_links;
  int first = Code::success;
  for (unsigned link = 0; link < nvml::kMostLinks; ++link) {
    int active = 0;
    const int code = gpu.call(kState, link, &active);
    if (link == 0) first = code;
    // How many links a GPU has is told by the first that it doesn't know.
    if (code == Code::invalid_argument || code == Code::not_supported || code == Code::function_not_found) break;
    states.push_back(code != Code::success ? "unreadable: " + nvml::words_of(code)
                     : active != 0         ? "active"
                                           : "inactive");
    if (code == Code::success && active != 0) active_links.push_back(link);
    unsigned version = 0;
    const int version_code = gpu.call(kVersion, link, &version);
    versions.push_back(version_code == Code::success ? link_version(version) : "unreadable");
  }
  if (!states.empty()) first = Code::success;
  gpu.say("gpu.nvlink-states", kState, first, states);
  gpu.say("gpu.nvlink-versions", kVersion, first, versions);
  const int counting = first == Code::success && active_links.empty() ? Code::no_data : first;
  ask_link_errors(gpu, "gpu.nvlink-replays", active_links, counting, {nvml::link_replay});
  ask_link_errors(gpu, "gpu.nvlink-recoveries", active_links, counting, {nvml::link_recovery});
  ask_link_errors(gpu, "gpu.nvlink-crc-errors", active_links, counting, {nvml::link_crc_flit, nvml::link_crc_data});
}

void ask_fabric(Asking& gpu) {
  constexpr const char* kFabric = "nvmlDeviceGetGpuFabricInfoV";
  nvml::FabricInfo fabric{};
  fabric.version = nvml::versioned<nvml::FabricInfo>(2);
  const int code = gpu.call(kFabric, &fabric);
  constexpr std::array<const char*, 4> kStates = {"not-supported", "not-started", "in-progress", "completed"};
  std::string state = name_at(kStates, fabric.state);
  if (state == "completed" && fabric.status != Code::success) state += " with error: " + nvml::words_of(fabric.status);
  gpu.say("gpu.fabric-state", kFabric, code, state);
}

// What became of it, by the way in which it answered.
void say_state(Card& card, int trouble) {
  constexpr const char* kFrom = "NVML's answers";
  if (trouble == Code::gpu_is_lost) {
    card.see("gpu.state", "lost", kFrom);
  } else if (trouble == Code::reset_required) {
    card.see("gpu.state", "reset-required", kFrom);
  } else if (trouble != Code::success) {
    card.absent("gpu.state", nvml::absent_of(trouble, "nvmlDeviceGetHandleByIndex_v2"), kFrom);
  } else {
    card.see("gpu.state", "ok", kFrom);
  }
}

std::string cuda_words(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

TextList throttle_names(unsigned long long bits) {
  constexpr std::array<const char*, 11> kNames = {
      "gpu-idle",      "application-clocks",  "sw-power-cap",        "hw-slowdown",
      "sync-boost",    "sw-thermal-slowdown", "hw-thermal-slowdown", "hw-power-brake",
      "display-clock", "board-limit",         "reliability-limit"};
  TextList names;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    names.push_back(bit < kNames.size() ? kNames[bit] : fmt::format("bit-{:#x}", 1ULL << bit));
  }
  return names;
}

void say_nvml_system(const Library& library, Host& host, Findings& findings) {
  std::string log;
  const auto text = [&](std::string_view name, const char* symbol) {
    std::array<char, 96> buffer{};
    const int code = library.call(symbol, buffer.data(), static_cast<unsigned>(buffer.size() - 1));
    log += fmt::format("{}: {}\n", symbol, code == Code::success ? buffer.data() : nvml::words_of(code));
    if (code == Code::success) {
      findings.see({}, name, std::string(buffer.data()), symbol);
    } else {
      findings.absent({}, name, nvml::absent_of(code, symbol), symbol);
    }
  };
  text("gpu.driver-version", "nvmlSystemGetDriverVersion");
  text("gpu.nvml-version", "nvmlSystemGetNVMLVersion");
  constexpr const char* kCuda = "nvmlSystemGetCudaDriverVersion_v2";
  int cuda = 0;
  const int code = library.call(kCuda, &cuda);
  log += fmt::format("{}: {}\n", kCuda, code == Code::success ? fmt::to_string(cuda) : nvml::words_of(code));
  if (code == Code::success) {
    findings.see({}, "gpu.cuda-version", cuda_words(cuda), kCuda);
  } else {
    findings.absent({}, "gpu.cuda-version", nvml::absent_of(code, kCuda), kCuda);
  }
  findings.see({}, "nvml.stand-in", library.has("assayLabStandIn"), "libnvidia-ml.so.1");
  host.note("answers of libnvidia-ml.so.1", log);
}

Seen<std::int64_t> nvml_count(const Library& library) {
  unsigned count = 0;
  const int code = library.call("nvmlDeviceGetCount_v2", &count);
  if (code != Code::success) return tl::unexpected(nvml::absent_of(code, "nvmlDeviceGetCount_v2"));
  return static_cast<std::int64_t>(count);
}

void say_nvml_gpu(const Library& library, unsigned index, Host& host, Findings& findings) {
  constexpr const char* kHandle = "nvmlDeviceGetHandleByIndex_v2";
  Card card(findings, fmt::to_string(index));
  card.see("gpu.vendor", "nvidia", kHandle);
  Device device = nullptr;
  const int code = library.call(kHandle, index, &device);
  if (code != Code::success) {
    say_state(card, code);
    card.rest(nvml::absent_of(code, kHandle), kHandle);
    host.note(fmt::format("answers of libnvidia-ml.so.1 for GPU {}", index),
              fmt::format("{}: {}\n", kHandle, nvml::words_of(code)));
    return;
  }
  Asking gpu(library, device, card);
  ask_identity(gpu);
  ask_memory(gpu);
  ask_modes(gpu);
  ask_clocks(gpu);
  ask_load(gpu);
  ask_pcie(gpu);
  ask_links(gpu);
  ask_fabric(gpu);
  say_state(card, gpu.trouble());
  host.note(fmt::format("answers of libnvidia-ml.so.1 for GPU {}", index), gpu.log());
}

}  // namespace assay::node::gpu
