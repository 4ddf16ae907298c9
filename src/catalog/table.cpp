#include "catalog/table.hpp"

#include "catalog/yaml.hpp"

namespace assay::catalog {

const Record* Table::row(std::string_view key) const {
  const auto found = rows.find(key);
  return found == rows.end() ? nullptr : &found->second;
}

Result<Table> parse_table(const std::string& name, const std::string& yaml, const std::string& where) {
  const auto node = parse_yaml(yaml, where);
  if (!node) return failure(node.error());
  Mapping from(*node, where);
  Table table;
  table.name = name;
  table.about = from.text("about");
  table.source = from.text("source");
  table.date = from.text("date");
  table.columns = from.list("columns");
  if (table.columns.empty()) from.refuse("columns", "at least one column", "none");
  auto rows = from.mapping("rows");
  if (!rows) from.refuse("rows", "rows by their keys", "none");
  for (const std::string& key : rows ? rows->keys() : std::vector<std::string>()) {
    auto row = rows->mapping(key);
    Record values;
    for (const std::string& column : table.columns) values.emplace(column, row->text(column));
    rows->adopt(*row);
    if (!table.rows.emplace(key, std::move(values)).second) rows->refuse(key, "each key once", "it twice");
  }
  if (rows) from.adopt(*rows);
  if (auto finished = from.finish(); !finished) return failure(finished.error());
  return table;
}

Result<Table> load_table(const std::filesystem::path& folder, const std::string& name) {
  const auto file = folder / (name + ".yaml");
  const auto text = read_file(file);
  if (!text) return failure(text.error());
  return parse_table(name, *text, file.string());
}

}  // namespace assay::catalog
