// Text from nodes is untrusted: numbers are read whole or not at all, and nothing reaches a screen unescaped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::text {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
// Fields separated by runs of blanks and tabs.
std::vector<std::string_view> words(std::string_view text);
// Lines without their ends; a last line without "\n" counts, "\r\n" is one end.
std::vector<std::string_view> lines(std::string_view text);
std::string lower(std::string_view text);
std::string upper(std::string_view text);
bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes);

// The whole text is one number in range, or nothing: "12 MB", "", "1e3" and " 5" are not integers.
std::optional<std::int64_t> integer(std::string_view text, int base = 10);
// A finite decimal number ("nan", "inf", "" and "1.2.3" are none).
std::optional<double> decimal(std::string_view text);

bool valid_utf8(std::string_view text);
// Invalid bytes become U+FFFD; the result is valid UTF-8 of at most `limit` bytes, cut between characters.
std::string to_utf8(std::string_view bytes, std::size_t limit = std::string::npos);
// For a terminal: control characters, escapes and bidirectional overrides become visible \xNN or \u{NNNN}.
// Newlines and tabs are escaped too, so that one item stays one line.
std::string printable(std::string_view text);
// For HTML text and quoted attributes.
std::string html(std::string_view text);

// Names sorted as people count: n2 before n10.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace assay::text
