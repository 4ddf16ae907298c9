#include "catalog/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/text.hpp"

namespace assay::catalog {

namespace {

std::string place(const std::string& where, const YAML::Mark& mark) {
  return mark.line < 0 ? where : fmt::format("{}:{}", where, mark.line + 1);
}

}  // namespace

Mapping::Mapping(const YAML::Node& node, std::string where) : node_(node), where_(std::move(where)) {
  if (!node_.IsMap())
    error_ =
        Error{Error::Kind::usage, "a mapping of keys to values", "something else", place(where_, node_.Mark()), ""};
}

void Mapping::refuse(const std::string& key, const std::string& expected, const std::string& came) {
  if (error_) return;
  const YAML::Node held = node_.IsMap() ? node_[key] : YAML::Node();
  error_ = Error{Error::Kind::usage, expected + " as \"" + key + "\"", came,
                 place(where_, held.IsDefined() ? held.Mark() : node_.Mark()), ""};
}

YAML::Node Mapping::get(const std::string& key) {
  read_.insert(key);
  return node_.IsMap() ? node_[key] : YAML::Node(YAML::NodeType::Undefined);
}

bool Mapping::has(const std::string& key) const { return node_.IsMap() && node_[key].IsDefined(); }

std::string Mapping::text(const std::string& key) {
  const YAML::Node held = get(key);
  if (!held.IsDefined() || !held.IsScalar() || text::trim(held.Scalar()).empty()) {
    refuse(key, "a text", held.IsDefined() ? "something else" : "none");
    return {};
  }
  return std::string(text::trim(held.Scalar()));
}

std::string Mapping::text_or(const std::string& key, std::string otherwise) {
  return has(key) ? text(key) : (read_.insert(key), std::move(otherwise));
}

std::optional<double> Mapping::number(const std::string& key) {
  if (!has(key)) return read_.insert(key), std::nullopt;
  const auto value = text::decimal(text(key));
  if (!value) refuse(key, "a number", node_[key].IsScalar() ? node_[key].Scalar() : "something else");
  return value;
}

std::optional<std::int64_t> Mapping::integer(const std::string& key) {
  if (!has(key)) return read_.insert(key), std::nullopt;
  const std::string words = text(key);
  const auto value = words.starts_with("0o")   ? text::integer(std::string_view(words).substr(2), 8)
                     : words.starts_with("0x") ? text::integer(words, 16)
                                               : text::integer(words);
  if (!value) refuse(key, "an integer (0o… for file modes)", words);
  return value;
}

std::vector<std::string> Mapping::list(const std::string& key) {
  const YAML::Node held = get(key);
  std::vector<std::string> items;
  if (!held.IsDefined()) return items;
  if (held.IsScalar()) return {held.Scalar()};
  if (!held.IsSequence()) return refuse(key, "a list of texts", "something else"), items;
  for (const YAML::Node& item : held) {
    if (!item.IsScalar()) {
      refuse(key, "a list of texts", "a list of something else");
      break;
    }
    items.push_back(item.Scalar());
  }
  return items;
}

std::optional<Mapping> Mapping::mapping(const std::string& key) {
  const YAML::Node held = get(key);
  if (!held.IsDefined()) return std::nullopt;
  return Mapping(held, where_);
}

std::vector<Mapping> Mapping::mappings(const std::string& key) {
  const YAML::Node held = get(key);
  std::vector<Mapping> found;
  if (held.IsDefined() && !held.IsSequence()) refuse(key, "a list of mappings", "something else");
  if (held.IsSequence())
    for (const YAML::Node& item : held) found.emplace_back(item, where_);
  return found;
}

std::vector<Mapping> Mapping::one_or_more(const std::string& key) {
  if (node_.IsMap() && node_[key].IsSequence()) return mappings(key);
  std::vector<Mapping> found;
  if (auto one = mapping(key)) found.push_back(std::move(*one));
  return found;
}

std::vector<std::string> Mapping::keys() const {
  std::vector<std::string> found;
  if (node_.IsMap())
    for (const auto& entry : node_) found.push_back(entry.first.Scalar());
  return found;
}

void Mapping::adopt(Mapping& nested) {
  if (auto finished = nested.finish(); !finished && !error_) error_ = finished.error();
}

Result<void> Mapping::finish() {
  if (error_) return failure(*error_);
  std::set<std::string> once;
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "something else";
    const std::string here = place(where_, entry.first.Mark());
    if (!entry.first.IsScalar() || !read_.contains(key))
      return failure({Error::Kind::usage, fmt::format("one of the keys {}", fmt::join(read_, ", ")), key, here, ""});
    if (!once.insert(key).second) return failure({Error::Kind::usage, "each key once", key + " twice", here, ""});
  }
  return {};
}

Result<YAML::Node> parse_yaml(const std::string& text, const std::string& where) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    return failure({Error::Kind::usage, "YAML", error.msg, place(where, error.mark), ""});
  }
}

Result<std::string> read_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!error && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return failure({Error::Kind::usage, "a file", "a folder or a device", file.string(), ""});
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return failure({Error::Kind::usage, "a readable file", errno_words(errno), file.string(), ""});
  return std::string((std::istreambuf_iterator<char>(stream)), {});
}

Result<std::vector<std::filesystem::path>> yaml_files(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (auto entry = std::filesystem::directory_iterator(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    if (entry->path().extension() == ".yaml") files.push_back(entry->path());
  if (error) return failure({Error::Kind::environment, "a readable folder", error.message(), folder.string(), ""});
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace assay::catalog
