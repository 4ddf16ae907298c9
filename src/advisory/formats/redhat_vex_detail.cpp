#include "advisory/formats/redhat_vex_detail.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "version/order.hpp"

namespace assay::advisory::formats {

namespace {

using version::Scheme;

constexpr int kDeepest = 8;  // branches in branches, relationships on relationships

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 200 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("+-._").find(c) != std::string_view::npos;
  });
}

// %2B and %3A of a purl.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = text[i] == '%' ? text::integer(text.substr(i + 1, 2), 16) : std::nullopt;
    if (!code || i + 2 >= text.size()) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(*code);
    i += 2;
  }
  return out;
}

std::string_view qualifier(std::string_view purl, std::string_view name) {
  const auto mark = purl.find('?');
  if (mark == std::string_view::npos) return {};
  for (const std::string_view part : text::split(purl.substr(mark + 1), '&'))
    if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == '=')
      return part.substr(name.size() + 1);
  return {};
}

}  // namespace

std::string rhel_of(std::string_view cpe) {
  for (const std::string_view start : {"cpe:/o:redhat:enterprise_linux:", "cpe:/a:redhat:enterprise_linux:",
                                       "cpe:2.3:o:redhat:enterprise_linux:", "cpe:2.3:a:redhat:enterprise_linux:"}) {
    if (!cpe.starts_with(start)) continue;
    const std::string_view rest = cpe.substr(start.size());
    const std::string_view major = rest.substr(0, rest.find_first_not_of("0123456789"));
    const std::string_view behind = rest.substr(major.size());
    const bool whole = behind.empty() || behind[0] == ':' || behind.starts_with(".0");
    return !major.empty() && major.size() <= 2 && whole ? "rhel:" + std::string(major) : std::string();
  }
  return {};
}

std::optional<Package> package_of_purl(std::string_view purl) {
  constexpr std::string_view kStart = "pkg:rpm/redhat/";
  if (!purl.starts_with(kStart)) return std::nullopt;
  const std::string_view path = purl.substr(kStart.size(), purl.find('?') - kStart.size());
  const auto at = path.find('@');
  Package found{unescaped(path.substr(0, at)), at == std::string_view::npos ? "" : unescaped(path.substr(at + 1))};
  const std::string_view epoch = qualifier(purl, "epoch");
  if (!found.version.empty() && !epoch.empty() && epoch != "0") found.version.insert(0, std::string(epoch) + ":");
  if (!is_name(found.name)) return std::nullopt;
  if (!found.version.empty() && !version::is_version(Scheme::rpm, found.version)) return std::nullopt;
  return found;
}

std::optional<Package> package_of_id(std::string_view component) {
  if (const auto slash = component.rfind('/'); slash != std::string_view::npos) component.remove_prefix(slash + 1);
  // NAME-EPOCH:VERSION-RELEASE.ARCH
  const auto colon = component.rfind(':');
  if (colon == std::string_view::npos) {
    if (!is_name(component)) return std::nullopt;
    return Package{std::string(component), ""};
  }
  const auto dash = component.rfind('-', colon);
  const auto arch = component.rfind('.');
  if (dash == std::string_view::npos || arch == std::string_view::npos || arch < colon) return std::nullopt;
  std::string version(component.substr(dash + 1, arch - dash - 1));
  if (version.starts_with("0:")) version.erase(0, 2);
  Package found{std::string(component.substr(0, dash)), std::move(version)};
  if (!is_name(found.name) || !version::is_version(Scheme::rpm, found.version)) return std::nullopt;
  return found;
}

RedHatTree::RedHatTree(json::Element product_tree) {
  branches(product_tree, 0);
  for (const json::Element one : json::list(product_tree, "relationships")) {
    const std::string_view id = json::text(json::member(one, "full_product_name"), "product_id");
    if (!id.empty())
      relationships_.emplace(
          id, Relationship{json::text(one, "product_reference"), json::text(one, "relates_to_product_reference")});
  }
}

void RedHatTree::branches(json::Element of, int depth) {
  if (depth > kDeepest) return;
  for (const json::Element branch : json::list(of, "branches")) {
    const json::Element product = json::member(branch, "product");
    const std::string_view id = json::text(product, "product_id");
    const json::Element helper = json::member(product, "product_identification_helper");
    if (const auto cpe = json::text(helper, "cpe"); !id.empty() && !cpe.empty()) cpes_.emplace(id, cpe);
    if (const auto purl = json::text(helper, "purl"); !id.empty() && !purl.empty()) purls_.emplace(id, purl);
    branches(branch, depth + 1);
  }
}

std::optional<std::string_view> RedHatTree::cpe_of(std::string_view id) const {
  for (int hops = 0; hops < kDeepest; ++hops) {
    if (const auto cpe = cpes_.find(id); cpe != cpes_.end()) return cpe->second;
    const auto next = relationships_.find(id);
    if (next == relationships_.end()) return std::nullopt;
    id = next->second.platform;
  }
  return std::nullopt;
}

std::optional<RedHatProduct> RedHatTree::product(std::string_view id) const {
  const auto relationship = relationships_.find(id);
  if (relationship == relationships_.end()) return std::nullopt;
  const auto cpe = cpe_of(relationship->second.platform);
  if (!cpe) return std::nullopt;
  RedHatProduct found;
  found.ecosystem = rhel_of(*cpe);
  if (found.ecosystem.empty()) return found;
  const std::string_view component = relationship->second.component;
  const auto purl = purls_.find(component);
  auto package = purl == purls_.end() ? std::nullopt : package_of_purl(purl->second);
  if (!package) package = package_of_id(component);
  if (!package) return std::nullopt;
  found.package = std::move(package->name);
  found.version = std::move(package->version);
  return found;
}

}  // namespace assay::advisory::formats
