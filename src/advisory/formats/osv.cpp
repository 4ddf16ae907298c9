// OSV, the open source vulnerability format (https://ossf.github.io/osv-schema/): one record a file, or a list of
// records. Publishers differ in what they fill in, so that what a record is of goes by its id.
#include <algorithm>
#include <array>
#include <utility>

#include "advisory/cvss.hpp"
#include "advisory/format.hpp"
#include "advisory/formats/osv_ecosystem_detail.hpp"
#include "advisory/formats/osv_go_detail.hpp"
#include "advisory/formats/osv_ranges_detail.hpp"
#include "advisory/json.hpp"
#include "base/text.hpp"

namespace assay::advisory::formats {

namespace {

// Publishers by the start of their ids. Those of distributions list a record's CVEs as `related`; elsewhere these are
// other weaknesses.
struct Publisher {
  std::string_view prefix;
  std::string_view source;
  bool distribution;
};
constexpr std::array<Publisher, 19> kPublishers = {{{"GO-", "go-vulndb", false},
                                                    {"ALSA-", "almalinux", true},
                                                    {"ALBA-", "almalinux", true},
                                                    {"ALEA-", "almalinux", true},
                                                    {"RLSA-", "rocky", true},
                                                    {"RLBA-", "rocky", true},
                                                    {"RLEA-", "rocky", true},
                                                    {"RXSA-", "rocky", true},
                                                    {"RHSA-", "redhat", true},
                                                    {"RHBA-", "redhat", true},
                                                    {"RHEA-", "redhat", true},
                                                    {"DSA-", "debian", true},
                                                    {"DLA-", "debian", true},
                                                    {"DTSA-", "debian", true},
                                                    {"DEBIAN-CVE-", "debian", true},
                                                    {"UBUNTU-CVE-", "ubuntu", true},
                                                    {"USN-", "ubuntu", true},
                                                    {"PYSEC-", "pypi", false},
                                                    {"GHSA-", "github", false}}};

constexpr std::size_t kVersions = 20'000;  // one by one, of one product
constexpr std::size_t kAliases = 5'000;

const Publisher& publisher_of(std::string_view id) {
  static constexpr Publisher kOther = {"", "osv", false};
  const auto* found = std::find_if(kPublishers.begin(), kPublishers.end(),
                                   [&](const Publisher& one) { return id.starts_with(one.prefix); });
  return found == kPublishers.end() ? kOther : *found;
}

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 100 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

class Record {
 public:
  Record(json::Element record, const Document& document, Batch& batch)
      : record_(record), document_(document), batch_(batch) {}

  void read();

 private:
  void refuse(std::string subject, std::string_view came, std::string why) {
    const std::string whole = subject.empty() ? advisory_.id : advisory_.id + ": " + subject;
    batch_.refused.push_back({document_.name, text::to_utf8(whole, 300), text::to_utf8(came, 200), std::move(why)});
  }
  void read_aliases();
  void read_severity();
  void read_url();
  void read_affected(json::Element entry);
  void read_product(json::Element entry, const Ecosystem& ecosystem, const std::string& package);
  void take(Affected affected, const Ranges& ranges, std::string_view undecided);

