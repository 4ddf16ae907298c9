// What is known about something, as rows by key: the classes of XIDs, the generations of GPUs. One file a table,
// data/tables/NAME.yaml, with who says so and when. A check that needs a table names it in its own file ("tables:
// [xids]") and finds it in its Judgement.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "evidence/observation.hpp"

namespace assay::catalog {

struct Table {
  std::string name;
  std::string about;   // what a row is
  std::string source;  // whose word it is
  std::string date;    // of the source
  std::vector<std::string> columns;
  std::map<std::string, Record, std::less<>> rows;  // each with exactly the columns

  // nullptr if there is no such row.
  const Record* row(std::string_view key) const;
};

Result<Table> parse_table(const std::string& name, const std::string& yaml, const std::string& where);
Result<Table> load_table(const std::filesystem::path& folder, const std::string& name);

}  // namespace assay::catalog
