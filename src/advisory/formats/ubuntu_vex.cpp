// Ubuntu's OpenVEX documents (https://security-metadata.canonical.com/vex/): statements on source packages by purl,
// such as pkg:deb/ubuntu/runc-app@1.3.3-0ubuntu1~24.04.2?arch=source&distro=noble. Ubuntu's OVAL names binary packages
// only, by which runc and runc-app can't be told apart; it isn't read.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "advisory/format.hpp"
#include "advisory/json.hpp"
#include "base/text.hpp"
#include "version/order.hpp"

namespace assay::advisory::formats {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kReleases = {{{"trusty", "14.04"},
                                                                                      {"xenial", "16.04"},
                                                                                      {"bionic", "18.04"},
                                                                                      {"focal", "20.04"},
                                                                                      {"jammy", "22.04"},
                                                                                      {"mantic", "23.10"},
                                                                                      {"noble", "24.04"},
                                                                                      {"oracular", "24.10"},
                                                                                      {"plucky", "25.04"},
                                                                                      {"questing", "25.10"},
                                                                                      {"resolute", "26.04"},
                                                                                      {"lunar", "23.04"}}};

struct Source {
  std::string ecosystem;  // "ubuntu:24.04"; empty: a branch with versions of its own (fips, bluefield)
  std::string package;
  std::string version;  // may be empty
};

std::string ecosystem_of(std::string_view distro) {
  std::string_view prefix = "ubuntu:";
  for (const std::string_view pro : {"esm-infra/", "esm-apps/"})
    if (distro.starts_with(pro)) {
      distro.remove_prefix(pro.size());
      prefix = "ubuntu-pro:";
    }
  const auto* release =
      std::find_if(kReleases.begin(), kReleases.end(), [&](const auto& one) { return one.first == distro; });
  return release == kReleases.end() ? std::string() : std::string(prefix) + std::string(release->second);
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = text[i] == '%' && i + 2 < text.size() ? text::integer(text.substr(i + 1, 2), 16) : std::nullopt;
    out += code ? static_cast<char>(*code) : text[i];
    if (code) i += 2;
  }
  return out;
}

// Nothing: not a source package of Ubuntu's.
std::optional<Source> source_of(std::string_view purl) {
  constexpr std::string_view kStart = "pkg:deb/ubuntu/";
  if (!purl.starts_with(kStart)) return std::nullopt;
  const auto mark = std::min(purl.find('?'), purl.size());
  const std::string_view path = purl.substr(kStart.size(), mark - kStart.size());
  Source found;
  bool source = false;
  for (const std::string_view part : text::split(purl.substr(std::min(mark + 1, purl.size())), '&')) {
    if (part == "arch=source") source = true;
    if (part.starts_with("distro=")) found.ecosystem = ecosystem_of(part.substr(7));
  }
  const auto at = path.find('@');
  found.package = unescaped(path.substr(0, at));
  if (at != std::string_view::npos) found.version = unescaped(path.substr(at + 1));
  const bool named =
      !found.package.empty() && found.package.size() <= 200 &&
      std::all_of(found.package.begin(), found.package.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!source || !named) return std::nullopt;
  return found;
}

class Statements {
 public:
  explicit Statements(const Document& document) : document_(document) {}

  void read(json::Element statement);
  Batch take();
  std::string published, modified;

 private:
  Advisory& advisory_of(std::string_view cve);
  void product(Advisory& advisory, std::string_view status, std::string_view purl, json::Element statement);
  void refuse(std::string_view came, const char* why) {
    batch_.refused.push_back({document_.name, "", text::to_utf8(came, 200), why});
  }

  const Document& document_;
  Batch batch_;
  std::map<std::string, Advisory, std::less<>> advisories_;
};

std::string_view name_of(json::Element vulnerability) {
  return vulnerability.is_string() ? json::text(vulnerability) : json::text(vulnerability, "name");
}

Advisory& Statements::advisory_of(std::string_view cve) {
  Advisory& advisory = advisories_[std::string(cve)];
  if (!advisory.id.empty()) return advisory;
  advisory.id = cve;
  advisory.aliases = {advisory.id};
  advisory.source = "ubuntu-vex";
  advisory.url = "https://ubuntu.com/security/" + advisory.id;
  advisory.published = published;
  advisory.modified = modified;
  return advisory;
}

void Statements::product(Advisory& advisory, std::string_view status, std::string_view purl, json::Element statement) {
  ++batch_.ranges;
  const auto source = source_of(purl);
  // Binary packages are said the same of as their source; snaps aren't packages.
  if (!source || source->ecosystem.empty()) {
    ++batch_.elsewhere;
    return;
  }
  Affected affected;
  affected.ecosystem = source->ecosystem;
  affected.package = source->package;
  if (status == "not_affected") {
    affected.says = Affected::Says::not_affected;
    affected.note = text::to_utf8(json::text(statement, "justification"), 100);
  } else if (status == "affected") {
    affected.ranges = {{}};
    affected.note = text::to_utf8(json::text(statement, "action_statement"), 200);
  } else if (status == "fixed" && version::is_version(version::Scheme::dpkg, source->version)) {
    affected.ranges = {{"", source->version, ""}};
  } else {
    affected.says = Affected::Says::undecided;
    if (status != "under_investigation") refuse(purl, "a version that is mended, or a status of OpenVEX");
  }
  advisory.affected.push_back(std::move(affected));
}

void Statements::read(json::Element statement) {
  if (too_much_refused(batch_)) return;
  const std::string_view cve = name_of(json::member(statement, "vulnerability"));
  if (!cve.starts_with("CVE-") || cve.size() > 40 || text::words(cve).size() != 1)
    return refuse(cve, "a vulnerability with its CVE");
  const json::Array products = json::list(statement, "products");
  if (products.size() == 0) return refuse(cve, "products that it speaks of");
  for (const json::Element one : products) {
    if (too_much_refused(batch_)) return;
    const std::string_view id = one.is_string() ? json::text(one) : json::text(one, "@id");
    product(advisory_of(cve), json::text(statement, "status"), id, statement);
  }
}

Batch Statements::take() {
  for (auto& [cve, advisory] : advisories_)
    if (!advisory.affected.empty()) batch_.advisories.push_back(std::move(advisory));
  return std::move(batch_);
}

bool recognizes(const Document& document) {
  const auto head = document.text.substr(0, 1 << 16);
  return head.find("openvex.dev/ns") != std::string_view::npos &&
         head.find("pkg:deb/ubuntu/") != std::string_view::npos;
}

Result<Batch> read(const Document& document) {
  const auto parsed = json::Parsed::parse(document);
  if (!parsed) return failure(parsed.error());
  if (!json::member(parsed->root(), "statements").is_array())
    return failure(
        {Error::Kind::usage, "a list of statements", "none", document.name, "get the feed again from its publisher"});
  Statements statements(document);
  const json::Element about = json::member(parsed->root(), "metadata");
  const json::Element dated = about.is_object() ? about : parsed->root();
  statements.published = json::date(json::text(dated, "timestamp"));
  statements.modified = json::date(json::text(dated, "last_updated"));
  if (statements.modified.empty()) statements.modified = statements.published;
  for (const json::Element one : json::list(parsed->root(), "statements")) statements.read(one);
  return unless_too_much_refused(statements.take(), document);
}

}  // namespace

extern const Format ubuntu_vex = {"ubuntu_vex", "Ubuntu's OpenVEX of source packages, JSON", recognizes, read};

}  // namespace assay::advisory::formats
