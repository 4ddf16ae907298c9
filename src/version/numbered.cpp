// Schemes that are a few numbers: NVIDIA's drivers, ConnectX firmware, UFM.
#include <algorithm>
#include <array>

#include "version/scan.hpp"

namespace assay::version {

namespace {

// The numbers of a text and how many there are; 0 if it is anything else.
struct Numbers {
  std::array<std::string_view, 5> at;
  int count = 0;
};

Numbers numbers_of(std::string_view text, std::string_view separators) {
  Numbers numbers;
  while (numbers.count < static_cast<int>(numbers.at.size())) {
    const auto digits = take_digits(text);
    if (digits.empty()) return {};
    numbers.at[static_cast<std::size_t>(numbers.count++)] = digits;
    if (text.empty()) return numbers;
    if (separators.find(text.front()) == std::string_view::npos) return {};
    text.remove_prefix(1);
  }
  return {};
}

Order compare_each(const Numbers& left, const Numbers& right) {
  for (int i = 0; i < std::max(left.count, right.count); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (const Order order = compare_numbers(left.at[at], right.at[at]); order != Order::equal) return order;
  }
  return Order::equal;
}

// 71.86.01 was the oldest that is still spoken of; the second and third numbers have had two or three digits. Two
// numbers of which the first has two digits are a release of CUDA or of vGPU.
bool is_driver(std::string_view text) {
  const Numbers numbers = numbers_of(text, ".");
  return (numbers.count == 2 || numbers.count == 3) &&
         (numbers.at[0].size() == 3 || (numbers.at[0].size() == 2 && numbers.count == 3)) &&
         numbers.at[0].front() != '0' && numbers.at[1].size() <= 3 && numbers.at[2].size() <= 2;
}

Order compare_driver(std::string_view left, std::string_view right) {
  return compare_each(numbers_of(left, "."), numbers_of(right, "."));
}

// MODEL.TRAIN.PATCH or TRAIN.PATCH: 28.39.3560, 39.3560.
bool is_firmware(std::string_view text) {
  const Numbers numbers = numbers_of(text, ".");
  if (numbers.count != 2 && numbers.count != 3) return false;
  const auto patch = numbers.at[static_cast<std::size_t>(numbers.count - 1)];
  return numbers.at[0].size() == 2 && (numbers.count == 2 || numbers.at[1].size() == 2) && patch.size() == 4;
}

std::string_view without_model(std::string_view text) {
  return numbers_of(text, ".").count == 3 ? text.substr(text.find('.') + 1) : text;
}

Order compare_firmware(std::string_view left, std::string_view right) {
  const Numbers a = numbers_of(left, "."), b = numbers_of(right, ".");
  if (a.count == 3 && b.count == 3 && a.at[0] != b.at[0]) return Order::incomparable;
  return compare_each(numbers_of(without_model(left), "."), numbers_of(without_model(right), "."));
}

bool is_ufm(std::string_view text) {
  const auto dash = text.find('-');
  const Numbers version = numbers_of(text.substr(0, dash), ".");
  return version.count >= 3 && version.count <= 4 &&
         (dash == std::string_view::npos || all_digits(text.substr(dash + 1)));
}

// Without a build it isn't known which of its version's it is.
Order compare_ufm(std::string_view left, std::string_view right) {
  const auto dash_a = left.find('-'), dash_b = right.find('-');
  const Order order = compare_each(numbers_of(left.substr(0, dash_a), "."), numbers_of(right.substr(0, dash_b), "."));
  if (order != Order::equal) return order;
  constexpr auto kNone = std::string_view::npos;
  if (dash_a == kNone || dash_b == kNone) return dash_a == dash_b ? Order::equal : Order::incomparable;
  return compare_numbers(left.substr(dash_a + 1), right.substr(dash_b + 1));
}

std::string_view first_number(std::string_view text) { return leading_numbers(text, 1); }
std::string_view two_numbers(std::string_view text) { return leading_numbers(text, 2); }
std::string_view train(std::string_view text) { return leading_numbers(without_model(text), 1); }

}  // namespace

extern const Rules kNvidiaDriver = {is_driver, compare_driver, first_number};
extern const Rules kFirmware = {is_firmware, compare_firmware, train};
extern const Rules kUfm = {is_ufm, compare_ufm, two_numbers};

}  // namespace assay::version
