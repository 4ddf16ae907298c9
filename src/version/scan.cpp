#include "version/scan.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace assay::version {

namespace {

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::array<std::pair<std::string_view, int>, 14> kPreReleases = {{{"dev", 1},
                                                                            {"snapshot", 1},
                                                                            {"nightly", 1},
                                                                            {"a", 2},
                                                                            {"alpha", 2},
                                                                            {"ea", 2},
                                                                            {"b", 3},
                                                                            {"beta", 3},
                                                                            {"m", 3},
                                                                            {"milestone", 3},
                                                                            {"pre", 4},
                                                                            {"preview", 4},
                                                                            {"c", 5},
                                                                            {"rc", 5}}};

}  // namespace

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

Order compare_text(std::string_view left, std::string_view right) {
  const int order = left.compare(right);
  return order < 0 ? Order::less : order > 0 ? Order::greater : Order::equal;
}

Order compare_numbers(std::string_view left, std::string_view right) {
  left.remove_prefix(std::min(left.find_first_not_of('0'), left.size()));
  right.remove_prefix(std::min(right.find_first_not_of('0'), right.size()));
  if (left.size() != right.size()) return left.size() < right.size() ? Order::less : Order::greater;
  return compare_text(left, right);
}

Order compare_words(std::string_view left, std::string_view right) {
  const auto [a, b] = std::mismatch(left.begin(), left.end(), right.begin(), right.end(),
                                    [](char x, char y) { return to_lower(x) == to_lower(y); });
  if (a == left.end() || b == right.end())
    return a != left.end() ? Order::greater : b != right.end() ? Order::less : Order::equal;
  return static_cast<unsigned char>(to_lower(*a)) < static_cast<unsigned char>(to_lower(*b)) ? Order::less
                                                                                             : Order::greater;
}

bool same_word(std::string_view left, std::string_view right) { return compare_words(left, right) == Order::equal; }

std::string_view leading_numbers(std::string_view text, int count) {
  std::string_view rest = text;
  std::size_t end = 0;
  for (int i = 0; i < count; ++i) {
    if (take_digits(rest).empty()) break;
    end = text.size() - rest.size();
    if (!take(rest, '.')) break;
  }
  return text.substr(0, end);
}

std::string_view no_line(std::string_view) { return {}; }

int pre_release_rank(std::string_view word) {
  for (const auto& [name, rank] : kPreReleases)
    if (same_word(word, name)) return rank;
  return 0;
}

}  // namespace assay::version
