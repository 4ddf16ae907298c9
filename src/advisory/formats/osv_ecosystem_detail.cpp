#include "advisory/formats/osv_ecosystem_detail.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.hpp"

namespace assay::advisory::formats {

namespace {

using version::Scheme;
using Kind = Ecosystem::Kind;

// Of OSV's schema, without what follows a colon.
constexpr std::array<std::string_view, 38> kElsewhere = {
    "Alpaquita",    "Alpine",    "Android",    "BellSoft Hardened Containers",
    "Bioconductor", "Bitnami",   "Chainguard", "CleanStart",
    "ConanCenter",  "CRAN",      "crates.io",  "Docker Hardened Images",
    "Echo",         "FreeBSD",   "GHC",        "GitHub Actions",
    "GIT",          "Hackage",   "Hex",        "Julia",
    "Kubernetes",   "Mageia",    "Maven",      "MinimOS",
    "npm",          "NuGet",     "openEuler",  "openSUSE",
    "OSS-Fuzz",     "Packagist", "Photon OS",  "Pub",
    "Root",         "RubyGems",  "SUSE",       "SwiftURL",
    "VSCode",       "Wolfi"};

bool is_release(std::string_view text) {
  return !text.empty() && text.size() <= 8 && text.front() != '.' && text.back() != '.' &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.'; });
}

Ecosystem release(std::string_view id, std::string_view number, Scheme scheme) {
  if (!is_release(number)) return {};
  return {Kind::ours, std::string(id) + ":" + std::string(number), scheme};
}

Ecosystem ubuntu(std::string_view rest) {
  const bool pro = rest.starts_with("Pro:");
  if (pro) rest.remove_prefix(4);
  const auto parts = text::split(rest, ':');
  // FIPS and real-time branches, and the one for BlueField, have versions of their own.
  const bool branch = parts.size() > 2 || (parts.size() == 2 && parts[1] != "LTS");
  if (branch) return {Kind::elsewhere, {}, Scheme::dpkg};
  return release(pro ? "ubuntu-pro" : "ubuntu", parts.front(), Scheme::dpkg);
}

// By CPE: "enterprise_linux:9::appstream"; "rhel_eus:9.4::baseos" and its like are paid branches of minor releases.
Ecosystem red_hat(std::string_view rest) {
  const auto parts = text::split(rest, ':');
  if (parts.size() < 2 || parts[0] != "enterprise_linux") return {Kind::elsewhere, {}, Scheme::rpm};
  return release("rhel", parts[1].substr(0, parts[1].find('.')), Scheme::rpm);
}

}  // namespace

Ecosystem ecosystem_of(std::string_view osv) {
  if (osv == "Go") return {Kind::ours, "go", Scheme::go};
  if (osv == "PyPI") return {Kind::ours, "pypi", Scheme::pep440};
  if (osv == "Linux") return {Kind::ours, "upstream", Scheme::kernel};
  const auto colon = osv.find(':');
  const std::string_view family = osv.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? std::string_view() : osv.substr(colon + 1);
  if (family == "AlmaLinux") return release("almalinux", rest, Scheme::rpm);
  if (family == "Rocky Linux") return release("rocky", rest, Scheme::rpm);
  if (family == "Debian") return release("debian", rest, Scheme::dpkg);
  if (family == "Ubuntu") return ubuntu(rest);
  if (family == "Red Hat") return red_hat(rest);
  const bool known = std::find(kElsewhere.begin(), kElsewhere.end(), family) != kElsewhere.end();
  return {known ? Kind::elsewhere : Kind::unknown, {}, Scheme::plain};
}

std::string package_of(const Ecosystem& ecosystem, std::string_view name) {
  const auto printable = [](char c) { return c > ' ' && c < '\x7f'; };
  if (name.empty() || name.size() > 200 || !std::all_of(name.begin(), name.end(), printable)) return {};
  if (ecosystem.name == "upstream") return name == "Kernel" ? "linux" : "";
  if (ecosystem.name != "pypi") return std::string(name);
  std::string normalized;
  for (const char c : text::lower(name)) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator)
      normalized += c;
    else if (!normalized.ends_with('-'))
      normalized += '-';
  }
  return normalized;
}

}  // namespace assay::advisory::formats
