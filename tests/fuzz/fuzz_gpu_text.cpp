// What a node's tools print of its GPUs: no text crashes the parsers, and what they accept is as whole as it claims.
#include <cstdlib>
#include <string_view>

#include "node/facts/gpu_words_detail.hpp"
#include "node/facts/nvidia_module_detail.hpp"
#include "node/facts/nvidia_smi_detail.hpp"
#include "node/facts/rocm_smi_detail.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace assay::node;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(gpu::parse_module(text));
  static_cast<void>(gpu::parse_parameter(text, "RmProfilingAdminOnly"));
  static_cast<void>(gpu::parse_rocm(text));
  const auto report = gpu::parse_smi(text);
  if (!report) return 0;
  if (std::to_string(report->gpus.size()) != report->values.at("Attached GPUs")) {
    // "+1" and "01" are numbers too.
    if (report->values.at("Attached GPUs").find_first_not_of("+0123456789") != std::string::npos) std::abort();
  }
  Findings findings(gpu::kEmits, [](assay::Observation) {});
  gpu::say_smi(*report, "fuzz", findings);
  return 0;
}
