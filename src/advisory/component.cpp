#include "advisory/component.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "catalog/yaml.hpp"

namespace assay::advisory {

namespace {

// Lower-case words joined by dashes.
bool is_kebab(std::string_view id) {
  const auto sound = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !id.empty() && std::all_of(id.begin(), id.end(), sound) && id.front() != '-' && id.back() != '-' &&
         id.find("--") == std::string_view::npos;
}

Error missing_partner(const Component& component, const std::string& partner) {
  return {Error::Kind::usage, "components under \"together\" that exist", "\"" + partner + "\"",
          "data/components/" + component.id + ".yaml", "name a file of the same folder, without .yaml"};
}

}  // namespace

Result<Component> parse_component(const std::string& id, const std::string& yaml, const std::string& where) {
  const auto node = catalog::parse_yaml(yaml, where);
  if (!node) return failure(node.error());
  catalog::Mapping from(*node, where);
  Component component;
  component.id = id;
  if (!is_kebab(id)) from.refuse("(file name)", "lower-case words joined by dashes", id);
  component.title = from.text("title");
  component.kind = from.text("kind");
  const std::string scheme = from.text("scheme");
  if (const auto known = version::scheme_from(scheme))
    component.scheme = *known;
  else if (!scheme.empty())
    from.refuse("scheme", "an order of versions that src/version knows", scheme);
  component.dpkg_sources = from.list("dpkg_sources");
  component.rpm_names = from.list("rpm_names");
  component.packages = from.list("packages");
  component.go_modules = from.list("go_modules");
  component.pypi = from.list("pypi");
  for (catalog::Mapping& bulletin : from.mappings("bulletins")) {
    Component::Product product{bulletin.text("name"), bulletin.text_or("platform", ""), bulletin.list("conditions")};
    if (text::lower(product.name) != product.name) bulletin.refuse("name", "lower case", product.name);
    component.bulletins.push_back(std::move(product));
    from.adopt(bulletin);
  }
  if (auto models = from.mapping("models")) {
    for (const std::string& number : models->keys()) component.models[number] = models->text(number);
    from.adopt(*models);
  }
  component.lines = from.text_or("lines", "");
  component.restart = from.text_or("restart", "");
  component.together = from.list("together");
  component.releases = from.text_or("releases", "");
  if (auto finished = from.finish(); !finished) return failure(finished.error());
  return component;
}

Result<std::vector<Component>> load_components(const std::filesystem::path& folder) {
  const auto files = catalog::yaml_files(folder);
  if (!files) return failure(files.error());
  std::vector<Component> components;
  for (const auto& file : *files) {
    const auto text = catalog::read_file(file);
    if (!text) return failure(text.error());
    auto component = parse_component(file.stem().string(), *text, file.string());
    if (!component) return failure(component.error());
    components.push_back(std::move(*component));
  }
  for (const Component& component : components)
    for (const std::string& partner : component.together)
      if (find_component(components, partner) == nullptr) return failure(missing_partner(component, partner));
  return components;
}

const Component* find_component(const std::vector<Component>& components, std::string_view id) {
  const auto found = std::find_if(components.begin(), components.end(), [&](const auto& c) { return c.id == id; });
  return found == components.end() ? nullptr : &*found;
}

}  // namespace assay::advisory
