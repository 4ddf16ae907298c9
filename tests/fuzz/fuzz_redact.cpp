// Raw output of any kind: redacting doesn't crash, is stable, and no secret that is plainly named comes through.
#include <cstdlib>
#include <string>

#include "node/redact.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(assay::node::redact(text));
  const std::string secret = "h0pe-nobody-guesses";
  if (text.find(secret) != std::string::npos) return 0;  // libFuzzer learns it, and puts it where nothing names it
  const std::string planted = assay::node::redact(text + "\nStoragePass=" + secret + "\n");
  if (planted.find(secret) != std::string::npos) std::abort();
  return 0;
}