  json::Element record_;
  const Document& document_;
  Batch& batch_;
  Advisory advisory_;
  bool moby_v2_ = false;
};

void Record::read_aliases() {
  const bool distribution = publisher_of(advisory_.id).distribution;
  for (const std::string_view key : {"aliases", "upstream", "related"}) {
    if (key == "related" && !distribution) continue;
    for (const json::Element alias : json::list(record_, key)) {
      const std::string_view id = json::text(alias);
      if (id.starts_with("CVE-") || id.starts_with("GHSA-")) {
        if (is_id(id) && advisory_.aliases.size() < kAliases) advisory_.aliases.emplace_back(id);
      }
    }
  }
  // "UBUNTU-CVE-2025-1234", "DEBIAN-CVE-…" and "CVE-…" name theirs.
  const auto cve = advisory_.id.find("CVE-");
  if (cve != std::string::npos) advisory_.aliases.push_back(advisory_.id.substr(cve));
  std::sort(advisory_.aliases.begin(), advisory_.aliases.end());
  advisory_.aliases.erase(std::unique(advisory_.aliases.begin(), advisory_.aliases.end()), advisory_.aliases.end());
}

// By the worst CVSS 3 vector; else the publisher's word: a field, or "Important: …" before the title.
void Record::read_severity() {
  std::string_view word = json::text(json::member(record_, "database_specific"), "severity");
  double worst = -1;
  for (const json::Element severity : json::list(record_, "severity")) {
    const std::string_view type = json::text(severity, "type");
    const std::string_view score = json::text(severity, "score");
    if (type == "Ubuntu" && word.empty()) word = score;
    if (!score.starts_with("CVSS:") || score.size() > 300) continue;
    const auto base = cvss_base_score(score);
    if (base && *base > worst) {
      worst = *base;
      advisory_.vector = score;
    } else if (worst < 0 && advisory_.vector.empty()) {
      advisory_.vector = score;
    }
  }
  if (worst >= 0) advisory_.severity = severity_of_score(worst);
  if (advisory_.severity == Severity::unknown) advisory_.severity = severity_from(word);
  const auto colon = advisory_.title.find(": ");
  if (advisory_.severity == Severity::unknown && colon != std::string::npos)
    advisory_.severity = severity_from(std::string_view(advisory_.title).substr(0, colon));
}

void Record::read_url() {
  std::string_view url = json::text(json::member(record_, "database_specific"), "url");
  // The last: AlmaLinux names Red Hat's before its own.
  if (url.empty())
    for (const json::Element reference : json::list(record_, "references"))
      if (json::text(reference, "type") == "ADVISORY") url = json::text(reference, "url");
  if (text::starts_with_any(url, {"https://", "http://"})) advisory_.url = text::to_utf8(url, 500);
}

void Record::take(Affected affected, const Ranges& ranges, std::string_view undecided) {
  const std::string subject = affected.ecosystem + " " + affected.package;
  for (const auto& [came, why] : ranges.unread) refuse(subject, came, why);
  if (!undecided.empty()) {
    refuse(subject, affected.ranges.empty() ? "" : affected.ranges.back().fixed, std::string(undecided));
    affected.says = Affected::Says::undecided;
    affected.note = std::string(undecided) + "; " + affected.note;
    affected.ranges.clear();
  }
  // A part that can't be read hides nothing of what can: it stands beside it, undecided.
  if (!ranges.unread.empty()) {
    Affected unread = affected;
    unread.says = Affected::Says::undecided;
    unread.ranges.clear();
    unread.versions.clear();
    unread.note = "a part of its versions can't be read; " + affected.note;
    advisory_.affected.push_back(std::move(unread));
  }
  if (affected.says == Affected::Says::undecided || !affected.ranges.empty() || !affected.versions.empty())
    advisory_.affected.push_back(std::move(affected));
}

void Record::read_product(json::Element entry, const Ecosystem& ecosystem, const std::string& package) {
  Affected affected;
  affected.ecosystem = ecosystem.name;
  affected.package = package;
  Ranges ranges = ranges_of(json::member(entry, "ranges"), ecosystem.scheme);
  batch_.ranges += ranges.told;
  batch_.elsewhere += ranges.git;
  const json::Element specific = json::member(entry, "ecosystem_specific");
  std::string_view undecided;
  std::string how;
  affected.ranges = ranges.read;
  if (ecosystem.name == "go") {
    const Ranges custom = ranges_of(json::member(specific, "custom_ranges"), ecosystem.scheme);
    batch_.ranges += custom.told;
    batch_.elsewhere += custom.git;
    ranges.unread.insert(ranges.unread.end(), custom.unread.begin(), custom.unread.end());
    affected.ranges = go_ranges(ranges.read, custom.read, how);
    undecided = go_undecided(package, affected.ranges, moby_v2_);
    const bool reviewed = json::text(json::member(record_, "database_specific"), "review_status") == "REVIEWED";
    affected.note = reviewed ? "reviewed by the Go team" : "not reviewed by the Go team";
    if (!how.empty()) affected.note += "; " + how;
  }
  const std::string_view urgency = json::text(specific, "urgency");
  if (!urgency.empty()) affected.note = "urgency: " + text::to_utf8(urgency, 60);
  const json::Array versions = json::list(entry, "versions");
  if (versions.size() > kVersions)
    ranges.unread.push_back({"more", "at most 20000 versions one by one"});
  else
    for (const json::Element version : versions) {
      const std::string_view one = json::text(version);
      if (version::is_version(ecosystem.scheme, one))
        affected.versions.emplace_back(one);
      else
        ranges.unread.push_back({text::to_utf8(one, 200), "a version in the list \"versions\""});
    }
  const bool silent =
      ranges.told == ranges.git && affected.ranges.empty() && affected.versions.empty() && ranges.unread.empty();
  // Commits alone can't be compared with what is installed.
  if (silent && ranges.git == 0) ranges.unread.push_back({"none", "ranges or versions"});
  take(std::move(affected), ranges, undecided);
}

void Record::read_affected(json::Element entry) {
  const json::Element package = json::member(entry, "package");
  const std::string_view told = json::text(package, "ecosystem");
  const auto count = json::list(entry, "ranges").size();
  if (package.is_null()) {  // only commits of a repository
    const Ranges ranges = ranges_of(json::member(entry, "ranges"), version::Scheme::plain);
    batch_.ranges += ranges.told;
    batch_.elsewhere += ranges.git;
    if (ranges.git != ranges.told || ranges.told == 0) refuse("", "an entry without one", "a package");
    return;
  }
  const Ecosystem ecosystem = ecosystem_of(told);
  if (ecosystem.kind != Ecosystem::Kind::ours) {
    batch_.ranges += count;
    if (ecosystem.kind == Ecosystem::Kind::elsewhere)
      batch_.elsewhere += count;
    else
      refuse("", told.empty() ? "none" : told, "an ecosystem of OSV's schema, a distribution's with its release");
    return;
  }
  const std::string name = package_of(ecosystem, json::text(package, "name"));
  if (!name.empty()) return read_product(entry, ecosystem, name);
  batch_.ranges += count;
  refuse(ecosystem.name, json::text(package, "name"), "a package's name");
}

void Record::read() {
  const std::string_view id = json::text(record_, "id");
  if (!is_id(id)) return refuse("", id.empty() ? "none" : id, "a record with an id");
  advisory_.id = id;
  if (!json::member(record_, "affected").is_array()) return refuse("", "none", "a list \"affected\"");
  advisory_.source = publisher_of(id).source;
  advisory_.title = text::to_utf8(json::text(record_, "summary"), 300);
  advisory_.published = json::date(json::text(record_, "published"));
  advisory_.modified = json::date(json::text(record_, "modified"));
  if (json::has(record_, "withdrawn")) {
    advisory_.withdrawn = json::date(json::text(record_, "withdrawn"));
    if (advisory_.withdrawn.empty())
      return refuse("", json::text(record_, "withdrawn"), "a date as \"withdrawn\", with which it no longer holds");
  }
  read_aliases();
  // Bug fixes and enhancements of a distribution: to be without them is no weakness.
  const bool bugs = text::starts_with_any(id, {"ALBA-", "ALEA-", "RLBA-", "RLEA-", "RHBA-", "RHEA-"});
  if (bugs && advisory_.aliases.empty()) {
    for (const json::Element entry : json::list(record_, "affected")) {
      batch_.ranges += json::list(entry, "ranges").size();
      batch_.elsewhere += json::list(entry, "ranges").size();
    }
    return;
  }
  read_severity();
  read_url();
  for (const json::Element entry : json::list(record_, "affected"))
    moby_v2_ = moby_v2_ || json::text(json::member(entry, "package"), "name") == kMobyV2;
  for (const json::Element entry : json::list(record_, "affected")) {
    if (too_much_refused(batch_)) return;
    read_affected(entry);
  }
  if (!advisory_.affected.empty()) batch_.advisories.push_back(std::move(advisory_));
}

bool is_list(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[';
}

bool recognizes(const Document& document) {
  // Long texts may come before the members that tell.
  const auto head = document.text.substr(0, 1 << 20);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  const auto first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (head[first] != '{' && head[first] != '[')) return false;
  return has("\"modified\"") && has("\"affected\"") && has("\"id\"") && !has("\"csaf_version\"");
}

Result<Batch> read(const Document& document) {
  const bool list = is_list(document.text);
  const auto parsed = json::Parsed::parse(document, list);
  if (!parsed) return failure(parsed.error());
  Batch batch;
  if (!list) {
    if (!json::has(parsed->root(), "id"))
      return failure({Error::Kind::usage, "a record with an \"id\"", "none", document.name,
                      "get the feed again from its publisher"});
    Record(parsed->root(), document, batch).read();
    return unless_too_much_refused(std::move(batch), document);
  }
  const json::Array records = parsed->root().get_array().value_unsafe();
  for (const json::Element record : records) {
    if (too_much_refused(batch)) break;
    Record(record, document, batch).read();
  }
  return unless_too_much_refused(std::move(batch), document);
}

}  // namespace

extern const Format osv = {"osv", "OSV records of Go, PyPI, AlmaLinux, Rocky, Red Hat, Debian, Ubuntu, JSON",
                           recognizes, read};

}  // namespace assay::advisory::formats
