#include "version/order.hpp"

#include <array>

#include "version/scan.hpp"

namespace assay::version {

namespace {

struct Entry {
  Scheme scheme;
  std::string_view name;
  const Rules* rules;
};

constexpr std::array<Entry, 10> kSchemes = {{{Scheme::dpkg, "dpkg", &kDpkg},
                                             {Scheme::rpm, "rpm", &kRpm},
                                             {Scheme::semver, "semver", &kSemver},
                                             {Scheme::go, "go", &kGo},
                                             {Scheme::pep440, "pep440", &kPep440},
                                             {Scheme::nvidia_driver, "nvidia_driver", &kNvidiaDriver},
                                             {Scheme::firmware, "firmware", &kFirmware},
                                             {Scheme::ufm, "ufm", &kUfm},
                                             {Scheme::kernel, "kernel", &kKernel},
                                             {Scheme::plain, "plain", &kPlain}}};

const Rules& rules_of(Scheme scheme) { return *kSchemes[static_cast<std::size_t>(scheme)].rules; }

}  // namespace

std::string_view name_of(Scheme scheme) { return kSchemes[static_cast<std::size_t>(scheme)].name; }

std::optional<Scheme> scheme_from(std::string_view name) {
  for (const Entry& entry : kSchemes)
    if (entry.name == name) return entry.scheme;
  return std::nullopt;
}

bool is_version(Scheme scheme, std::string_view text) {
  return !text.empty() && text.size() <= kLongest && rules_of(scheme).is_version(text);
}

Order compare(Scheme scheme, std::string_view left, std::string_view right) {
  if (!is_version(scheme, left) || !is_version(scheme, right)) return Order::incomparable;
  return rules_of(scheme).compare(left, right);
}

std::string_view line(Scheme scheme, std::string_view text) {
  return is_version(scheme, text) ? rules_of(scheme).line(text) : std::string_view();
}

Order compare_lines(std::string_view left, std::string_view right) {
  while (!left.empty() || !right.empty()) {
    if (const Order order = compare_numbers(take_digits(left), take_digits(right)); order != Order::equal) return order;
    const bool left_goes_on = take(left, '.'), right_goes_on = take(right, '.');
    if (!left_goes_on && !right_goes_on) break;
  }
  return Order::equal;
}

}  // namespace assay::version
