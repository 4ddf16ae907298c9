// A management library with eight made-up H100, for tests of the reader: it answers as the real one does, through
// nothing but the C interface. `fakeNvml` bends single answers: the code that a function returns ("nvmlInit_v2"), the
// code that a GPU's handle returns ("gpu3"), or a value ("count", "remap-failed").
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "node/facts/nvml_detail.hpp"

namespace {

using namespace assay::node::nvml;

std::map<std::string, int>& bends() {
  static std::map<std::string, int> held;
  return held;
}

int bent(const std::string& key, int otherwise = 0) {
  const auto found = bends().find(key);
  return found == bends().end() ? otherwise : found->second;
}

int text(const char* symbol, char* out, unsigned length, const std::string& value) {
  if (const int code = bent(symbol); code != 0) return code;
  if (length <= value.size()) return insufficient_size;
  std::strcpy(out, value.c_str());
  return 0;
}

template <class T>
int number(const char* symbol, T* out, T value) {
  if (const int code = bent(symbol); code != 0) return code;
  *out = value;
  return 0;
}

unsigned index_of(Device device) { return static_cast<unsigned>(reinterpret_cast<std::size_t>(device)) - 1; }

}  // namespace

extern "C" {

void fakeNvml(const char* key, int value) { bends()[key] = value; }
void fakeNvmlSound() { bends().clear(); }

int nvmlInit_v2() { return bent("nvmlInit_v2"); }
int nvmlSystemGetDriverVersion(char* out, unsigned n) {
  return text("nvmlSystemGetDriverVersion", out, n, "570.86.15");
}
int nvmlSystemGetNVMLVersion(char* out, unsigned n) { return text("nvmlSystemGetNVMLVersion", out, n, "12.570.86.15"); }
int nvmlSystemGetCudaDriverVersion_v2(int* out) { return number("nvmlSystemGetCudaDriverVersion_v2", out, 12080); }
int nvmlDeviceGetCount_v2(unsigned* out) {
  return number("nvmlDeviceGetCount_v2", out, static_cast<unsigned>(bent("count", 8)));
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* out) {
  if (const int code = bent("gpu" + std::to_string(index)); code != 0) return code;
  *out = reinterpret_cast<Device>(static_cast<std::size_t>(index) + 1);
  return 0;
}
int nvmlDeviceGetName(Device, char* out, unsigned n) {
  return text("nvmlDeviceGetName", out, n, "NVIDIA H100 80GB HBM3");
}
int nvmlDeviceGetUUID(Device device, char* out, unsigned n) {
  return text("nvmlDeviceGetUUID", out, n, "GPU-0000000" + std::to_string(index_of(device)));
}
int nvmlDeviceGetSerial(Device, char* out, unsigned n) { return text("nvmlDeviceGetSerial", out, n, "1650000000000"); }
int nvmlDeviceGetVbiosVersion(Device, char* out, unsigned n) {
  return text("nvmlDeviceGetVbiosVersion", out, n, "96.00.74.00.0D");
}
int nvmlDeviceGetPciInfo_v3(Device device, PciInfo* out) {
  *out = {};
  out->bus = 0x19 + 0x11 * index_of(device);
  return bent("nvmlDeviceGetPciInfo_v3");
}
int nvmlDeviceGetMemoryInfo(Device, Memory* out) {
  *out = {85520809984ULL, 85520809984ULL, 0};
  return bent("nvmlDeviceGetMemoryInfo");
}
int nvmlDeviceGetEccMode(Device, int* now, int* pending) {
  *now = *pending = bent("ecc", 1);
  return bent("nvmlDeviceGetEccMode");
}
// Four different counts, so that a swap shows.
int nvmlDeviceGetTotalEccErrors(Device, unsigned error, unsigned counter, unsigned long long* out) {
  return number("nvmlDeviceGetTotalEccErrors", out, 1000ULL + error * 10 + counter);
}
int nvmlDeviceGetSramEccErrorStatus(Device, SramErrors* out) {
  if (out->version != versioned<SramErrors>(1)) return argument_version_mismatch;
  out->aggregate_parity = 1;
  out->aggregate_sec_ded = 2;
  out->threshold_exceeded = static_cast<unsigned>(bent("threshold"));
  return bent("nvmlDeviceGetSramEccErrorStatus");
}
int nvmlDeviceGetRemappedRows(Device, unsigned* correctable, unsigned* uncorrectable, unsigned* pending,
                              unsigned* failed) {
  *correctable = 3;
  *uncorrectable = 4;
  *pending = static_cast<unsigned>(bent("remap-pending"));
  *failed = static_cast<unsigned>(bent("remap-failed"));
  return bent("nvmlDeviceGetRemappedRows");
}
int nvmlDeviceGetRetiredPagesPendingStatus(Device, int* out) {
  return number("nvmlDeviceGetRetiredPagesPendingStatus", out, 0);
}
int nvmlDeviceGetPersistenceMode(Device, int* out) { return number("nvmlDeviceGetPersistenceMode", out, 1); }
int nvmlDeviceGetComputeMode(Device, unsigned* out) { return number("nvmlDeviceGetComputeMode", out, 3u); }
int nvmlDeviceGetMigMode(Device, unsigned* now, unsigned* pending) {
  *now = *pending = 0;
  return bent("nvmlDeviceGetMigMode");
}
int nvmlDeviceGetVirtualizationMode(Device, unsigned* out) {
  return number("nvmlDeviceGetVirtualizationMode", out, 1u);
}
int nvmlDeviceGetClockInfo(Device, unsigned type, unsigned* out) {
  return number("nvmlDeviceGetClockInfo", out, type == clock_sm ? 1980u : 2619u);
}
int nvmlDeviceGetMaxClockInfo(Device, unsigned type, unsigned* out) {
  return number("nvmlDeviceGetMaxClockInfo", out, type == clock_sm ? 1980u : 2619u);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(Device, unsigned long long* out) {
  return number("nvmlDeviceGetCurrentClocksThrottleReasons", out,
                static_cast<unsigned long long>(bent("throttle-bits", 1)));
}
int nvmlDeviceGetTemperature(Device, unsigned, unsigned* out) { return number("nvmlDeviceGetTemperature", out, 31u); }
int nvmlDeviceGetPowerUsage(Device, unsigned* out) { return number("nvmlDeviceGetPowerUsage", out, 71345u); }
int nvmlDeviceGetEnforcedPowerLimit(Device, unsigned* out) {
  return number("nvmlDeviceGetEnforcedPowerLimit", out, 700000u);
}
int nvmlDeviceGetPowerManagementDefaultLimit(Device, unsigned* out) {
  return number("nvmlDeviceGetPowerManagementDefaultLimit", out, 700000u);
}
int nvmlDeviceGetUtilizationRates(Device, Utilization* out) {
  return number("nvmlDeviceGetUtilizationRates", out, Utilization{0, 0});
}
int nvmlDeviceGetComputeRunningProcesses_v3(Device, unsigned* count, ProcessInfo*) {
  *count = static_cast<unsigned>(bent("processes"));
  return *count == 0 ? 0 : insufficient_size;
}
int nvmlDeviceGetCurrPcieLinkGeneration(Device, unsigned* out) {
  return number("nvmlDeviceGetCurrPcieLinkGeneration", out, 5u);
}
int nvmlDeviceGetMaxPcieLinkGeneration(Device, unsigned* out) {
  return number("nvmlDeviceGetMaxPcieLinkGeneration", out, 5u);
}
int nvmlDeviceGetCurrPcieLinkWidth(Device, unsigned* out) { return number("nvmlDeviceGetCurrPcieLinkWidth", out, 16u); }
int nvmlDeviceGetMaxPcieLinkWidth(Device, unsigned* out) { return number("nvmlDeviceGetMaxPcieLinkWidth", out, 16u); }
int nvmlDeviceGetPcieReplayCounter(Device, unsigned* out) { return number("nvmlDeviceGetPcieReplayCounter", out, 67u); }
int nvmlDeviceGetNvLinkState(Device, unsigned link, int* out) {
  if (link >= 18) return invalid_argument;
  return number("nvmlDeviceGetNvLinkState", out, link == 17 ? bent("last-link", 1) : 1);
}
int nvmlDeviceGetNvLinkVersion(Device, unsigned, unsigned* out) {
  return number("nvmlDeviceGetNvLinkVersion", out, 6u);
}
// Four different counts, so that a swap shows.
int nvmlDeviceGetNvLinkErrorCounter(Device, unsigned link, unsigned counter, unsigned long long* out) {
  if (link >= 18 || counter > 4) return invalid_argument;
  constexpr unsigned long long kCounts[] = {1, 100, 10000, 1000000, 0};
  const int code = link == 16 ? bent("link-16-errors") : 0;
  return code != 0 ? code : number("nvmlDeviceGetNvLinkErrorCounter", out, kCounts[counter]);
}
int nvmlDeviceGetGpuFabricInfoV(Device, FabricInfo* out) {
  if (out->version != versioned<FabricInfo>(2)) return argument_version_mismatch;
  out->state = static_cast<unsigned char>(bent("fabric", 3));
  out->status = bent("fabric-status");
  return bent("nvmlDeviceGetGpuFabricInfoV");
}
int assayLabStandIn() { return 1; }

}  // extern "C"
