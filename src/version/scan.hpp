// What the schemes are made of: numbers of any length, words, and a cursor over a text. Nothing here allocates.
#pragma once

#include <string_view>

#include "version/order.hpp"

namespace assay::version {

inline constexpr std::size_t kLongest = 128;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// What `is` holds for, from the front of `rest`, taken off it. Here, not in scan.cpp: comparing is nothing else.
template <class Is>
std::string_view take_while(std::string_view& rest, Is is) {
  std::size_t end = 0;
  while (end < rest.size() && is(rest[end])) ++end;
  const auto taken = rest.substr(0, end);
  rest.remove_prefix(end);
  return taken;
}

// Digits from the front of `rest`, taken off it; empty if there are none.
inline std::string_view take_digits(std::string_view& rest) { return take_while(rest, is_digit); }
// Letters likewise.
inline std::string_view take_letters(std::string_view& rest) { return take_while(rest, is_letter); }
// True, and taken off, if `rest` begins with `c`.
inline bool take(std::string_view& rest, char c) {
  if (rest.empty() || rest.front() != c) return false;
  rest.remove_prefix(1);
  return true;
}
bool all_digits(std::string_view text);

// Two runs of digits as numbers; empty is zero.
Order compare_numbers(std::string_view left, std::string_view right);
Order compare_text(std::string_view left, std::string_view right);
// Words, letter case ignored.
Order compare_words(std::string_view left, std::string_view right);
bool same_word(std::string_view left, std::string_view right);

constexpr Order mirror(Order order) {
  return order == Order::less ? Order::greater : order == Order::greater ? Order::less : order;
}

// Each scheme: whether it is one, the order of two that are, and its line.
struct Rules {
  bool (*is_version)(std::string_view text);
  Order (*compare)(std::string_view left, std::string_view right);
  std::string_view (*line)(std::string_view text);
};

extern const Rules kDpkg, kRpm, kSemver, kGo, kPep440, kNvidiaDriver, kFirmware, kUfm, kKernel, kPlain;

// A prefix of `count` numbers joined by dots; all there are, if fewer.
std::string_view leading_numbers(std::string_view text, int count);
std::string_view no_line(std::string_view text);

// "a", "alpha", "beta", "rc", "pre", "dev", …: what stands before a release. `rank` of them: lower is earlier; 0: none.
int pre_release_rank(std::string_view word);

}  // namespace assay::version
