// GPUs: what the PCI bus shows, what the kernel module says of itself, and what the driver answers for each of them.
// NVIDIA's library is asked first; nvidia-smi's text only where there is no such library, or where a folder tree holds
// one. AMD's are read from sysfs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "node/facts/gpu_amd_detail.hpp"
#include "node/facts/gpu_nvml_detail.hpp"
#include "node/facts/gpu_pci_detail.hpp"
#include "node/facts/gpu_words_detail.hpp"
#include "node/facts/nvidia_module_detail.hpp"
#include "node/facts/nvidia_smi_detail.hpp"

namespace assay::node::facts {

namespace {

using gpu::PciGpu;

constexpr const char* kVersionFile = "/proc/driver/nvidia/version";
constexpr const char* kParameterFile = "/proc/driver/nvidia/params";
constexpr const char* kPci = "/sys/bus/pci/devices";
constexpr unsigned kMostGpus = 64;

void say_pci(const Seen<std::vector<PciGpu>>& gpus, Findings& findings) {
  if (!gpus) {
    for (const char* name : {"gpu.pci-count", "gpu.pci-addresses", "gpu.pci-drivers"})
      findings.absent({}, name, gpus.error(), kPci);
    return;
  }
  TextList addresses, drivers;
  for (const PciGpu& each : *gpus) {
    addresses.push_back(each.address);
    drivers.push_back(each.address + "=" + (each.driver.empty() ? "none" : each.driver));
  }
  findings.see({}, "gpu.pci-count", static_cast<std::int64_t>(gpus->size()), kPci);
  findings.see({}, "gpu.pci-addresses", addresses, kPci);
  findings.see({}, "gpu.pci-drivers", drivers, kPci);
}

// The module's version, for a driver whose library doesn't answer.
Seen<std::string> say_module(Host& host, Findings& findings) {
  const auto module = host.text(kVersionFile).and_then(gpu::parse_module);
  const auto version = module.map([](const gpu::Module& m) { return m.version; });
  findings.say({}, "gpu.module-version", version, kVersionFile);
  findings.say({}, "gpu.module-flavor",
               module.map([](const gpu::Module& m) { return std::string(m.open ? "open" : "closed"); }), kVersionFile);
  const auto admin_only = host.text(kParameterFile).and_then([](const std::string& text) {
    return gpu::parse_parameter(text, "RmProfilingAdminOnly");
  });
  findings.say({}, "gpu.profiling-admin-only", admin_only, kParameterFile);
  return version;
}

// Of NVIDIA's module, or of AMD's where it isn't the kernel's own.
void say_unanswered(Host& host, const Absent& why, const Seen<std::string>& module_version, Findings& findings) {
  const auto amd_version = host.line("/sys/module/amdgpu/version");
  findings.say({}, "gpu.driver-version", module_version || !amd_version ? module_version : amd_version,
               module_version || !amd_version ? kVersionFile : "/sys/module/amdgpu/version");
  findings.absent({}, "gpu.cuda-version", why);
}

// An unpacked report keeps nvidia-smi's text in the folder of one of its collectors.
Seen<std::string> saved_smi(Host& host) {
  const auto folders = host.names("/sos_commands");
  if (!folders) return unseen(Absence::unsupported, "a folder tree has no driver, and this one no sos_commands");
  for (const std::string& folder : *folders)
    for (const char* name : {"nvidia-smi_-q", "nvidia-smi_-q.txt"})
      if (auto text = host.text("/sos_commands/" + folder + "/" + name, 4u << 20)) return text;
  return tl::unexpected(host.none("no nvidia-smi_-q under /sos_commands"));
}

Seen<std::int64_t> read_smi(Host& host, const Seen<std::string>& module_version, Findings& findings) {
  const auto text =
      host.live() ? host.output({"nvidia-smi", "-q"}, {std::chrono::seconds(20), 4u << 20}) : saved_smi(host);
  const auto report = text.and_then(gpu::parse_smi);
  if (!report) {
    say_unanswered(host, report.error(), module_version, findings);
    return tl::unexpected(report.error());
  }
  gpu::say_smi(*report, "nvidia-smi -q", findings);
  return static_cast<std::int64_t>(report->gpus.size());
}

struct Nvidia {
  Seen<std::int64_t> count;
  std::optional<nvml::Library> library;  // whose GPUs are still to be asked, one by one
};

Nvidia read_nvidia(Host& host, Findings& findings) {
  const auto module_version = say_module(host, findings);
  const auto library =
      host.live() ? nvml::Library::open() : unseen(Absence::unsupported, "a folder tree has no management library");
  if (library) {
    gpu::say_nvml_system(*library, host, findings);
    return {gpu::nvml_count(*library), *library};
  }
  const Absent why = library.error();
  host.note("loading libnvidia-ml.so.1", why.detail + "\n");
  findings.absent({}, "gpu.nvml-version", why, "libnvidia-ml.so.1");
  findings.absent({}, "nvml.stand-in", why, "libnvidia-ml.so.1");
  if (why.reason == Absence::missing || !host.live()) return {read_smi(host, module_version, findings), std::nullopt};
  // A library that is there and fails would make nvidia-smi fail too, or hang.
  say_unanswered(host, why, module_version, findings);
  return {tl::unexpected(why), std::nullopt};
}

// A job's cgroup may keep device nodes from us; then the driver counts fewer than there are and nothing is wrong.
std::optional<Absent> hidden(Host& host, const Seen<std::vector<PciGpu>>& pci, const Seen<std::int64_t>& count) {
  if (!host.live() || !pci || !count) return std::nullopt;
  const auto on_bus = std::count_if(pci->begin(), pci->end(), [](const PciGpu& each) { return each.nvidia; });
  for (std::int64_t index = 0; *count < on_bus && index < on_bus; ++index) {
    const auto opened = host.stream(fmt::format("/dev/nvidia{}", index), 1);
    if (!opened && opened.error().reason == Absence::permission) return opened.error();
  }
  return std::nullopt;
}

// Whether a driver serves the GPUs: one that may not be asked, didn't answer in time, or whose library isn't installed
// where we run (a container), isn't known to be broken.
Seen<bool> answers(Host& host, const Seen<std::int64_t>& count, bool module_loaded) {
  if (count && *count > 0) return true;
  if (!host.live()) return unseen(Absence::unsupported, "a folder tree has no driver");
  if (!count && count.error().reason == Absence::missing && module_loaded)
    return unseen(Absence::unsupported, "the driver is loaded, but neither its library nor nvidia-smi is here");
  if (!count && (count.error().reason == Absence::permission || count.error().reason == Absence::timeout))
    return tl::unexpected(count.error());
  return false;
}

// None only where the bus was seen to hold none: a driver that counts none may be broken.
Seen<std::int64_t> count_of(const Seen<std::vector<PciGpu>>& pci, const Seen<std::int64_t>& nvidia,
                            const Seen<std::size_t>& amd) {
  const std::int64_t answered = nvidia.value_or(0) + static_cast<std::int64_t>(amd.value_or(0));
  const bool bus_has_nvidia =
      pci && std::any_of(pci->begin(), pci->end(), [](const PciGpu& each) { return each.nvidia; });
  if (bus_has_nvidia && !nvidia && nvidia.error().reason == Absence::permission) return tl::unexpected(nvidia.error());
  if (bus_has_nvidia && nvidia.value_or(0) == 0)
    return unseen(Absence::unsupported, fmt::format("the PCI bus holds NVIDIA GPUs, but their driver tells none: {}",
                                                    nvidia ? "it counts 0" : nvidia.error().detail));
  if (answered > 0) return answered;
  if (!pci) return unseen(pci.error().reason, "whether the PCI bus holds GPUs: " + pci.error().detail);
  if (pci->empty()) return std::int64_t{0};
  return unseen(Absence::unsupported,
                fmt::format("the PCI bus holds {} GPUs, but no driver tells of any", pci->size()));
}

void read(Host& host, Findings& findings) {
  const auto pci = gpu::pci_gpus(host);
  say_pci(pci, findings);
  Nvidia nvidia = read_nvidia(host, findings);
  const std::int64_t listed = nvidia.count.value_or(0);
  if (const auto why = hidden(host, pci, nvidia.count)) nvidia.count = tl::unexpected(*why);
  const auto amd = gpu::say_amd_gpus(host, static_cast<std::size_t>(listed), findings);
  const auto served = amd && *amd > 0 ? static_cast<std::int64_t>(*amd) : nvidia.count;
  const bool nothing_to_serve = pci && pci->empty() && served.value_or(0) == 0;
  findings.say({}, "gpu.driver-answers",
               nothing_to_serve ? unseen(Absence::missing, "the PCI bus holds no GPU")
                                : answers(host, served, host.exists(kVersionFile)),
               "NVML and /sys/class/drm");
  findings.say({}, "gpu.count", count_of(pci, nvidia.count, amd), "NVML, /sys/class/drm and the PCI bus");
  // Last, and each by itself: a GPU that hangs its driver costs itself and those behind it, not the count.
  for (unsigned index = 0; nvidia.library && index < listed && index < kMostGpus; ++index)
    gpu::say_nvml_gpu(*nvidia.library, index, host, findings);
}

}  // namespace

extern const Reader gpu = {"gpu", "GPUs and their driver", std::chrono::seconds(30), gpu::kEmits, read};

}  // namespace assay::node::facts
