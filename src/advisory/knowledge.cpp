#include "advisory/knowledge.hpp"

#include <algorithm>

namespace assay::advisory {

namespace {

std::string_view family_of(std::string_view distro) {
  const std::string_view id = distro.substr(0, distro.find(':'));
  for (const std::string_view rebuild : {"rhel", "almalinux", "rocky", "centos", "ol"})
    if (id == rebuild) return "rhel";
  return id;
}

}  // namespace

Knowledge::Knowledge(std::vector<Component> components, Floor floor, std::optional<Database> database)
    : components_(std::move(components)),
      cycles_(std::move(floor.cycles)),
      looked_at_(std::move(floor.components)),
      floor_date_(std::move(floor.date)),
      database_(std::move(database)) {
  for (Advisory& advisory : floor.advisories) {
    const auto affected = std::move(advisory.affected);
    advisory.affected.clear();
    const auto shared = std::make_shared<const Advisory>(std::move(advisory));
    for (const Affected& one : affected) floor_[{one.ecosystem, one.package}].push_back({shared, one});
  }
  for (Exploited& one : floor.exploited) exploited_[one.cve] = std::move(one);
}

Result<Knowledge> Knowledge::load(const std::filesystem::path& data, const std::filesystem::path& file) {
  auto components = load_components(data / "components");
  if (!components) return failure(components.error());
  auto floor = load_floor(data / "advisories");
  if (!floor) return failure(floor.error());
  auto database = Database::open_for_reading(file);
  if (!database) return failure(database.error());
  return Knowledge(std::move(*components), std::move(*floor), std::move(*database));
}

Result<std::vector<Record>> Knowledge::find(std::string_view ecosystem, std::string_view package) const {
  std::vector<Record> records;
  if (const auto found = floor_.find(std::pair(std::string(ecosystem), std::string(package))); found != floor_.end())
    records = found->second;
  if (!database_) return records;
  auto imported = database_->find(ecosystem, package);
  if (!imported) return failure(imported.error());
  std::move(imported->begin(), imported->end(), std::back_inserter(records));
  std::erase_if(records, [](const Record& record) { return !record.advisory->withdrawn.empty(); });
  return records;
}

std::vector<Record> Knowledge::of_sisters(std::string_view distro, std::string_view package) const {
  std::vector<Record> found;
  for (const auto& [key, records] : floor_)
    if (key.second == package && key.first != distro && family_of(key.first) == family_of(distro))
      found.insert(found.end(), records.begin(), records.end());
  return found;
}

Result<bool> Knowledge::covers(std::string_view ecosystem) const {
  if (!database_) return false;
  const auto newest = database_->newest(ecosystem);
  if (!newest) return failure(newest.error());
  return newest->has_value();
}

Result<std::string> Knowledge::newest(std::string_view ecosystem) const {
  const auto key = floor_.lower_bound(std::pair(std::string(ecosystem), std::string()));
  const bool in_floor = key != floor_.end() && key->first.first == ecosystem;
  std::string found = in_floor ? floor_date_ : std::string();
  if (!database_) return found;
  const auto imported = database_->newest(ecosystem);
  if (!imported) return failure(imported.error());
  return std::max(found, imported->value_or(""));
}

bool Knowledge::looked_at(std::string_view component) const {
  return std::find(looked_at_.begin(), looked_at_.end(), component) != looked_at_.end();
}

Result<std::optional<Exploited>> Knowledge::exploited(std::string_view cve) const {
  if (const auto found = exploited_.find(cve); found != exploited_.end()) return std::optional(found->second);
  return database_ ? database_->exploited(cve) : Result<std::optional<Exploited>>(std::nullopt);
}

Result<std::vector<Cycle>> Knowledge::cycles(std::string_view product) const {
  std::vector<Cycle> cycles;
  if (database_) {
    auto imported = database_->cycles(product);
    if (!imported) return failure(imported.error());
    cycles = std::move(*imported);
  }
  for (const Cycle& cycle : cycles_) {
    const auto same = [&](const Cycle& other) { return other.line == cycle.line; };
    if (cycle.product == product && std::none_of(cycles.begin(), cycles.end(), same)) cycles.push_back(cycle);
  }
  return cycles;
}

Result<std::string> Knowledge::newest() const {
  std::string newest = floor_date_;
  if (!database_) return newest;
  const auto sources = database_->sources();
  if (!sources) return failure(sources.error());
  for (const SourceState& state : *sources) newest = std::max(newest, state.newest);
  return newest;
}

}  // namespace assay::advisory
