// Kernels: upstream's three numbers, and what distributions make of them. A distribution's number says which of its own
// builds it is and nothing about upstream's fixes, so the two kinds have no order between them.
#include "version/scan.hpp"

namespace assay::version {

namespace {

enum class Maker { upstream, debian_like, enterprise_linux, other };

struct Parts {
  std::string_view base;     // "6.8.0"
  std::string_view build;    // "124", "427.13.1.el9_4", "rc3"
  std::string_view flavour;  // "generic", "aws", "rt"; the architecture is no flavour
  std::string_view product;  // "el9", "el8uek"
  Maker maker = Maker::upstream;
};

std::string_view without_architecture(std::string_view text) {
  for (const std::string_view architecture : {".x86_64", ".aarch64", ".noarch"})
    if (text.ends_with(architecture)) return text.substr(0, text.size() - architecture.size());
  return text;
}

bool is_release_candidate(std::string_view build) { return build.starts_with("rc") && all_digits(build.substr(2)); }

// "el9" of "427.13.1.el9_4"; empty if there's none.
std::string_view product_of(std::string_view build) {
  const auto dot = build.find(".el");
  if (dot == std::string_view::npos) return {};
  std::string_view rest = build.substr(dot + 3);
  if (take_digits(rest).empty()) return {};
  take_letters(rest);
  return build.substr(dot + 1, build.size() - dot - 1 - rest.size());
}

// rest: "427.13.1.el9_4.x86_64+rt"
void read_enterprise_linux(std::string_view rest, Parts& parts) {
  parts.maker = Maker::enterprise_linux;
  const auto plus = rest.find('+');
  parts.build = without_architecture(rest.substr(0, plus));
  if (plus != std::string_view::npos) parts.flavour = rest.substr(plus + 1);
}

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
  parts.product = product_of(rest);
  if (!parts.product.empty()) {
    read_enterprise_linux(rest, parts);
    return parts;
  }
  parts.build = leading_numbers(rest, 4);
  parts.maker = parts.build.empty() ? Maker::other : Maker::debian_like;
  parts.flavour = rest.substr(parts.build.size());
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
  if (a.flavour != b.flavour || a.product != b.product) return Order::incomparable;
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
