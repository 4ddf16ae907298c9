#include "node/protocol.hpp"

#include <nlohmann/json.hpp>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "evidence/codec.hpp"

namespace assay::node {

namespace {

using nlohmann::json;

tl::unexpected<Error> refuse(std::string expected, std::string_view came) {
  return failure(
      {Error::Kind::unavailable, std::move(expected), text::printable(came.substr(0, 120)), "agent's output", ""});
}

std::string text_of(const json& line, const char* key, std::size_t limit) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_string()) return {};
  const auto& held = found->get_ref<const std::string&>();
  return held.size() <= limit ? held : std::string();
}

std::optional<std::int64_t> integer_of(const json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

Result<json> parse_object(std::string_view line) {
  // Depth is bounded by hand: a line of a million "[" must not be built as a tree.
  int depth = 0;
  const auto shallow = [&](int at, json::parse_event_t, json&) {
    depth = std::max(depth, at);
    return at <= 4;
  };
  json parsed = json::parse(line, shallow, false);
  if (parsed.is_discarded() || !parsed.is_object() || depth > 4) return refuse("a JSON object on one line", line);
  return parsed;
}

Result<Message> decode_hello(const json& line) {
  const auto protocol = integer_of(line, "protocol");
  if (!protocol || *protocol < 0 || *protocol > 1'000'000) return refuse("a protocol number", line.dump());
  return Message(Hello{static_cast<int>(*protocol), text_of(line, "agent", 64), text_of(line, "arch", 32),
                       static_cast<long>(integer_of(line, "uid").value_or(-1))});
}

Result<Message> decode_raw(const json& line, const std::string& reader) {
  Raw raw{reader, text_of(line, "heading", 4096), {}};
  if (const auto found = line.find("base64"); found != line.end() && found->is_string()) {
    auto bytes = base64_decode(found->get_ref<const std::string&>());
    if (!bytes) return refuse("base64", "something else");
    raw.bytes = std::move(*bytes);
  } else {
    raw.bytes = text_of(line, "text", kLongestLine);
  }
  return Message(std::move(raw));
}

json to_json(const Hello& m) {
  return {{"type", "hello"}, {"protocol", m.protocol}, {"agent", m.agent}, {"arch", m.arch}, {"uid", m.uid}};
}
json to_json(const Need& m) { return {{"type", "need"}, {"arch", m.arch}}; }
json to_json(const Clock& m) { return {{"type", "clock"}, {"time", m.time}}; }
json to_json(const Raw& m) {
  json line{{"type", "raw"}, {"reader", m.reader}, {"heading", m.heading}};
  if (text::valid_utf8(m.bytes)) {
    line["text"] = m.bytes;
  } else {
    line["base64"] = base64_encode(m.bytes);
  }
  return line;
}
json to_json(const Sighting& m) {
  json line = codec::to_json(m.observation);
  line["type"] = "observation";
  line["reader"] = m.reader;
  return line;
}
json to_json(const Done& m) {
  return {{"type", "done"}, {"reader", m.reader}, {"state", m.state}, {"detail", m.detail}};
}
json to_json(const Finished& m) { return {{"type", "finished"}, {"id", m.id}}; }

}  // namespace

std::string encode(const Message& message) {
  return std::visit([](const auto& m) { return codec::dump(to_json(m)); }, message);
}

std::string encode(const Collect& request) {
  return codec::dump({{"type", "collect"}, {"id", request.id}, {"root", request.root}, {"readers", request.readers}});
}

Result<Message> decode(std::string_view bytes) {
  if (bytes.size() > kLongestLine) return refuse("a line of at most 1 MiB", bytes);
  const auto line = parse_object(bytes);
  if (!line) return failure(line.error());
  const std::string type = text_of(*line, "type", 32);
  if (type == "hello") return decode_hello(*line);
  if (type == "need") return Message(Need{text_of(*line, "arch", 32)});
  if (type == "clock") return Message(Clock{integer_of(*line, "time").value_or(0)});
  if (type == "finished") return Message(Finished{static_cast<int>(integer_of(*line, "id").value_or(0))});
  const std::string reader = text_of(*line, "reader", 64);
  if (reader.empty()) return refuse("a known type, and a reader", bytes);
  if (type == "raw") return decode_raw(*line, reader);
  if (type == "done") return Message(Done{reader, text_of(*line, "state", 32), text_of(*line, "detail", 4096)});
  if (type != "observation") return refuse("hello, clock, raw, observation, done or finished", type);
  auto observation = codec::observation_from_json(*line);
  if (!observation) return failure(observation.error());
  return Message(Sighting{reader, std::move(*observation)});
}

Result<Collect> decode_request(std::string_view bytes) {
  const auto line = parse_object(bytes);
  if (!line) return failure(line.error());
  if (text_of(*line, "type", 32) != "collect") return refuse("a collect request", bytes);
  Collect request{static_cast<int>(integer_of(*line, "id").value_or(1)), text_of(*line, "root", 4096), {}};
  if (request.root.empty()) request.root = "/";
  if (const auto found = line->find("readers"); found != line->end() && found->is_array())
    for (const json& reader : *found)
      if (reader.is_string()) request.readers.push_back(reader.get<std::string>());
  return request;
}

}  // namespace assay::node
