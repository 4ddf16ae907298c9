// All that is known, the floor and what was imported, asked in one place. Where both speak, both answer; who is
// believed is decided in decide.hpp.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisory/component.hpp"
#include "advisory/database.hpp"
#include "advisory/floor.hpp"

namespace assay::advisory {

class Knowledge {
 public:
  Knowledge(std::vector<Component> components, Floor floor, std::optional<Database> database);
  // data: the folder with components/ and advisories/. No database file: the floor alone.
  static Result<Knowledge> load(const std::filesystem::path& data, const std::filesystem::path& database);

  const std::vector<Component>& components() const { return components_; }
  const std::optional<Database>& database() const { return database_; }
  const std::string& floor_date() const { return floor_date_; }

  // Records of a package, withdrawn ones left out.
  Result<std::vector<Record>> find(std::string_view ecosystem, std::string_view package) const;
  // The floor's records of the package in other releases of the same family (Debian; Ubuntu; Enterprise Linux and its
  // rebuilds): what this release may have too.
  std::vector<Record> of_sisters(std::string_view distro, std::string_view package) const;
  // Any word about this ecosystem's packages, imported: without, the floor's few facts are all there is.
  Result<bool> covers(std::string_view ecosystem) const;
  // The ISO date that what is known of this ecosystem reaches to: of the newest record, or of the floor where that
  // speaks of it. Empty: nothing is known of it. Makers' ecosystems (upstream, go, pypi, nvidia) are the floor's.
  Result<std::string> newest(std::string_view ecosystem) const;
  // The floor has a file of it, were it without advisories.
  bool looked_at(std::string_view component) const;
  Result<std::optional<Exploited>> exploited(std::string_view cve) const;
  // The release lines of a product; imported ones before the floor's.
  Result<std::vector<Cycle>> cycles(std::string_view product) const;
  // The newest of all.
  Result<std::string> newest() const;

 private:
  std::vector<Component> components_;
  std::map<std::pair<std::string, std::string>, std::vector<Record>, std::less<>> floor_;
  std::map<std::string, Exploited, std::less<>> exploited_;
  std::vector<Cycle> cycles_;
  std::vector<std::string> looked_at_;
  std::string floor_date_;
  std::optional<Database> database_;
};

}  // namespace assay::advisory
