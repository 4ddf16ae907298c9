// Products of Red Hat's CSAF documents: the tree tells platforms by CPE and packages by purl; a status names a
// relationship of the two, whose platform may itself be one (a module of a repository).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "advisory/json.hpp"

namespace assay::advisory::formats {

struct RedHatProduct {
  std::string ecosystem;  // "rhel:9"; empty: another product of theirs, or a paid branch of a minor release
  std::string package;    // "runc"
  std::string version;    // "4:1.2.5-3.el9_6"; empty: named without one
};

class RedHatTree {
 public:
  explicit RedHatTree(json::Element product_tree);
  // Nothing: the tree doesn't lead from this id to a platform and a package.
  std::optional<RedHatProduct> product(std::string_view id) const;

 private:
  struct Relationship {
    std::string_view component, platform;
  };
  void branches(json::Element of, int depth);
  std::optional<std::string_view> cpe_of(std::string_view id) const;

  std::unordered_map<std::string_view, std::string_view> cpes_, purls_;  // by product id
  std::unordered_map<std::string_view, Relationship> relationships_;
};

// "rhel:9" of cpe:/a:redhat:enterprise_linux:9::appstream; empty for another.
std::string rhel_of(std::string_view cpe);

// Name and version of "pkg:rpm/redhat/runc@1.2.5-3.el9_6?arch=x86_64&epoch=4".
struct Package {
  std::string name, version;
};
std::optional<Package> package_of_purl(std::string_view purl);
// And of "runc-4:1.2.5-3.el9_6.x86_64", "kernel", "container-tools:rhel8/runc".
std::optional<Package> package_of_id(std::string_view component);

}  // namespace assay::advisory::formats
