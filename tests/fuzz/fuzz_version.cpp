// Two texts in every scheme: no crash, the other way round is the mirror, a version equals itself, and what is none has
// no order.
#include <cstdlib>
#include <string_view>

#include "version/order.hpp"

using namespace assay::version;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

Order mirrored(Order order) {
  return order == Order::less ? Order::greater : order == Order::greater ? Order::less : order;
}

void try_scheme(Scheme scheme, std::string_view left, std::string_view right) {
  const Order order = compare(scheme, left, right);
  demand(compare(scheme, right, left) == mirrored(order));
  demand((compare(scheme, left, left) == Order::equal) == is_version(scheme, left));
  demand(order == Order::incomparable || (is_version(scheme, left) && is_version(scheme, right)));
  const std::string_view part = line(scheme, left);
  demand(part.empty() || left.find(part) != std::string_view::npos);
  compare_lines(part, line(scheme, right));
}

}  // namespace

// The two stand on both sides of the first "|".
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto between = text.find('|');
  const auto left = text.substr(0, between);
  const auto right = between == std::string_view::npos ? left : text.substr(between + 1);
  for (const Scheme scheme : {Scheme::dpkg, Scheme::rpm, Scheme::semver, Scheme::go, Scheme::pep440,
                              Scheme::nvidia_driver, Scheme::firmware, Scheme::ufm, Scheme::kernel, Scheme::plain})
    try_scheme(scheme, left, right);
  compare_lines(left, right);
  return 0;
}
