// Kernels: upstream's three numbers, and what distributions make of them. A distribution's number says which of its own
// builds it is and nothing about upstream's fixes, so the two kinds have no order between them.
#include "version/scan.hpp"

namespace assay::version {

namespace {

enum class Maker { upstream, debian_like, enterprise_linux, other };

struct Parts {
  std::string_view base;     // "6.8.0"
  std::string_view build;    // "124", "427.13.1.el9_4", "rc3"
  std::string_view flavour;  // "generic", "aws"; the architecture is no flavour
  Maker maker = Maker::upstream;
};

std::string_view without_architecture(std::string_view text) {
  for (const std::string_view architecture : {".x86_64", ".aarch64", ".noarch"})
    if (text.ends_with(architecture)) return text.substr(0, text.size() - architecture.size());
  return text;
}

bool is_release_candidate(std::string_view build) { return build.starts_with("rc") && all_digits(build.substr(2)); }

Parts parts_of(std::string_view text) {
  Parts parts;
  text = without_architecture(text);
  parts.base = leading_numbers(text, 4);
  std::string_view rest = text.substr(parts.base.size());
  if (rest.empty()) return parts;
  rest.remove_prefix(1);
  if (is_release_candidate(rest)) {
    parts.build = rest;
    return parts;
  }
  if (const auto el = rest.find(".el");
      el != std::string_view::npos && el + 3 < rest.size() && is_digit(rest[el + 3])) {
    parts.maker = Maker::enterprise_linux;
    parts.build = rest.substr(0, rest.find('+'));
    parts.flavour = rest.find('+') == std::string_view::npos ? std::string_view() : rest.substr(rest.find('+') + 1);
    return parts;
  }
  const auto numbers = leading_numbers(rest, 4);
  parts.maker = numbers.empty() ? Maker::other : Maker::debian_like;
  parts.build = numbers;
  parts.flavour = rest.substr(numbers.size());
  if (!parts.flavour.empty() && parts.flavour.front() == '-') parts.flavour.remove_prefix(1);
  return parts;
}

bool is_version(std::string_view text) {
  const auto base = leading_numbers(text, 4);
  int dots = 0;
  for (const char c : base) dots += c == '.';
  if (dots < 1 || dots > 3) return false;
  const auto rest = text.substr(base.size());
  if (rest.empty()) return true;
  if (rest.size() < 2 || (rest.front() != '-' && rest.front() != '+')) return false;
  for (const char c : rest)
    if (!is_digit(c) && !is_letter(c) && std::string_view("._+~-").find(c) == std::string_view::npos) return false;
  return true;
}

Order compare(std::string_view left, std::string_view right) {
  const Parts a = parts_of(left), b = parts_of(right);
  if (a.maker != b.maker) return Order::incomparable;
  if (a.maker == Maker::other) return left == right ? Order::equal : Order::incomparable;
  if (a.flavour != b.flavour) return Order::incomparable;
  if (const Order order = compare_lines(a.base, b.base); order != Order::equal) return order;
  if (a.maker == Maker::upstream) {
    if (a.build.empty() != b.build.empty()) return a.build.empty() ? Order::greater : Order::less;
    return a.build.empty() ? Order::equal : compare_numbers(a.build.substr(2), b.build.substr(2));
  }
  return a.maker == Maker::enterprise_linux ? kRpm.compare(a.build, b.build) : compare_lines(a.build, b.build);
}

std::string_view line_of(std::string_view text) { return leading_numbers(text, 2); }

}  // namespace

extern const Rules kKernel = {is_version, compare, line_of};

}  // namespace assay::version
