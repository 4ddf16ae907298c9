// deb-version(7): the epoch as a number, then the upstream version, then the revision, each by turns as text and
// number. In text letters stand before other characters and "~" before the end.
#include "version/scan.hpp"

namespace assay::version {

namespace {

struct Parts {
  std::string_view epoch, upstream, revision;
};

Parts parts_of(std::string_view text) {
  Parts parts;
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    parts.epoch = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  const auto dash = text.rfind('-');
  parts.upstream = text.substr(0, dash);
  if (dash != std::string_view::npos) parts.revision = text.substr(dash + 1);
  return parts;
}

bool is_version(std::string_view text) {
  const Parts parts = parts_of(text);
  if (text.find(':') != std::string_view::npos && !all_digits(parts.epoch)) return false;
  if (parts.upstream.empty() || !is_digit(parts.upstream.front())) return false;
  if (text.back() == '-') return false;
  const auto sound = [](std::string_view part, std::string_view others) {
    for (const char c : part)
      if (!is_digit(c) && !is_letter(c) && others.find(c) == std::string_view::npos) return false;
    return true;
  };
  return sound(parts.upstream, ".+-~:") && sound(parts.revision, ".+~");
}

int rank(std::string_view text) {
  if (text.empty() || is_digit(text.front())) return 0;
  if (text.front() == '~') return -1;
  return is_letter(text.front()) ? static_cast<unsigned char>(text.front())
                                 : static_cast<unsigned char>(text.front()) + 256;
}

Order compare_part(std::string_view left, std::string_view right) {
  const auto in_text = [](std::string_view rest) { return !rest.empty() && !is_digit(rest.front()); };
  while (!left.empty() || !right.empty()) {
    while (in_text(left) || in_text(right)) {
      const int a = rank(left), b = rank(right);
      if (a != b) return a < b ? Order::less : Order::greater;
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
    if (const Order order = compare_numbers(take_digits(left), take_digits(right)); order != Order::equal) return order;
  }
  return Order::equal;
}

Order compare(std::string_view left, std::string_view right) {
  const Parts a = parts_of(left), b = parts_of(right);
  if (const Order order = compare_numbers(a.epoch, b.epoch); order != Order::equal) return order;
  if (const Order order = compare_part(a.upstream, b.upstream); order != Order::equal) return order;
  return compare_part(a.revision, b.revision);
}

}  // namespace

extern const Rules kDpkg = {is_version, compare, no_line};

}  // namespace assay::version
