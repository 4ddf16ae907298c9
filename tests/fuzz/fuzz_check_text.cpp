// A check's YAML, a rubric's spelling of it: refused with words or read, never a crash.
#include <string>

#include "catalog/checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static_cast<void>(
      assay::catalog::parse_check("security.fuzzed", std::string(reinterpret_cast<const char*>(data), size), "fuzz"));
  return 0;
}
