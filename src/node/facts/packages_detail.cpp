#include "node/facts/packages_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace assay::node::facts {

namespace {

tl::unexpected<Absent> refuse(std::string_view what, std::string_view came) {
  return unseen(Absence::malformed, fmt::format("{}: \"{}\"", what, text::to_utf8(came.substr(0, 80))));
}

std::string_view next_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  const auto line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

bool take(std::string_view line, std::string_view key, std::string_view& value) {
  if (!line.starts_with(key)) return false;
  value = text::trim(line.substr(key.size()));
  return true;
}

// "glibc" or "glibc (2.36-9)".
void split_source(std::string_view field, Package& package) {
  const auto open = field.find(" (");
  package.source = field.empty() ? package.name : field.substr(0, open);
  package.source_version = package.version;
  if (open != std::string_view::npos && field.back() == ')')
    package.source_version = field.substr(open + 2, field.size() - open - 3);
}

// One paragraph. Nothing if the package isn't installed.
Seen<std::optional<Package>> parse_paragraph(std::string_view& rest) {
  Package package;
  std::string_view status, source;
  const std::string_view start = rest;
  while (!rest.empty()) {
    const auto line = next_line(rest);
    if (line.empty()) break;
    if (line[0] == ' ' || line[0] == '\t') continue;  // goes on from the field above
    if (line.find(':') == std::string_view::npos) return refuse("a line of dpkg's status without a field", line);
    take(line, "Package:", package.name) || take(line, "Status:", status) || take(line, "Version:", package.version) ||
        take(line, "Architecture:", package.architecture) || take(line, "Source:", source);
  }
  const auto words = text::words(status);
  if (package.name.empty() || words.size() != 3) return refuse("a package of dpkg's status without a status", start);
  package.state = words[2];
  if (package.state == "not-installed" || package.state == "config-files") return std::optional<Package>();
  if (package.version.empty() || package.architecture.empty())
    return refuse("an installed package without a version", start);
  split_source(source, package);
  if (!is_sound(package)) return refuse("a package whose name, version or architecture isn't one word", start);
  return std::optional(package);
}

// "glibc-2.34-60.el9.src.rpm": the name is what is left before the last two dashes.
void split_source_rpm(std::string_view file, Package& package) {
  package.source = package.name;
  package.source_version = package.version;
  if (!file.ends_with(".src.rpm") && !file.ends_with(".nosrc.rpm")) return;
  file = file.substr(0, file.rfind(".rpm"));
  file = file.substr(0, file.rfind('.'));
  const auto release = file.rfind('-');
  const auto version = release == std::string_view::npos || release == 0 ? release : file.rfind('-', release - 1);
  if (version == std::string_view::npos || version == 0) return;
  package.source = file.substr(0, version);
  package.source_version = file.substr(version + 1);
}

}  // namespace

Seen<std::vector<Package>> parse_dpkg_status(std::string_view text) {
  std::vector<Package> packages;
  if (!text.ends_with('\n')) return unseen(Absence::malformed, "dpkg's status ends in the middle of a line");
  for (std::string_view rest = text; !rest.empty();) {
    if (rest[0] == '\n') {
      rest.remove_prefix(1);
      continue;
    }
    const auto package = parse_paragraph(rest);
    if (!package) return tl::unexpected(package.error());
    if (*package) packages.push_back(**package);
  }
  return packages;
}

Seen<std::vector<Package>> parse_rpm_list(std::string_view text) {
  std::vector<Package> packages;
  if (!text.empty() && text.back() != '\n')
    return unseen(Absence::malformed, "rpm's list ends in the middle of a line");
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = next_line(rest);
    const auto fields = text::split(line, '\t');
    if (fields.size() != 4 || fields[0].empty() || fields[1].find('-') == std::string_view::npos || fields[2].empty())
      return refuse("a line of rpm's list that isn't name, version, architecture and source", line);
    if (fields[0] == "gpg-pubkey") continue;
    Package package{fields[0], fields[1], fields[2], {}, {}, "installed"};
    split_source_rpm(fields[3], package);
    if (!is_sound(package)) return refuse("a package whose name, version or architecture isn't one word", line);
    packages.push_back(package);
  }
  return packages;
}

}  // namespace assay::node::facts
