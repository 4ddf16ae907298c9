// Our own because the agent links no library but the C++ runtime.
#include "base/base64.hpp"

#include <array>
#include <cstdint>

namespace assay {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> reverse_alphabet() {
  std::array<std::int8_t, 256> table{};
  for (auto& entry : table) entry = -1;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  return table;
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
    };
    const std::uint32_t group = (byte(0) << 16) | (byte(1) << 8) | byte(2);
    for (int k = 0; k < 4; ++k) text += kAlphabet[(group >> (18 - 6 * k)) & 63];
  }
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  text.replace(text.size() - padding, padding, padding, '=');
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  static constexpr auto kReverse = reverse_alphabet();
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pad = i >= text.size() - padding;
    const int value = pad ? 0 : kReverse[static_cast<unsigned char>(text[i])];
    if (value < 0) return std::nullopt;
    group = (group << 6) | static_cast<std::uint32_t>(value);
    if (i % 4 == 3) {
      for (int k = 2; k >= 0; --k) bytes += static_cast<char>((group >> (8 * k)) & 255);
      group = 0;
    }
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace assay
