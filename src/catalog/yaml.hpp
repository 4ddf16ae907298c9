// yaml-cpp without exceptions at our borders: a mapping that knows which of its keys were read, so that a misspelled
// key is an error and not a silent default. The only header that includes yaml-cpp.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace assay::catalog {

class Mapping {
 public:
  // `where` is the file, for errors. Throws nothing: a node that is no mapping is told by finish().
  Mapping(const YAML::Node& node, std::string where);

  bool has(const std::string& key) const;
  std::string text(const std::string& key);  // required, not empty
  std::string text_or(const std::string& key, std::string otherwise);
  std::optional<double> number(const std::string& key);
  std::optional<std::int64_t> integer(const std::string& key);  // 0o022 and 0x1f too
  std::vector<std::string> list(const std::string& key);        // one text or a list of texts; absent: empty
  std::optional<Mapping> mapping(const std::string& key);
  std::vector<Mapping> mappings(const std::string& key);     // a list of mappings; absent: empty
  std::vector<Mapping> one_or_more(const std::string& key);  // a mapping or a list of mappings
  std::vector<std::string> keys() const;
  // Takes over what went wrong in a nested mapping.
  void adopt(Mapping& nested);
  void refuse(const std::string& key, const std::string& expected, const std::string& came);

  // The first thing that was wrong, an unknown key or a key given twice included.
  Result<void> finish();

 private:
  YAML::Node get(const std::string& key);
  YAML::Node node_;
  std::string where_;
  std::set<std::string> read_;
  std::optional<Error> error_;
};

Result<YAML::Node> parse_yaml(const std::string& text, const std::string& where);
Result<std::string> read_file(const std::filesystem::path& file);
// The folder's own *.yaml, sorted.
Result<std::vector<std::filesystem::path>> yaml_files(const std::filesystem::path& folder);

}  // namespace assay::catalog
