// A kernel log of any content: no crash, and every event is of a known kind, was counted, and holds a message of the
// log.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "node/facts/kernel_log_events_detail.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace assay::node;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto log = kernel_log::parse(text);
  for (const auto& event : kernel_log::events(log)) {
    const bool known = std::find(std::begin(kernel_log::kKinds), std::end(kernel_log::kKinds), event.kind) !=
                       std::end(kernel_log::kKinds);
    if (!known || event.count < 1 || event.text.empty()) std::abort();
  }
  return 0;
}
