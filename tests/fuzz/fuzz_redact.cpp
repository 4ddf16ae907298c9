// Raw output of any kind: redacting doesn't crash, is stable, and no secret that is plainly named comes through.
#include <cstdlib>
#include <string>

#include "node/redact.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(assay::node::redact(text));
  const std::string planted = assay::node::redact(text + "\nStoragePass=h0pe-nobody-guesses\n");
  if (planted.find("h0pe-nobody-guesses") != std::string::npos) std::abort();
  return 0;
}
