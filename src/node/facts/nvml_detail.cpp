#include "node/facts/nvml_detail.hpp"

#include <fmt/format.h>

namespace assay::node::nvml {

namespace {

const char* known_words(int code) {
  switch (code) {
    case uninitialized: return "not initialized";
    case invalid_argument: return "invalid argument";
    case not_supported: return "not supported by this GPU";
    case no_permission: return "no permission";
    case not_found: return "not found";
    case insufficient_size: return "answer larger than expected";
    case insufficient_power: return "external power cables not attached";
    case driver_not_loaded: return "NVIDIA driver not loaded";
    case timed_out: return "timed out";
    case irq_issue: return "interrupt trouble with a GPU";
    case library_not_found: return "part of the driver's library not found";
    case function_not_found: return "this driver's library has no such function";
    case corrupted_inforom: return "the GPU's infoROM is corrupted";
    case gpu_is_lost: return "GPU is lost";
    case reset_required: return "GPU requires a reset";
    case operating_system: return "operating system error";
    case version_mismatch: return "driver and library versions differ";
    case no_data: return "no data";
    case argument_version_mismatch: return "struct version not known to this driver";
    case deprecated: return "removed from this driver";
    case not_ready: return "not ready";
    case gpu_not_found: return "no GPU found";
    case unknown: return "unknown error";
    default: return nullptr;
  }
}

Absence reason_of(int code) {
  switch (code) {
    case not_supported:
    case function_not_found:
    case argument_version_mismatch:
    case deprecated:
    case driver_not_loaded:
    case version_mismatch: return Absence::unsupported;
    case no_permission: return Absence::permission;
    case timed_out:
    case not_ready: return Absence::timeout;
    case not_found:
    case no_data:
    case gpu_is_lost:
    case gpu_not_found: return Absence::missing;
    default: return Absence::malformed;
  }
}

}  // namespace

std::string words_of(int code) {
  const char* words = known_words(code);
  return words != nullptr ? words : fmt::format("NVML error {}", code);
}

Absent absent_of(int code, const std::string& what) { return {reason_of(code), what + ": " + words_of(code)}; }

Seen<Library> Library::open() {
  void* handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* words = dlerror();
    return unseen(Absence::missing, words != nullptr ? words : "libnvidia-ml.so.1 can't be loaded");
  }
  const Library library(handle);
  if (const int code = library.call("nvmlInit_v2"); code != success)
    return tl::unexpected(absent_of(code, "nvmlInit_v2"));
  return library;
}

}  // namespace assay::node::nvml
