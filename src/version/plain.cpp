// Numbers and words by turns. Separators only divide. A word that is a pre-release ("rc1", "b2") stands before the end,
// any other ("p1", a single letter) behind it; a number missing is a zero.
#include "version/scan.hpp"

namespace assay::version {

namespace {

constexpr std::string_view kSeparators = ".-_+~";

struct Token {
  enum class Kind { pre_release, end, number, word };
  Kind kind = Kind::end;
  std::string_view text;
};

void skip_separators(std::string_view& rest) {
  while (!rest.empty() && kSeparators.find(rest.front()) != std::string_view::npos) rest.remove_prefix(1);
}

// A single letter with nothing or a separator behind it is a patch: 1.1.1a. With a number behind it, it's what it says.
bool is_patch_letter(std::string_view word, std::string_view behind) {
  return word.size() == 1 && (behind.empty() || !is_digit(behind.front()));
}

Token next(std::string_view& rest) {
  skip_separators(rest);
  if (rest.empty()) return {};
  if (is_digit(rest.front())) return {Token::Kind::number, take_digits(rest)};
  const auto word = take_letters(rest);
  const bool pre = pre_release_rank(word) > 0 && !is_patch_letter(word, rest);
  return {pre ? Token::Kind::pre_release : Token::Kind::word, word};
}

bool is_version(std::string_view text) {
  std::string_view rest = text;
  take(rest, 'v');
  if (rest.empty() || !is_digit(rest.front())) return false;
  int letters = 0;
  for (const char c : rest) {
    if (!is_digit(c) && !is_letter(c) && kSeparators.find(c) == std::string_view::npos) return false;
    letters = is_letter(c) ? letters + 1 : 0;
    if (letters > 12) return false;
  }
  return rest.find('.') != std::string_view::npos || all_digits(leading_numbers(rest, 1));
}

Order compare_words(const Token& left, const Token& right) {
  const int a = pre_release_rank(left.text), b = pre_release_rank(right.text);
  if (left.kind == Token::Kind::pre_release && a != b) return a < b ? Order::less : Order::greater;
  if (left.kind == Token::Kind::pre_release || same_word(left.text, right.text)) return Order::equal;
  return compare_text(left.text, right.text);
}

Order compare(std::string_view left, std::string_view right) {
  take(left, 'v');
  take(right, 'v');
  while (!left.empty() || !right.empty()) {
    std::string_view rest_a = left, rest_b = right;
    Token a = next(rest_a), b = next(rest_b);
    using Kind = Token::Kind;
    if (a.kind == Kind::number || b.kind == Kind::number) {  // the other side's missing number is a zero
      if (a.kind != Kind::number) a = {Kind::number, "0"}, rest_a = left;
      if (b.kind != Kind::number) b = {Kind::number, "0"}, rest_b = right;
      if (const Order order = compare_numbers(a.text, b.text); order != Order::equal) return order;
    } else if (a.kind != b.kind) {
      return a.kind < b.kind ? Order::less : Order::greater;
    } else if (const Order order = compare_words(a, b); order != Order::equal) {
      return order;
    }
    left = rest_a;
    right = rest_b;
    skip_separators(left);
    skip_separators(right);
  }
  return Order::equal;
}

std::string_view line_of(std::string_view text) {
  take(text, 'v');
  return leading_numbers(text, 2);
}

}  // namespace

extern const Rules kPlain = {is_version, compare, line_of};

}  // namespace assay::version
