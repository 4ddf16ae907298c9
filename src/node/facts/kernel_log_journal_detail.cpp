// journalctl -o json: an entry a line, every value a text; a message that isn't UTF-8 is a list of its bytes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "node/facts/kernel_log_forms_detail.hpp"

namespace assay::node::kernel_log {

namespace {

using Json = nlohmann::json;

std::optional<std::string> field(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<std::string> message_of(const Json& entry) {
  const auto found = entry.find("MESSAGE");
  if (found == entry.end() || !found->is_array()) return field(entry, "MESSAGE");
  std::string bytes;
  for (const Json& byte : *found) {
    if (!byte.is_number_unsigned() || byte.get<std::uint64_t>() > 0xff) return std::nullopt;
    bytes += static_cast<char>(byte.get<std::uint64_t>());
  }
  return bytes;
}

}  // namespace

std::optional<Read> read_journal(std::string_view line) {
  if (!line.starts_with('{')) return std::nullopt;
  const Json entry = Json::parse(line, nullptr, false);
  if (!entry.is_object()) return std::nullopt;
  const auto transport = field(entry, "_TRANSPORT");
  const auto time = field(entry, "__REALTIME_TIMESTAMP");
  const auto microseconds = time ? text::integer(*time) : std::nullopt;
  auto message = message_of(entry);
  if (!transport || !microseconds || *microseconds < 0 || !message) return std::nullopt;
  return Read{fmt::format("{}.{:06} s after 1970", *microseconds / 1'000'000, *microseconds % 1'000'000),
              std::move(*message), *transport == "kernel"};
}

}  // namespace assay::node::kernel_log
