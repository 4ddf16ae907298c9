// rpm-version(7): segments of letters and of digits; separators only divide. A number is newer than letters, "~" older
// than the end, "^" newer than the end and older than anything else. Without a release nobody knows which build of its
// version a text means; so it has an order with other versions only.
#include "version/scan.hpp"

namespace assay::version {

namespace {

struct Parts {
  std::string_view epoch, version, release;
};

Parts parts_of(std::string_view text) {
  Parts parts;
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    parts.epoch = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  const auto dash = text.rfind('-');
  parts.version = text.substr(0, dash);
  if (dash != std::string_view::npos) parts.release = text.substr(dash + 1);
  return parts;
}

// rpm itself takes any text; an installed version begins with a letter or digit and holds a digit.
bool is_version(std::string_view text) {
  const Parts parts = parts_of(text);
  if (text.find(':') != std::string_view::npos && !all_digits(parts.epoch)) return false;
  if (parts.version.empty() || text.back() == '-') return false;
  bool digit = false;
  for (const std::string_view part : {parts.version, parts.release})
    for (const char c : part) {
      if (!is_digit(c) && !is_letter(c) && std::string_view("._+~^").find(c) == std::string_view::npos) return false;
      digit = digit || is_digit(c);
    }
  return digit && (is_digit(parts.version.front()) || is_letter(parts.version.front()));
}

void skip_separators(std::string_view& rest) {
  while (!rest.empty() && !is_digit(rest.front()) && !is_letter(rest.front()) && rest.front() != '~' &&
         rest.front() != '^')
    rest.remove_prefix(1);
}

// A "~" or "^" at the front of either decides, unless both have it.
bool decided_by(char sign, std::string_view& left, std::string_view& right, bool& both, Order& order) {
  const bool a = take(left, sign), b = take(right, sign);
  both = a && b;
  if (both || (!a && !b)) return false;
  if (sign == '~')
    order = a ? Order::less : Order::greater;
  else  // newer than the end, older than what goes on
    order = a ? (right.empty() ? Order::greater : Order::less) : (left.empty() ? Order::less : Order::greater);
  return true;
}

Order compare_part(std::string_view left, std::string_view right) {
  while (!left.empty() || !right.empty()) {
    skip_separators(left);
    skip_separators(right);
    Order order = Order::equal;
    bool both = false;
    if (decided_by('~', left, right, both, order)) return order;
    if (both) continue;
    if (decided_by('^', left, right, both, order)) return order;
    if (both) continue;
    if (left.empty() || right.empty()) break;
    const bool number = is_digit(left.front());
    if (number != is_digit(right.front())) return number ? Order::greater : Order::less;
    order = number ? compare_numbers(take_digits(left), take_digits(right))
                   : compare_text(take_letters(left), take_letters(right));
    if (order != Order::equal) return order;
  }
  return left.empty() == right.empty() ? Order::equal : left.empty() ? Order::less : Order::greater;
}

Order compare(std::string_view left, std::string_view right) {
  const Parts a = parts_of(left), b = parts_of(right);
  if (const Order order = compare_numbers(a.epoch, b.epoch); order != Order::equal) return order;
  if (const Order order = compare_part(a.version, b.version); order != Order::equal) return order;
  if (a.release.empty() != b.release.empty()) return Order::incomparable;
  return compare_part(a.release, b.release);
}

}  // namespace

extern const Rules kRpm = {is_version, compare, no_line};

}  // namespace assay::version
