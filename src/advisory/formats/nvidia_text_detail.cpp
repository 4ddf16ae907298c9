#include "advisory/formats/nvidia_text_detail.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text.hpp"

namespace assay::advisory::formats {

namespace {

using Text = std::string_view;

tl::unexpected<std::string> refuse(std::string expected) { return tl::unexpected(std::move(expected)); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// One blank between words, none at the ends, "," and "." at the end left out; in lower case.
std::string tidy(Text text) {
  std::string words;
  for (const Text word : text::words(text)) words += (words.empty() ? "" : " ") + text::lower(word);
  while (!words.empty() && (words.back() == ',' || words.back() == '.' || words.back() == ' ')) words.pop_back();
  return words;
}

bool take(std::string& text, Text start) {
  if (!text.starts_with(start)) return false;
  text.erase(0, start.size());
  return true;
}

bool take_end(std::string& text, Text end) {
  if (!text.ends_with(end)) return false;
  text.erase(text.size() - end.size());
  return true;
}

bool take_any(std::string& text, std::initializer_list<Text> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](Text start) { return take(text, start); });
}

bool take_any_end(std::string& text, std::initializer_list<Text> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](Text end) { return take_end(text, end); });
}

void replace_all(std::string& text, Text what, Text with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// Words before a version that only name the product again.
void take_names(std::string& text, Text product) {
  const std::string name = text::lower(product) + " ";
  while (take(text, name) ||
         take_any(text, {"cuda toolkit ",
                         "nvidia ",
                         "release ",
                         "igx ",
                         "cumulus linux ",
                         "cumulus ",
                         "nvos ",
                         "curator ",
                         "dls ",
                         "nvjpeg2000 ",
                         "nvjpeg ",
                         "nvtiff ",
                         "sbios firmware ",
                         "bmc firmware ",
                         "isaac sim ",
                         "chatrtx ",
                         "gb200 ",
                         "gb300 ",
                         "b300 ",
                         "jp5.x: ",
                         "jp6.x: ",
                         "aistore on kubernetes ",
                         "versions ",
                         "version ",
                         "se ",
                         "nim "}) ||
         take_any(text, {"snap-", "snap4 ", "snap "}))
    ;
}

// "v1.3.0 rc15" → 1.3.0-rc15, "12.5u1" and "12.5 update 1" → 12.5.1, "xx.32.1900" → 32.1900, "6.15.6-4 lts" → 6.15.6-4.
std::optional<std::string> version_of(Text told, Text product) {
  std::string text(text::trim(told));
  take_names(text, product);
  take_any_end(text, {" lts", " ga", " (latest)", " release"});
  replace_all(text, " update ", ".");
  replace_all(text, " rc", "-rc");
  take(text, "xx.");
  if (text.size() > 1 && (text[0] == 'v' || text[0] == 'r') && is_digit(text[1])) text.erase(0, 1);
  if (const auto update = text.rfind('u'); update != std::string::npos && update > 0 && is_digit(text[update - 1]) &&
                                           text::integer(Text(text).substr(update + 1)))
    text[update] = '.';
  if (text.empty() || text.size() > 40 || !is_digit(text[0])) return std::nullopt;
  bool dotted = false;
  for (const char c : text) {
    const bool letter = c >= 'a' && c <= 'z';
    if (!is_digit(c) && !letter && c != '.' && c != '-' && c != '_') return std::nullopt;
    dotted = dotted || c == '.';
  }
  if (text.find("xx") != std::string::npos || !is_digit(text.back()) || text.find("..") != std::string::npos) {
    // "10.24.09a" is a version, "25.02.42xx" a family of them.
    const bool patch_letter =
        text.size() > 2 && text.back() >= 'a' && text.back() <= 'c' && is_digit(text[text.size() - 2]);
    if (!patch_letter) return std::nullopt;
  }
  return dotted ? std::optional(text) : std::nullopt;
}

// "0", "0.0": from the first.
std::optional<std::string> start_of(Text told, Text product) {
  const std::string text(text::trim(told));
  if (text == "0" || text == "0.0" || text == "0.0.0") return std::string();
  return version_of(text, product);
}

// "6.15.x", "32.x", "2.10": the line as a range up to the next one.
std::optional<Range> line_of(Text told) {
  std::string text(text::trim(told));
  take_any_end(text, {" lts", " ga"});
  take_end(text, ".x");
  const auto dot = text.rfind('.');
  const auto last = text::integer(Text(text).substr(dot == std::string::npos ? 0 : dot + 1));
  if (!last || *last < 0 || *last > 1'000'000 || text.find_first_not_of("0123456789.") != std::string::npos)
    return std::nullopt;
  const std::string head = dot == std::string::npos ? "" : text.substr(0, dot + 1);
  const auto dotted = [](const std::string& line) { return line.find('.') == std::string::npos ? line + ".0" : line; };
  return Range{dotted(text), dotted(head + std::to_string(*last + 1)), ""};
}

// The words in brackets, taken off the end; several are joined.
std::string take_brackets(std::string& text) {
  std::string inside;
  for (auto open = text.find('('); open != std::string::npos; open = text.find('(')) {
    const auto close = text.find(')', open);
    if (close == std::string::npos) break;
    inside += (inside.empty() ? "" : "; ") + text.substr(open + 1, close - open - 1);
    text.erase(open, close - open + 1);
  }
  text = tidy(text);
  return inside;
}

// Brackets that say in other words what stands before them, or name a release.
bool is_other_name(Text inside) {
  return text::starts_with_any(inside, {"vgpu", "all versions", "bfb", "latest", "prod", "chatwithrtx"}) ||
         inside.ends_with("release");
}

bool includes_its_end(Text inside) {
  return inside.find("prior to and including") != Text::npos || inside.find("up to and including") != Text::npos;
}

// Conditions in brackets. False: words that aren't understood.
bool read_brackets(const std::string& inside, AffectedText& read) {
  if (inside.empty() || is_other_name(inside)) {
    read.note = inside;
    return true;
  }
  std::string rest = inside;
  if (take(rest, "cdi mode only for versions prior to ")) {
    read.conditions = {"cdi=on"};
    const auto before = version_of(rest, "");
    read.conditions_before = before.value_or("");
    return before.has_value();
  }
  if (rest == "only when cdi is enabled" || rest == "cdi mode only") {
    read.conditions = {"cdi=on"};
    return true;
  }
  if (rest == "only when device-list-strategy is cdi-annotations and/or cdi-cri") {
    read.conditions = {"device-list-strategy=cdi-annotations|cdi-cri"};
    return true;
  }
  const auto list = text::split(inside, ',');  // "5.13.x, 5.12.x, and older ga versions": what stands before says it
  read.note = inside;
  return list.size() > 1 && inside.find("older") != std::string::npos;
}

// "for support of geforce kepler desktop", "only gpus based on the nvidia maxwell, volta, and pascal gpu architectures
// are affected": taken off the end as a condition.
void take_generations(std::string& text, AffectedText& read) {
  const auto at = std::min(text.find(" for support of"), text.find(" only gpus based on"));
  if (at == std::string::npos) return;
  std::string generations;
  for (const char* one : {"kepler", "maxwell", "pascal", "volta"})
    if (text.find(one, at) != std::string::npos) generations += (generations.empty() ? "" : "|") + std::string(one);
  if (generations.empty()) return;
  read.conditions.push_back("gpu-generation=" + generations);
  text.erase(at);
  take_end(text, ".");
  take_end(text, " to");  // "prior 475.06 to for support of"
}

bool take_all_versions(std::string& text) {
  return take_any(text, {"all driver versions", "all drivers versions", "all driver version",
                         "all sbios firmware versions", "all sbios versions", "all sbios", "all bmc firmware versions",
                         "all bmc versions", "all versions", "main branch"});
}

using Read = tl::expected<AffectedText, std::string>;

Read one_end(AffectedText read, Text told, Text product, bool included) {
  const auto version = version_of(told, product);
  if (!version) return refuse("a version behind the words that bound it");
  read.ranges = {included ? Range{"", "", *version} : Range{"", *version, ""}};
  return read;
}

// "prior to 0.13.1 and 0.12.3": an end for each line, which the mended versions tell better.
Read several_ends(AffectedText read, Text told, Text product) {
  std::string list(told);
  replace_all(list, " and ", ",");
  for (const Text one : text::split(list, ',')) {
    const auto version = version_of(one, product);
    if (!version) return refuse("versions joined by \"and\"");
    read.ranges.push_back({"", *version, ""});
  }
  return read;
}

// Behind "all versions": up to where.
Read read_bound(AffectedText read, std::string text, Text product) {
  text = tidy(text);
  if (text.empty()) {
    read.ranges = {Range{}};
    return read;
  }
  if (take_any(text, {"prior to and including ", "up to and including ", "up to "}))
    return one_end(std::move(read), text, product, true);
  if (take_any(text, {"prior to ", "prior ", "before "})) {
    if (text.find(" and ") != std::string::npos) return several_ends(std::move(read), text, product);
    return one_end(std::move(read), text, product, false);
  }
  return refuse("\"prior to\", \"up to\" or nothing behind \"all versions\"");
}

// "all 2.9 versions prior to 2.9.3", "6.15.x lts prior to 6.15.6-4 lts", "all 2.10 versions".
std::optional<Range> line_and_end(std::string text, Text product) {
  take(text, "all ");
  std::string end;
  if (const auto at = text.find(" prior to "); at != std::string::npos) {
    end = text.substr(at + 10);
    text.erase(at);
  }
  take_end(text, " versions");
  const bool line = text.ends_with(".x") || text.ends_with(".x lts") || !end.empty() || !text.empty();
  auto range = line ? line_of(text) : std::nullopt;
  if (!range || end.empty()) return range;
  const auto version = version_of(end, product);
  if (!version) return std::nullopt;
  range->fixed = *version;
  return range;
}

// "22.09 to 24.03", "0.0 - 2.0", "0.0-26.05", "v19.11 through v24.08".
std::optional<Range> from_to(const std::string& text, Text product) {
  for (const Text word : {" to ", " through ", " - ", "-"}) {
    const auto at = text.find(word);
    if (at == std::string::npos) continue;
    const auto from = start_of(Text(text).substr(0, at), product);
    const auto last = version_of(Text(text).substr(at + word.size()), product);
    if (from && last && (word != "-" || from->empty())) return Range{*from, "", *last};
  }
  return std::nullopt;
}

Read read_list(AffectedText read, const std::string& text, Text product) {
  std::string list = text;
  replace_all(list, " and ", ",");
  for (Text one : text::split(list, ',')) {
    one = text::trim(one);
    if (one.empty()) continue;
    if (one.ends_with(".x") || one.ends_with(".x lts")) {
      const auto range = line_of(one);
      if (!range) return refuse("a line like 6.15.x");
      read.ranges.push_back(*range);
    } else if (const auto version = version_of(one, product)) {
      read.versions.push_back(*version);
    } else {
      return refuse("versions, a bound, or \"all versions\"");
    }
  }
  return read;
}

}  // namespace

