// Debian's security tracker, https://security-tracker.debian.org/tracker/data/json: source package → CVE → release.
// The one document is 70 MB. Records are gathered by CVE, as one of them may be in many packages.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "advisory/format.hpp"
#include "advisory/json.hpp"
#include "base/text.hpp"
#include "version/order.hpp"

namespace assay::advisory::formats {

namespace {

// sid is no release; older ones aren't followed any more.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kReleases = {{{"buster", "debian:10"},
                                                                                     {"bullseye", "debian:11"},
                                                                                     {"bookworm", "debian:12"},
                                                                                     {"trixie", "debian:13"},
                                                                                     {"forky", "debian:14"}}};

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= 100 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

class Tracker {
 public:
  explicit Tracker(const Document& document) : document_(document) {}

  void package(std::string_view name, json::Object weaknesses);
  Batch take() { return std::move(batch_); }

 private:
  Advisory& record_of(std::string_view id, json::Element weakness);
  void weakness(std::string_view package, std::string_view id, json::Element weakness);
  void release(Advisory& record, std::string_view package, std::string_view codename, json::Element told);
  void refuse(std::string subject, std::string_view came, std::string why) {
    batch_.refused.push_back({document_.name, text::to_utf8(subject, 300), text::to_utf8(came, 200), std::move(why)});
  }

  const Document& document_;
  Batch batch_;
  std::unordered_map<std::string_view, std::size_t> records_;  // the document's own texts
};

Advisory& Tracker::record_of(std::string_view id, json::Element weakness) {
  const auto [found, fresh] = records_.emplace(id, batch_.advisories.size());
  if (fresh) {
    Advisory record;
    record.id = id;
    if (id.starts_with("CVE-")) record.aliases = {record.id};
    record.title = text::to_utf8(json::text(weakness, "description"), 200);
    record.source = "debian";
    record.url = "https://security-tracker.debian.org/tracker/" + record.id;
    batch_.advisories.push_back(std::move(record));
  }
  return batch_.advisories[found->second];
}

// "no DSA: Minor issue; urgency: unimportant"
std::string note_of(json::Element told) {
  std::string note;
  const auto add = [&](const char* what, std::string_view words) {
    if (!words.empty()) note += (note.empty() ? "" : "; ") + std::string(what) + text::to_utf8(words, 120);
  };
  add("no DSA: ", json::text(told, "nodsa"));
  add("because: ", json::text(told, "nodsa_reason"));
  const std::string_view urgency = json::text(told, "urgency");
  if (urgency != "not yet assigned") add("urgency: ", urgency);
  return note;
}

void Tracker::release(Advisory& record, std::string_view package, std::string_view codename, json::Element told) {
  ++batch_.ranges;
  const auto known =
      std::find_if(kReleases.begin(), kReleases.end(), [&](const auto& one) { return one.first == codename; });
  if (known == kReleases.end()) {
    ++batch_.elsewhere;
    return;
  }
  Affected affected;
  affected.ecosystem = known->second;
  affected.package = package;
  affected.note = note_of(told);
  const std::string_view status = json::text(told, "status");
  const std::string_view fixed = json::text(told, "fixed_version");
  std::string_view urgency = json::text(told, "urgency");
  if (urgency.ends_with("**")) urgency.remove_suffix(2);  // set by hand
  record.severity = std::max(record.severity, severity_from(urgency));
  const auto undecided = [&](std::string_view came, const char* why) {
    refuse(record.id + " " + std::string(package) + " " + std::string(codename), came, why);
    affected.says = Affected::Says::undecided;
  };
  if (fixed == "0") {
    affected.says = Affected::Says::not_affected;
  } else if (status == "undetermined") {
    affected.says = Affected::Says::undecided;
  } else if (status == "open") {
    affected.ranges = {{}};
  } else if (status != "resolved") {
    undecided(status, "a status: open, resolved or undetermined");
  } else if (version::is_version(version::Scheme::dpkg, fixed)) {
    affected.ranges = {{"", std::string(fixed), ""}};
  } else {
    undecided(fixed, "a version as \"fixed_version\" of what is resolved");
  }
  record.affected.push_back(std::move(affected));
}

void Tracker::weakness(std::string_view package, std::string_view id, json::Element weakness) {
  if (!is_word(id)) return refuse(std::string(package), id, "a CVE");
  const json::Element releases = json::member(weakness, "releases");
  if (!releases.is_object())
    return refuse(std::string(id) + " " + std::string(package), "none", "an object \"releases\"");
  Advisory& record = record_of(id, weakness);
  const json::Object told = releases.get_object().value_unsafe();
  for (const auto& [codename, status] : told)
    if (!too_much_refused(batch_)) release(record, package, codename, status);
}

void Tracker::package(std::string_view name, json::Object weaknesses) {
  if (!is_word(name)) return refuse("", name, "a source package");
  for (const auto& [id, told] : weaknesses)
    if (!too_much_refused(batch_)) weakness(name, id, told);
}

bool recognizes(const Document& document) {
  const auto head = document.text.substr(0, 1 << 16);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return text::trim(head.substr(0, 256)).starts_with('{') && has("\"releases\"") && has("\"repositories\"") &&
         has("\"status\"");
}

Result<Batch> read(const Document& document) {
  const auto parsed = json::Parsed::parse(document);
  if (!parsed) return failure(parsed.error());
  Tracker tracker(document);
  const json::Object packages = parsed->root().get_object().value_unsafe();
  for (const auto& [name, weaknesses] : packages) {
    if (!weaknesses.is_object())
      return failure({Error::Kind::usage, "an object of CVEs for each package",
                      "another value for " + text::to_utf8(name, 100), document.name,
                      "get the feed again from its publisher"});
    tracker.package(name, weaknesses.get_object().value_unsafe());
  }
  Batch batch = tracker.take();
  std::erase_if(batch.advisories, [](const Advisory& record) { return record.affected.empty(); });
  return unless_too_much_refused(std::move(batch), document);
}

}  // namespace

extern const Format debian_tracker = {"debian_tracker", "Debian's security tracker, JSON", recognizes, read};

}  // namespace assay::advisory::formats
