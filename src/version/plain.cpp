// Numbers and words by turns. Separators only divide. A word that is a pre-release ("rc1", "b2") stands before the end,
// any other ("p1", a single letter) behind it; a number missing is a zero.
#include "version/scan.hpp"

namespace assay::version {

namespace {

constexpr std::string_view kSeparators = ".-_+~";
constexpr std::size_t kLongestWord = 12;

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

// "404page" is none: a number without dots has at most a letter or the word of a pre-release behind it ("2023a",
// "5rc1").
bool has_form(std::string_view text) {
  take_digits(text);
  if (text.empty() || kSeparators.find(text.front()) != std::string_view::npos) return true;
  const auto word = take_letters(text);
  return word.size() == 1 || pre_release_rank(word) > 0;
}

bool is_version(std::string_view text) {
  take(text, 'v');
  if (text.empty() || !is_digit(text.front()) || !has_form(text)) return false;
  bool between = false;
  for (std::string_view rest = text; !rest.empty();) {
    between = kSeparators.find(rest.front()) != std::string_view::npos;
    if (between)
      rest.remove_prefix(1);
    else if (is_digit(rest.front()))
      take_digits(rest);
    else if (const auto word = take_letters(rest); word.empty() || word.size() > kLongestWord)
      return false;
    if (between && (rest.empty() || kSeparators.find(rest.front()) != std::string_view::npos)) return false;
  }
  return true;
}

Order compare_tokens(const Token& left, const Token& right) {
  const int a = pre_release_rank(left.text), b = pre_release_rank(right.text);
  if (left.kind == Token::Kind::pre_release && a != b) return a < b ? Order::less : Order::greater;
  return left.kind == Token::Kind::pre_release ? Order::equal : compare_words(left.text, right.text);
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
    } else if (const Order order = compare_tokens(a, b); order != Order::equal) {
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
