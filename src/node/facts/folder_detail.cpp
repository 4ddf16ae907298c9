#include "node/facts/folder_detail.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace assay::node {

namespace {

Seen<std::int64_t> number(const std::string& path, std::string_view line, int base) {
  const std::string_view digits = base == 16 && line.starts_with("0x") ? line.substr(2) : line;
  const auto value = digits.starts_with('-') && base == 16 ? std::nullopt : text::integer(digits, base);
  if (!value)
    return unseen(Absence::malformed, fmt::format("{} holds \"{}\", not an integer", path, line.substr(0, 60)));
  return *value;
}

}  // namespace

Folder::~Folder() {
  if (!transcript_.empty()) host_.note("files of " + path_, transcript_);
}

Seen<std::string> Folder::line(const std::string& name) {
  auto content =
      host_.text(at(name), 4096, false).map([](const std::string& text) { return std::string(text::trim(text)); });
  if (content) transcript_ += fmt::format("{}: {}\n", name, *content);
  if (content && content->empty()) return unseen(Absence::missing, at(name) + " is empty");
  return content;
}

Seen<std::int64_t> Folder::decimal(const std::string& name) {
  return line(name).and_then([&](const std::string& text) { return number(at(name), text, 10); });
}

Seen<std::int64_t> Folder::hexadecimal(const std::string& name) {
  return line(name).and_then([&](const std::string& text) { return number(at(name), text, 16); });
}

}  // namespace assay::node
