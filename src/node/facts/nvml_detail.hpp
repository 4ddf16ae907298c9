// The part of NVIDIA's management library that is read here, declared anew from its published interface (nvml.h, API
// version 13; every struct and symbol below exists since driver 535 or says otherwise). The library belongs to the
// driver, so it is never linked: a node without a driver has none, and each function may be missing from an older one.
//
//   auto library = nvml::Library::open();
//   unsigned int count = 0;
//   const int code = library->call("nvmlDeviceGetCount_v2", &count);
//
// Struct versions: a versioned struct begins with its size in the low 24 bits and its version in the high 8.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <memory>
#include <string>

#include "node/host.hpp"

namespace assay::node::nvml {

using Device = struct DeviceHandle*;

// nvmlReturn_t.
enum Code : int {
  success = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  not_found = 6,
  insufficient_size = 7,
  insufficient_power = 8,
  driver_not_loaded = 9,
  timed_out = 10,
  irq_issue = 11,
  library_not_found = 12,
  function_not_found = 13,
  corrupted_inforom = 14,
  gpu_is_lost = 15,
  reset_required = 16,
  operating_system = 17,
  version_mismatch = 18,  // the library and the loaded kernel module are of different drivers
  no_data = 21,
  argument_version_mismatch = 25,
  deprecated = 26,
  not_ready = 27,
  gpu_not_found = 28,
  unknown = 999,
};

std::string words_of(int code);
// The absence that an error code is; `what` was asked for.
Absent absent_of(int code, const std::string& what);

enum ClockType : unsigned { clock_sm = 1, clock_memory = 2 };
enum MemoryError : unsigned { corrected = 0, uncorrected = 1 };
enum EccCounter : unsigned { volatile_count = 0, aggregate_count = 1 };
enum LinkCounter : unsigned { link_replay = 0, link_recovery = 1, link_crc_flit = 2, link_crc_data = 3 };
enum TemperatureSensor : unsigned { sensor_gpu = 0 };

struct PciInfo {  // nvmlDeviceGetPciInfo_v3
  char legacy_bus_id[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int device_id;
  unsigned int subsystem_id;
  char bus_id[32];
};

struct Memory {  // nvmlDeviceGetMemoryInfo
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct Utilization {  // nvmlDeviceGetUtilizationRates, percent
  unsigned int gpu;
  unsigned int memory;
};

struct ProcessInfo {  // nvmlDeviceGetComputeRunningProcesses_v3
  unsigned int pid;
  unsigned long long used_memory;
  unsigned int gpu_instance;
  unsigned int compute_instance;
};

struct SramErrors {  // nvmlDeviceGetSramEccErrorStatus, struct version 1, since driver 550
  unsigned int version;
  unsigned long long aggregate_parity;
  unsigned long long aggregate_sec_ded;
  unsigned long long aggregate_corrected;
  unsigned long long volatile_parity;
  unsigned long long volatile_sec_ded;
  unsigned long long volatile_corrected;
  unsigned long long bucket_l2;
  unsigned long long bucket_sm;
  unsigned long long bucket_pcie;
  unsigned long long bucket_microcontroller;
  unsigned long long bucket_other;
  unsigned int threshold_exceeded;
};

struct FabricInfo {  // nvmlDeviceGetGpuFabricInfoV, struct version 2
  unsigned int version;
  unsigned char cluster[16];
  int status;
  unsigned int clique;
  unsigned char state;
  unsigned int health;
};

template <class T>
constexpr unsigned int versioned(unsigned int version) {
  return static_cast<unsigned int>(sizeof(T)) | (version << 24);
}

static_assert(sizeof(PciInfo) == 68 && sizeof(Memory) == 24 && sizeof(ProcessInfo) == 24);
static_assert(sizeof(SramErrors) == 104 && sizeof(FabricInfo) == 36);

inline constexpr unsigned kMostLinks = 36;

// The loaded and initialized library. It isn't unloaded: the reader's process ends soon after.
class Library {
 public:
  static Seen<Library> open();

  // The arguments must be of the function's own types.
  template <class... Arguments>
  int call(const char* symbol, Arguments... arguments) const {
    void* address = dlsym(handle_, symbol);
    if (address == nullptr) return function_not_found;
    return reinterpret_cast<int (*)(Arguments...)>(address)(arguments...);
  }

  bool has(const char* symbol) const { return dlsym(handle_, symbol) != nullptr; }

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace assay::node::nvml
