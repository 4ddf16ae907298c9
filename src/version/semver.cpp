// Semantic versions, and as real software stretches them: "v" before, two or four numbers, vendors' suffixes. Go's are
// the strict kind.
#include "version/scan.hpp"

namespace assay::version {

namespace {

enum class Suffix { none, pre_release, vendor };

struct Parts {
  std::string_view numbers;  // "1.28.3"
  std::string_view suffix;   // behind the first "-" or "~", or the letters that follow at once: "rc.1", "gke.100"
  Suffix kind = Suffix::none;
};

std::string_view without_build(std::string_view text) { return text.substr(0, text.find('+')); }

// "0.20250101…": what Go and OSV write for "before the first release".
bool begins_with_zero(std::string_view suffix) { return suffix == "0" || suffix.starts_with("0."); }

Suffix kind_of(std::string_view suffix, bool strict) {
  if (suffix.empty()) return Suffix::none;
  if (strict || begins_with_zero(suffix)) return Suffix::pre_release;
  std::string_view rest = suffix;
  return pre_release_rank(take_letters(rest)) > 0 ? Suffix::pre_release : Suffix::vendor;
}

Parts parts_of(std::string_view text, bool strict) {
  Parts parts;
  if (!text.empty() && text.front() == 'v') text.remove_prefix(1);
  text = without_build(text);
  parts.numbers = leading_numbers(text, 8);
  parts.suffix = text.substr(parts.numbers.size());
  if (!parts.suffix.empty() && (parts.suffix.front() == '-' || parts.suffix.front() == '~'))
    parts.suffix.remove_prefix(1);
  parts.kind = kind_of(parts.suffix, strict);
  return parts;
}

// Go's: identifiers of letters, digits and "-" between dots.
bool sound_suffix(std::string_view suffix, bool strict) {
  const std::string_view others = strict ? ".-" : ".-_~";
  for (const char c : suffix)
    if (!is_digit(c) && !is_letter(c) && others.find(c) == std::string_view::npos) return false;
  return !strict || (suffix.find("..") == std::string_view::npos && suffix.front() != '.' && suffix.back() != '.');
}

bool is_one(std::string_view text, bool strict) {
  std::string_view rest = text;
  take(rest, 'v');
  const auto numbers = leading_numbers(rest, 8);
  rest.remove_prefix(numbers.size());
  int dots = 0;
  for (const char c : numbers) dots += c == '.';
  if (numbers.empty() || dots > 3 || (strict && dots != 2)) return false;
  const auto plus = rest.find('+');
  if (plus != std::string_view::npos && (plus + 1 == rest.size() || !sound_suffix(rest.substr(plus + 1), strict)))
    return false;
  rest = without_build(rest);
  if (rest.empty()) return true;
  const bool marked = rest.front() == '-' || (!strict && rest.front() == '~');
  if (marked) rest.remove_prefix(1);
  if (rest.empty() || !sound_suffix(rest, strict)) return false;
  if (marked) return true;
  std::string_view word = rest;  // 1.2.0rc3
  return !strict && pre_release_rank(take_letters(word)) > 0;
}

// Letters, digits and other characters by turns: the next of these runs, taken off.
std::string_view take_run(std::string_view& rest) {
  if (const auto digits = take_digits(rest); !digits.empty()) return digits;
  const auto text = rest.substr(0, rest.find_first_of("0123456789"));
  rest.remove_prefix(text.size());
  return text;
}

Order compare_runs(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    const auto a = take_run(left), b = take_run(right);
    const bool number = all_digits(a);
    if (number != all_digits(b)) return number ? Order::less : Order::greater;
    if (const Order order = number ? compare_numbers(a, b) : compare_text(a, b); order != Order::equal) return order;
  }
  return left.empty() == right.empty() ? Order::equal : left.empty() ? Order::less : Order::greater;
}

// By identifiers between dots: numbers as numbers and before words, fewer before more. In a word the numbers count as
// such, as nobody means rc10 to be older than rc9; Go does.
Order compare_identifier(std::string_view left, std::string_view right, bool strict) {
  if (all_digits(left) && all_digits(right)) return compare_numbers(left, right);
  if (all_digits(left) != all_digits(right)) return all_digits(left) ? Order::less : Order::greater;
  if (strict) return compare_text(left, right);
  std::string_view a = left, b = right;
  const int rank_a = pre_release_rank(take_letters(a)), rank_b = pre_release_rank(take_letters(b));
  if (rank_a != rank_b) return rank_a < rank_b ? Order::less : Order::greater;
  return compare_runs(left, right);
}

std::string_view next_identifier(std::string_view& rest) {
  const auto end = rest.find('.');
  const auto taken = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return taken;
}

Order compare_pre_releases(std::string_view left, std::string_view right, bool strict) {
  while (!left.empty() && !right.empty()) {
    const auto order = compare_identifier(next_identifier(left), next_identifier(right), strict);
    if (order != Order::equal) return order;
  }
  return left.empty() == right.empty() ? Order::equal : left.empty() ? Order::less : Order::greater;
}

constexpr std::string_view kBetween = ".-_~";

// Vendors' builds of one version: the same words with other numbers are later or earlier builds of one vendor. Digits
// among letters are a hash: "eks-036c24b".
Order compare_builds(std::string_view left, std::string_view right) {
  Order found = Order::equal;
  while (!left.empty() && !right.empty()) {
    const auto a = left.substr(0, left.find_first_of(kBetween)), b = right.substr(0, right.find_first_of(kBetween));
    left.remove_prefix(a.size());
    right.remove_prefix(b.size());
    const bool numbers = all_digits(a) && all_digits(b);
    if (!numbers && a != b) return Order::incomparable;
    if (numbers && found == Order::equal) found = compare_numbers(a, b);
    if (left.empty() || right.empty()) break;
    if (left.front() != right.front()) return Order::incomparable;
    left.remove_prefix(1);
    right.remove_prefix(1);
  }
  return left.empty() && right.empty() ? found : Order::incomparable;
}

Order compare_parts(const Parts& a, const Parts& b, bool strict) {
  if (const Order order = compare_lines(a.numbers, b.numbers); order != Order::equal) return order;
  if (a.kind == Suffix::vendor && b.kind == Suffix::vendor) return compare_builds(a.suffix, b.suffix);
  if (a.kind == Suffix::vendor || b.kind == Suffix::vendor) return Order::incomparable;
  if (a.kind != b.kind) return a.kind == Suffix::pre_release ? Order::less : Order::greater;
  return compare_pre_releases(a.suffix, b.suffix, strict);
}

bool is_semver(std::string_view text) { return is_one(text, false); }
bool is_go(std::string_view text) { return is_one(text, true); }
Order compare_semver(std::string_view left, std::string_view right) {
  return compare_parts(parts_of(left, false), parts_of(right, false), false);
}
Order compare_go(std::string_view left, std::string_view right) {
  return compare_parts(parts_of(left, true), parts_of(right, true), true);
}
std::string_view line_of(std::string_view text) {
  take(text, 'v');
  return leading_numbers(text, 2);
}

}  // namespace

extern const Rules kSemver = {is_semver, compare_semver, line_of};
extern const Rules kGo = {is_go, compare_go, line_of};

}  // namespace assay::version
