// Python's versions, PEP 440: [v][N!]N(.N)*[{a|b|rc}N][.postN][.devN][+local], with the spellings that it normalizes.
#include "version/scan.hpp"

namespace assay::version {

namespace {

struct Parts {
  bool sound = false;
  std::string_view epoch, release;
  int pre_rank = 0;  // 0: no pre-release
  std::string_view pre;
  bool has_post = false, has_dev = false;
  std::string_view post, dev, local;
};

void take_separator(std::string_view& rest) { take(rest, '.') || take(rest, '-') || take(rest, '_'); }

// The word, a separator before and behind it allowed, and its number. Nothing is taken if it isn't one of `is`.
template <class Is>
bool take_word(std::string_view& rest, Is is, std::string_view& number) {
  std::string_view ahead = rest;
  take_separator(ahead);
  const auto word = take_letters(ahead);
  if (word.empty() || !is(word)) return false;
  std::string_view behind = ahead;
  take_separator(behind);
  if (!behind.empty() && is_digit(behind.front())) ahead = behind;
  number = take_digits(ahead);
  rest = ahead;
  return true;
}

int pre_rank(std::string_view word) {
  const int rank = pre_release_rank(word);
  const bool is_it = same_word(word, "a") || same_word(word, "alpha") || same_word(word, "b") ||
                     same_word(word, "beta") || same_word(word, "c") || same_word(word, "rc") ||
                     same_word(word, "pre") || same_word(word, "preview");
  return !is_it ? 0 : rank == 4 ? 5 : rank;  // pre and preview are spellings of rc
}

bool take_post(std::string_view& rest, std::string_view& number) {
  if (rest.size() > 1 && rest.front() == '-' && is_digit(rest[1])) {  // 1.0-1
    rest.remove_prefix(1);
    number = take_digits(rest);
    return true;
  }
  return take_word(
      rest,
      [](std::string_view word) { return same_word(word, "post") || same_word(word, "rev") || same_word(word, "r"); },
      number);
}

bool sound_local(std::string_view local) {
  if (local.empty()) return false;
  bool between = true;
  for (const char c : local) {
    const bool separator = c == '.' || c == '-' || c == '_';
    if ((separator && between) || (!separator && !is_digit(c) && !is_letter(c))) return false;
    between = separator;
  }
  return !between;
}

Parts parts_of(std::string_view text) {
  Parts parts;
  take(text, 'v');
  std::string_view ahead = text;
  if (const auto epoch = take_digits(ahead); !epoch.empty() && take(ahead, '!')) {
    parts.epoch = epoch;
    text = ahead;
  }
  parts.release = leading_numbers(text, 16);
  if (parts.release.empty()) return parts;
  text.remove_prefix(parts.release.size());
  std::string_view number;
  if (take_word(
          text, [&](std::string_view word) { return (parts.pre_rank = pre_rank(word)) > 0; }, number))
    parts.pre = number;
  parts.has_post = take_post(text, parts.post);
  parts.has_dev = take_word(
      text, [](std::string_view word) { return same_word(word, "dev"); }, parts.dev);
  if (take(text, '+')) {
    parts.local = text;
    parts.sound = sound_local(text);
  } else {
    parts.sound = text.empty();
  }
  return parts;
}

bool is_version(std::string_view text) { return parts_of(text).sound; }

// dev of a release < a < b < rc < the release < post; within one of these dev is the earliest.
Order compare_phase(const Parts& a, const Parts& b) {
  const auto phase = [](const Parts& parts) {
    if (parts.pre_rank > 0) return parts.pre_rank;
    return parts.has_dev && !parts.has_post ? 0 : 9;
  };
  if (phase(a) != phase(b)) return phase(a) < phase(b) ? Order::less : Order::greater;
  if (const Order order = compare_numbers(a.pre, b.pre); order != Order::equal) return order;
  if (a.has_post != b.has_post) return a.has_post ? Order::greater : Order::less;
  if (const Order order = compare_numbers(a.post, b.post); order != Order::equal) return order;
  if (a.has_dev != b.has_dev) return a.has_dev ? Order::less : Order::greater;
  return compare_numbers(a.dev, b.dev);
}

std::string_view next_segment(std::string_view& rest) {
  const auto end = rest.find_first_of(".-_");
  const auto taken = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return taken;
}

// Segments: numbers are newer than words, more than fewer.
Order compare_local(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    const auto a = next_segment(left), b = next_segment(right);
    const bool number = all_digits(a);
    if (number != all_digits(b)) return number ? Order::greater : Order::less;
    const Order order = number ? compare_numbers(a, b) : compare_words(a, b);
    if (order != Order::equal) return order;
  }
  return left.empty() == right.empty() ? Order::equal : left.empty() ? Order::less : Order::greater;
}

Order compare(std::string_view left, std::string_view right) {
  const Parts a = parts_of(left), b = parts_of(right);
  if (const Order order = compare_numbers(a.epoch, b.epoch); order != Order::equal) return order;
  if (const Order order = compare_lines(a.release, b.release); order != Order::equal) return order;
  if (const Order order = compare_phase(a, b); order != Order::equal) return order;
  return compare_local(a.local, b.local);
}

std::string_view line_of(std::string_view text) {
  take(text, 'v');
  if (const auto epoch = text.find('!'); epoch != std::string_view::npos) text.remove_prefix(epoch + 1);
  return leading_numbers(text, 2);
}

}  // namespace

extern const Rules kPep440 = {is_version, compare, line_of};

}  // namespace assay::version
