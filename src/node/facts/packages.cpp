// Installed software, as the distribution's package manager tells it: name, version, and the source package that
// advisories speak of. dpkg's database is a text and is read as such; rpm's is read by rpm.
#include <fmt/format.h>

#include "evidence/codec.hpp"
#include "node/facts/packages_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"packages.dpkg-count", "", "1", "packages that dpkg has installed"},
    {"packages.rpm-count", "", "1", "packages that rpm has installed"},
    {"packages.incomplete", "", "", "dpkg packages that are neither installed nor gone: unpacked, half-configured, …"},
    {"packages.dpkg", "", "",
     "the packages that dpkg has: name, version, architecture, source package, its version, and the state where that "
     "is "
     "not installed"},
    {"packages.rpm", "", "", "the packages that rpm has, in the same words"},
};

constexpr auto kStatus = "/var/lib/dpkg/status";
constexpr std::size_t kLargestStatus = 32u << 20;

// What isn't seen of one manager is said for all of its names.
void absent(Findings& findings, std::string_view manager, const Absent& why, std::string_view from) {
  findings.absent({}, fmt::format("packages.{}", manager), why, from);
  findings.absent({}, fmt::format("packages.{}-count", manager), why, from);
}

void tell(Findings& findings, std::string_view manager, const std::vector<Package>& packages, std::string_view from) {
  if (packages.size() > codec::kMostItems)
    return absent(findings, manager,
                  {Absence::malformed,
                   fmt::format("{} packages: more than a list can hold ({})", packages.size(), codec::kMostItems)},
                  from);
  TextList entries;
  entries.reserve(packages.size());
  for (const Package& package : packages) entries.push_back(to_text(package));
  findings.see({}, fmt::format("packages.{}", manager), std::move(entries), from);
  findings.see({}, fmt::format("packages.{}-count", manager), static_cast<std::int64_t>(packages.size()), from);
}

// Triggers that wait are for the system's caches; the package itself is in place.
bool incomplete(std::string_view state) { return state != "installed" && !state.starts_with("triggers-"); }

void read_dpkg(Host& host, Findings& findings) {
  const auto content = host.text(kStatus, kLargestStatus, false);
  const auto packages =
      content.and_then([](const std::string& text) -> Seen<std::vector<Package>> { return parse_dpkg_status(text); });
  if (!packages) {
    absent(findings, "dpkg", packages.error(), kStatus);
    return findings.absent({}, "packages.incomplete", packages.error(), kStatus);
  }
  tell(findings, "dpkg", *packages, kStatus);
  TextList broken;
  for (const Package& package : *packages)
    if (incomplete(package.state)) broken.push_back(fmt::format("{} ({})", package.name, package.state));
  findings.see({}, "packages.incomplete", broken, kStatus);
}

bool has_rpm_database(Host& host) {
  for (const std::string folder : {"/var/lib/rpm", "/usr/lib/sysimage/rpm"})
    for (const char* file : {"/rpmdb.sqlite", "/Packages.db", "/Packages"})
      if (host.exists(folder + file)) return true;
  return false;
}

void read_rpm(Host& host, Findings& findings) {
  // Asked only where there is a database: rpm would make an empty one.
  const auto list = [&]() -> Seen<std::string> {
    if (!has_rpm_database(host)) return tl::unexpected(host.none("no rpm database under /var/lib/rpm"));
    return host.output({"rpm", "-qa", "--nosignature", "--nodigest", "--qf", std::string(kRpmFormat)},
                       {std::chrono::seconds(15), 4u << 20});
  }();
  const auto packages =
      list.and_then([](const std::string& text) -> Seen<std::vector<Package>> { return parse_rpm_list(text); });
  if (!packages) return absent(findings, "rpm", packages.error(), "rpm -qa");
  tell(findings, "rpm", *packages, "rpm -qa");
}

void read(Host& host, Findings& findings) {
  read_dpkg(host, findings);
  read_rpm(host, findings);
}

}  // namespace

extern const Reader packages = {"packages", "installed packages and their sources", std::chrono::seconds(20), kEmits,
                                read};

}  // namespace assay::node::facts
