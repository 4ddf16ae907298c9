// Red Hat's CSAF 2.0 documents: VEX, one a CVE (https://security.access.redhat.com/data/csaf/v2/vex/), and advisories,
// one an RHSA. Only Red Hat Enterprise Linux itself is taken: its layered products and the paid branches of minor
// releases (EUS, AUS, …) have versions of their own and are counted elsewhere. Red Hat gave up OVAL for these.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "advisory/format.hpp"
#include "advisory/formats/redhat_vex_detail.hpp"
#include "advisory/json.hpp"
#include "base/text.hpp"

namespace assay::advisory::formats {

namespace {

struct Statuses {
  std::set<std::string> fixed;
  bool affected = false;
  bool investigated = false;
  std::string note;  // why there is no fix
};

class Vulnerability {
 public:
  Vulnerability(const RedHatTree& tree, json::Element told, const Document& document, Batch& batch)
      : tree_(tree), told_(told), document_(document), batch_(batch) {}

  // `whole`: what the document says of all its vulnerabilities.
  void read(Advisory whole);

 private:
  using Key = std::pair<std::string, std::string>;  // ecosystem and package

  void status(const char* key, bool needs_version);
  void remediations();
  void severity(Advisory& advisory) const;

  const RedHatTree& tree_;
  json::Element told_;
  const Document& document_;
  Batch& batch_;
  std::map<Key, Statuses> products_;
  std::map<std::string_view, std::string> notes_;  // by product id
};

// Debugging symbols aren't run.
bool is_symbols(const std::string& package) {
  return package.find("-debuginfo") != std::string::npos || package.find("-debugsource") != std::string::npos;
}

void Vulnerability::remediations() {
  for (const json::Element one : json::list(told_, "remediations")) {
    const std::string_view category = json::text(one, "category");
    if (category != "no_fix_planned" && category != "none_available") continue;
    for (const json::Element id : json::list(one, "product_ids"))
      notes_[json::text(id)] = text::to_utf8(json::text(one, "details"), 100);
  }
}

void Vulnerability::status(const char* key, bool needs_version) {
  for (const json::Element entry : json::list(json::member(told_, "product_status"), key)) {
    if (too_much_refused(batch_)) return;
    ++batch_.ranges;
    const std::string_view id = json::text(entry);
    const auto product = tree_.product(id);
    if (product && (product->ecosystem.empty() || is_symbols(product->package))) {
      ++batch_.elsewhere;
      continue;
    }
    if (!product || (needs_version && product->version.empty())) {
      batch_.refused.push_back(
          {document_.name, std::string(key), text::to_utf8(id, 200),
           product ? "a mended version" : "an id of a package on a platform, as the tree has them"});
      continue;
    }
    Statuses& statuses = products_[{product->ecosystem, product->package}];
    const std::string_view which = key;
    if (which == "fixed") statuses.fixed.insert(product->version);
    if (which == "known_affected") statuses.affected = true;
    if (which == "under_investigation") statuses.investigated = true;
    if (const auto note = notes_.find(id); note != notes_.end()) statuses.note = note->second;
  }
}

void Vulnerability::severity(Advisory& advisory) const {
  for (const json::Element threat : json::list(told_, "threats"))
    if (json::text(threat, "category") == "impact")
      advisory.severity = std::max(advisory.severity, severity_from(json::text(threat, "details")));
  double worst = -1;
  for (const json::Element score : json::list(told_, "scores")) {
    const json::Element cvss = json::member(score, "cvss_v3");
    const double base = json::number(cvss, "baseScore", -1);
    if (base <= worst) continue;
    worst = base;
    advisory.vector = text::to_utf8(json::text(cvss, "vectorString"), 200);
  }
  if (advisory.severity == Severity::unknown) advisory.severity = severity_of_score(worst);
}

// Each minor release has a mended version of its own: one entry for each, so that a build of 9.6 can be told from one
// of 9.7. A mended version tells more than "affected", which is said of a release as it first came.
std::vector<Affected> affected_of(const Statuses& statuses) {
  std::vector<Affected> all;
  for (const std::string& fixed : statuses.fixed) all.emplace_back().ranges = {{"", fixed, ""}};
  if (!all.empty()) return all;
  Affected& one = all.emplace_back();
  if (statuses.affected) {
    one.ranges = {{}};
    one.note = statuses.note;
  } else if (statuses.investigated) {
    one.says = Affected::Says::undecided;
    one.note = "under investigation";
  } else {
    one.says = Affected::Says::not_affected;
  }
  return all;
}

void Vulnerability::read(Advisory whole) {
  const std::string_view cve = json::text(told_, "cve");
  if (!cve.starts_with("CVE-") || cve.size() > 40 || text::words(cve).size() != 1) {
    batch_.refused.push_back({document_.name, "", text::to_utf8(cve, 200), "a vulnerability with its CVE"});
    return;
  }
  if (whole.id != cve) whole.id += "/" + std::string(cve);
  whole.aliases = {std::string(cve)};
  if (const auto title = json::text(told_, "title"); !title.empty()) whole.title = text::to_utf8(title, 300);
  severity(whole);
  remediations();
  status("fixed", true);
  status("known_affected", false);
  status("known_not_affected", false);
  status("under_investigation", false);
  for (const auto& [key, statuses] : products_)
    for (Affected& one : affected_of(statuses)) {
      one.ecosystem = key.first;
      one.package = key.second;
      whole.affected.push_back(std::move(one));
    }
  if (!whole.affected.empty()) batch_.advisories.push_back(std::move(whole));
}

bool recognizes(const Document& document) {
  const auto head = document.text.substr(0, 1 << 16);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return has("\"csaf_version\"") && has("\"https://www.redhat.com\"");
}

Result<Batch> read(const Document& document) {
  const auto parsed = json::Parsed::parse(document);
  if (!parsed) return failure(parsed.error());
  const auto refuse = [&](const char* expected, std::string_view came) {
    return failure({Error::Kind::usage, expected, text::to_utf8(came, 100), document.name,
                    "get the feed again from its publisher"});
  };
  const json::Element about = json::member(parsed->root(), "document");
  const std::string_view category = json::text(about, "category");
  if (category != "csaf_vex" && category != "csaf_security_advisory")
    return refuse("a document of category csaf_vex or csaf_security_advisory", category);
  const json::Element tracking = json::member(about, "tracking");
  const std::string_view id = json::text(tracking, "id");
  if (id.empty() || id.size() > 60 || text::words(id).size() != 1) return refuse("a tracking id", id);
  if (!json::member(parsed->root(), "vulnerabilities").is_array()) return refuse("a list of vulnerabilities", "none");

  Advisory whole;
  whole.id = id;
  whole.title = text::to_utf8(json::text(about, "title"), 300);
  whole.source = "redhat";
  whole.published = json::date(json::text(tracking, "initial_release_date"));
  whole.modified = json::date(json::text(tracking, "current_release_date"));
  whole.url =
      (id.starts_with("CVE-") ? "https://access.redhat.com/security/cve/" : "https://access.redhat.com/errata/") +
      std::string(id);
  const RedHatTree tree(json::member(parsed->root(), "product_tree"));
  Batch batch;
  for (const json::Element told : json::list(parsed->root(), "vulnerabilities")) {
    if (too_much_refused(batch)) break;
    Vulnerability(tree, told, document, batch).read(whole);
  }
  return unless_too_much_refused(std::move(batch), document);
}

}  // namespace

extern const Format redhat_vex = {"redhat_vex", "Red Hat's VEX and CSAF advisories of RHEL, JSON", recognizes, read};

}  // namespace assay::advisory::formats
