// NVIDIA GPUs as the driver's own library tells them. Each field's own error becomes its own absence; a GPU that fell
// off the bus stays a subject, with gpu.state "lost".
#pragma once

#include "node/facts/nvml_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::gpu {

// Driver, CUDA and library versions, and whether the library is a stand-in.
void say_nvml_system(const nvml::Library& library, Host& host, Findings& findings);
// How many GPUs the driver counts.
Seen<std::int64_t> nvml_count(const nvml::Library& library);
void say_nvml_gpu(const nvml::Library& library, unsigned index, Host& host, Findings& findings);

// nvmlDeviceGetCurrentClocksEventReasons' bits as names; bits without one are "bit-0x…".
TextList throttle_names(unsigned long long bits);

}  // namespace assay::node::gpu