Read read_affected(Text told, Text product) {
  if (told.size() > 300) return refuse("at most 300 bytes");
  std::string text = tidy(told);
  if (text.empty()) return refuse("a text that tells versions");
  AffectedText read;
  take_generations(text, read);
  const std::string inside = take_brackets(text);
  if (!read_brackets(inside, read)) return refuse("brackets that name a release or a condition");
  // A driver's "535.154.02(All versions up to and including vGPU 16.3)" bounds it from above.
  if (const auto version = version_of(text, product); version && includes_its_end(inside)) {
    read.ranges = {{"", "", *version}};
    return read;
  }
  take_names(text, product);
  if (take_all_versions(text)) return read_bound(std::move(read), text, product);
  if (take_any_end(
          text, {" and earlier", " and prior versions", " and prior releases", " and older versions", " and older"})) {
    text.resize(std::min(text.find(','), text.size()));  // "5.12, 5.11, 5.10, 5.9 and older": the newest first
    return one_end(std::move(read), text, product, true);
  }
  if (text.starts_with("all ") || text.find(".x lts prior to ") != std::string::npos) {
    const auto range = line_and_end(text, product);
    if (!range) return refuse("\"all N versions\", with an end or without");
    read.ranges = {*range};
    return read;
  }
  if (const auto range = from_to(text, product)) {
    read.ranges = {*range};
    return read;
  }
  return read_list(std::move(read), text, product);
}

tl::expected<std::vector<std::string>, std::string> read_fixed(Text told, Text product) {
  if (told.size() > 300) return refuse("at most 300 bytes");
  std::string text = tidy(told);
  if (text == "no patch will be provided") return std::vector<std::string>();
  take_brackets(text);
  take_end(text, " to be published by end of september");
  take_any_end(text, {" or later", " or newer", " and later", " and newer"});
  replace_all(text, " and ", ",");
  std::vector<std::string> versions;
  for (const Text one : text::split(text, ',')) {
    if (text::trim(one).empty()) continue;
    const auto version = version_of(one, product);
    if (!version) return refuse("versions that are mended");
    versions.push_back(*version);
  }
  if (versions.empty()) return refuse("versions that are mended");
  return versions;
}

}  // namespace assay::advisory::formats
