// The software that a verdict is given on. One file a component, data/components/ID.yaml: how its versions are ordered,
// under which names packages, modules, bulletins and release lines speak of it, what must be restarted when it is
// upgraded and what must move with it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "version/order.hpp"

namespace assay::advisory {

struct Component {
  // A product of a vendor's bulletins, by the words they use, in lower case.
  struct Product {
    std::string name;
    std::string platform;                 // the start of the bulletin's ("linux"); empty: any
    std::vector<std::string> conditions;  // what holds besides for each of its records: "device=connectx-4"
  };

  std::string id;                                   // nvidia-driver
  std::string title;                                // NVIDIA GPU driver
  std::string kind;                                 // driver, runtime, kernel, …: under what it is listed
  version::Scheme scheme = version::Scheme::plain;  // of versions that no distribution made
  std::vector<std::string> dpkg_sources;            // Debian's and Ubuntu's source packages that are it: slurm-wlm
  std::vector<std::string> rpm_names;               // binary packages of rpm distributions
  std::vector<std::string> packages;    // packages of its own makers, dpkg or rpm, whose version is upstream's with a
                                        // revision behind it: containerd.io, nvidia-container-toolkit
  std::vector<std::string> go_modules;  // github.com/opencontainers/runc
  std::vector<std::string> pypi;        // vllm
  std::vector<Product> bulletins;       // ecosystem "nvidia"
  std::map<std::string, std::string> models;  // firmware: what the first number says of the device: 28 → connectx-7
  std::string lines;                          // product of the release lines (endoflife.date's name); empty: none
  std::string restart;                        // what to restart after an upgrade, one clause
  std::vector<std::string> together;          // components that must be moved in the same step
  std::string releases;                       // where its makers announce versions
};

// All files of the folder, sorted by id. An unknown key, a missing text, a `together` that isn't a component: refused.
Result<std::vector<Component>> load_components(const std::filesystem::path& folder);
Result<Component> parse_component(const std::string& id, const std::string& yaml, const std::string& where);

// nullptr if there is none.
const Component* find_component(const std::vector<Component>& components, std::string_view id);

}  // namespace assay::advisory
