// The text of `nvidia-smi -q`, for nodes where the driver's library can't be loaded and for folder trees. The tool
// prints errors in the middle of an otherwise good text and may be cut off anywhere, so a text is read whole or not at
// all: as many complete GPU sections as it says are attached. A complete section ends with "Processes"; parts printed
// with -d lack it and are refused.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "node/reader.hpp"

namespace assay::node::gpu {

// Values by path: "Remapped Rows/Pending" → "Yes".
using SmiSection = std::map<std::string, std::string, std::less<>>;

struct SmiGpu {
  std::string address;  // 0000:19:00.0
  SmiSection values;
};

struct SmiReport {
  SmiSection values;  // "Driver Version", "CUDA Version", "Attached GPUs"
  std::vector<SmiGpu> gpus;
};

Seen<SmiReport> parse_smi(std::string_view text);

// A value as nvidia-smi means it: "N/A" is unsupported, "Unknown Error" malformed.
Seen<std::string> smi_value(const SmiSection& section, std::string_view path);

// Says all that the text tells of its GPUs.
void say_smi(const SmiReport& report, std::string_view from, Findings& findings);

}  // namespace assay::node::gpu
