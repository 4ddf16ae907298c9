#include "advisory/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "advisory/stream.hpp"
#include "base/text.hpp"

namespace assay::advisory {

namespace {

using version::Scheme;

constexpr int kFloor = 3, kBulletin = 2, kCollection = 1, kHearsay = 0;

int rank_of(const Advisory& advisory) {
  return advisory.source == "assay" ? kFloor : advisory.source == "nvidia" ? kBulletin : kCollection;
}

// A module "…/v2" has the versions 2.…, one without has those that no sister has.
bool is_of_module(std::string_view module, const std::vector<std::string>& modules, std::string_view version) {
  if (!version.empty() && version.front() == 'v') version.remove_prefix(1);
  const std::string major(version.substr(0, version.find_first_not_of("0123456789")));
  const auto suffix = [](std::string_view name) -> std::string {
    const auto slash = name.rfind("/v");
    const auto digits = slash == std::string_view::npos ? std::string_view() : name.substr(slash + 2);
    return text::integer(digits) ? std::string(digits) : std::string();
  };
  if (const std::string own = suffix(module); !own.empty()) return own == major;
  return std::none_of(modules.begin(), modules.end(), [&](const auto& other) { return suffix(other) == major; });
}

// What the version itself tells: the device that a firmware is of.
Conditions told_by(const Component& component, const Question& question, const std::string& version) {
  Conditions conditions = question.conditions;
  if (component.scheme != Scheme::firmware || std::count(version.begin(), version.end(), '.') != 2) return conditions;
  const auto model = component.models.find(version.substr(0, version.find('.')));
  if (model != component.models.end()) conditions.emplace("device", model->second);
  return conditions;
}

// Bulletins tell the lines of one product in several rows, each with its own name ("connectx lts23").
void merge_lines(std::vector<Record>& records) {
  for (std::size_t i = 0; i < records.size(); ++i)
    for (std::size_t j = records.size(); j-- > i + 1;) {
      Affected &one = records[i].affected, &other = records[j].affected;
      if (records[i].advisory->id != records[j].advisory->id || one.fixed.empty() || other.fixed.empty() ||
          one.conditions != other.conditions)
        continue;
      one.fixed.insert(one.fixed.end(), other.fixed.begin(), other.fixed.end());
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

Result<std::vector<Record>> bulletins(const Knowledge& knowledge, const Component& component) {
  std::vector<Record> records;
  for (const Component::Product& product : component.bulletins) {
    auto found = knowledge.find("nvidia", product.name);
    if (!found) return failure(found.error());
    for (Record& record : *found) {
      if (!record.affected.platform.starts_with(product.platform)) continue;
      auto& conditions = record.affected.conditions;
      conditions.insert(conditions.end(), product.conditions.begin(), product.conditions.end());
      records.push_back(std::move(record));
    }
  }
  merge_lines(records);
  return records;
}

// Ubuntu's kernels with an ABI number of 1000 or more are a cloud's or a flavour's, not "linux".
bool is_flavoured_kernel(std::string_view package, std::string_view version) {
  if (package != "linux") return false;
  const auto dash = version.find('-');
  if (dash == std::string_view::npos) return false;
  std::string_view build = version.substr(dash + 1);
  const auto abi = text::integer(build.substr(0, build.find_first_not_of("0123456789")));
  return abi && *abi >= 1000;
}

std::vector<std::string> packages_of(const Component& component, const Question& question, Scheme scheme) {
  if (!question.package.empty()) return {question.package};
  return scheme == Scheme::dpkg ? component.dpkg_sources : component.rpm_names;
}

int severity_of(Standing standing) {
  constexpr int kBySeverity[] = {3, 1, 0, 2};  // affected, fixed, not_affected, unknown
  return kBySeverity[static_cast<std::size_t>(standing)];
}

// The record of the version's own stream, if it is an rpm distribution's and one of the claims is of it.
const Claim* of_own_stream(const std::vector<const Claim*>& claims) {
  std::vector<std::string> ends;
  for (const Claim* claim : claims)
    if (claim->scheme == Scheme::rpm && !claim->stand.fixed.empty()) ends.push_back(claim->stand.fixed);
  const std::string end = end_of_own_stream(ends, claims.front()->version);
  const auto found = std::find_if(claims.begin(), claims.end(),
                                  [&](const Claim* claim) { return !end.empty() && claim->stand.fixed == end; });
  return found == claims.end() ? nullptr : *found;
}

// Of several claims about one weakness by equals: that of the version's own stream, else the worst.
const Claim* worst_of(const std::vector<const Claim*>& claims) {
  if (const Claim* own = of_own_stream(claims)) return own;
  return *std::max_element(claims.begin(), claims.end(), [](const Claim* a, const Claim* b) {
    return severity_of(a->stand.standing) < severity_of(b->stand.standing);
  });
}

// The highest rank that could decide, or knows on which condition it hangs; if none could, the first.
const Claim* believed(const std::vector<const Claim*>& claims) {
  for (int rank = kFloor; rank >= kCollection; --rank) {
    std::vector<const Claim*> equals;
    for (const Claim* claim : claims)
      if (claim->rank == rank && (claim->stand.standing != Standing::unknown || claim->stand.conditional))
        equals.push_back(claim);
    if (!equals.empty()) return worst_of(equals);
  }
  return claims.front();
}

// The component may be several packages there. The first that a record names is it, unless that one never gets a mend
// and another has one (runc and runc-app in Ubuntu).
const Claim* believed_of_distribution(const std::vector<const Claim*>& claims) {
  const Claim* first = nullptr;
  for (std::size_t i = 0; i < claims.size();) {
    const std::string& package = claims[i]->record.affected.package;
    std::vector<const Claim*> same;
    for (; i < claims.size() && claims[i]->record.affected.package == package; ++i) same.push_back(claims[i]);
    const Claim* worst = worst_of(same);
    if (first == nullptr) first = worst;
    const bool hopeless = first->stand.standing == Standing::affected && first->stand.fixed.empty();
    if (!hopeless) return first;
    if (worst->stand.standing == Standing::fixed || !worst->stand.fixed.empty()) return worst;
  }
  return first;
}

std::vector<std::string> weaknesses_of(const Advisory& advisory) {
  std::vector<std::string> cves;
  for (const std::string& alias : advisory.aliases)
    if (alias.starts_with("CVE-")) cves.push_back(alias);
  if (cves.empty() && advisory.id.starts_with("CVE-")) cves.push_back(advisory.id);
  return cves.empty() ? std::vector<std::string>{advisory.id} : cves;
}

using ByWeakness = std::map<std::string, std::vector<const Claim*>>;

ByWeakness by_weakness(const std::vector<Claim>& claims) {
  ByWeakness found;
  for (const Claim& claim : claims)
    for (const std::string& id : weaknesses_of(*claim.record.advisory)) found[id].push_back(&claim);
  return found;
}

void add_aliases(Finding& finding, const std::vector<const Claim*>& claims) {
  for (const Claim* claim : claims) {
    const Advisory& advisory = *claim->record.advisory;
    if (advisory.id != finding.id) finding.aliases.push_back(advisory.id);
    for (const std::string& alias : advisory.aliases)
      if (!alias.starts_with("CVE-")) finding.aliases.push_back(alias);
  }
  std::sort(finding.aliases.begin(), finding.aliases.end());
  finding.aliases.erase(std::unique(finding.aliases.begin(), finding.aliases.end()), finding.aliases.end());
}

Finding finding_of(const std::string& id, const Claim& claim, Basis basis) {
  Finding finding;
  finding.id = id;
  finding.advisory = claim.record.advisory;
  finding.stand = claim.stand;
  finding.basis = basis;
  return finding;
}

// What the distribution's silence leaves of the makers' word: it can acquit, not convict.
Finding acquitted_or_open(const std::string& id, const Claim& claim, const Question& question) {
  Finding finding = finding_of(id, claim, Basis::upstream);
  if (claim.stand.standing == Standing::fixed || claim.stand.standing == Standing::not_affected) return finding;
  finding.basis = Basis::none;
  finding.stand.standing = Standing::unknown;
  finding.stand.reason =
      claim.rank == kHearsay
          ? fmt::format("{}, and nothing is known of {}", claim.stand.reason, question.distro)
          : fmt::format("{} as its makers count, but {} may have mended its own build and nothing is known of that",
                        claim.stand.reason, question.distro);
  finding.stand.fixed.clear();
  return finding;
}

bool told_by_changelog(const std::string& id, const Question& question) { return question.changelog.contains(id); }

Finding by_changelog(const std::string& id, const Claim& claim) {
  Finding finding = finding_of(id, claim, Basis::changelog);
  finding.stand = {Standing::fixed, "", "the package's changelog names it"};
  return finding;
}

Finding decide_one(const std::string& id, const std::vector<const Claim*>* makers,
                   const std::vector<const Claim*>* distribution, const Question& question) {
  if (distribution != nullptr) {
    const Claim* claim = believed_of_distribution(*distribution);
    const bool open = claim->stand.fixed.empty() &&
                      (claim->stand.standing == Standing::affected || claim->stand.standing == Standing::unknown);
    if (open && told_by_changelog(id, question)) return by_changelog(id, *claim);
    return finding_of(id, *claim, Basis::distribution);
  }
  const Claim* claim = believed(*makers);
  if (question.distro.empty()) return finding_of(id, *claim, Basis::upstream);
  if (told_by_changelog(id, question)) return by_changelog(id, *claim);
  return acquitted_or_open(id, *claim, question);
}

// A mended version is told by any record: whether there is one at all.
bool mended_somewhere(const std::vector<const Claim*>& claims) {
  return std::any_of(claims.begin(), claims.end(), [](const Claim* claim) {
    const Affected& affected = claim->record.affected;
    const auto ends = [](const Range& range) { return !range.fixed.empty() || !range.last.empty(); };
    return !affected.fixed.empty() || std::any_of(affected.ranges.begin(), affected.ranges.end(), ends);
  });
}

}  // namespace

Result<std::vector<Claim>> makers_claims(const Knowledge& knowledge, const Component& component,
                                         const Question& question, const std::string& version) {
  std::vector<Claim> claims;
  const Conditions conditions = told_by(component, question, version);
  const auto add = [&](const std::vector<Record>& records) {
    for (const Record& record : records)
      claims.push_back({record, component.scheme, version,
                        stand(record.affected, component.scheme, version, conditions), rank_of(*record.advisory)});
  };
  const auto look = [&](std::string_view ecosystem, const std::string& package) -> Result<void> {
    const auto records = knowledge.find(ecosystem, package);
    if (!records) return failure(records.error());
    add(*records);
    return {};
  };
  if (auto looked = look("upstream", component.id); !looked) return failure(looked.error());
  for (const std::string& module : component.go_modules)
    if (is_of_module(module, component.go_modules, version))
      if (auto looked = look("go", module); !looked) return failure(looked.error());
  for (const std::string& project : component.pypi)
    if (auto looked = look("pypi", project); !looked) return failure(looked.error());
  const auto told = bulletins(knowledge, component);
  if (!told) return failure(told.error());
  add(*told);
  return claims;
}

Result<std::vector<Claim>> distribution_claims(const Knowledge& knowledge, const Component& component,
                                               const Question& question, Scheme scheme) {
  std::vector<Claim> claims;
  for (const std::string& package : packages_of(component, question, scheme)) {
    if (question.package.empty() && is_flavoured_kernel(package, question.version)) continue;
    const auto records = knowledge.find(question.distro, package);
    if (!records) return failure(records.error());
    for (const Record& record : *records)
      claims.push_back({record, scheme, question.version,
                        stand(record.affected, scheme, question.version, question.conditions),
                        rank_of(*record.advisory)});
  }
  return claims;
}

std::vector<Claim> sisters_claims(const Knowledge& knowledge, const Component& component, const Question& question,
                                  Scheme scheme) {
  std::vector<Claim> claims;
  for (const std::string& package : packages_of(component, question, scheme))
    for (const Record& record : knowledge.of_sisters(question.distro, package))
      claims.push_back({record,
                        scheme,
                        question.version,
                        {Standing::unknown, "", fmt::format("{} has it", record.affected.ecosystem)},
                        kHearsay});
  return claims;
}

std::vector<Finding> fold(const std::vector<Claim>& makers, const std::vector<Claim>& distribution,
                          const Question& question) {
  const ByWeakness said_by_makers = by_weakness(makers), said_by_distribution = by_weakness(distribution);
  std::set<std::string> ids;
  for (const auto* said : {&said_by_makers, &said_by_distribution})
    for (const auto& [id, claims] : *said) ids.insert(id);
  std::vector<Finding> findings;
  for (const std::string& id : ids) {
    const auto in = [&](const ByWeakness& said) {
      const auto found = said.find(id);
      return found == said.end() ? nullptr : &found->second;
    };
    const auto *theirs = in(said_by_makers), *its = in(said_by_distribution);
    Finding finding = decide_one(id, theirs, its, question);
    bool mended = false;
    for (const auto* claims : {theirs, its})
      if (claims != nullptr) {
        add_aliases(finding, *claims);
        mended = mended || mended_somewhere(*claims);
      }
    finding.no_mend = finding.stand.standing == Standing::affected && !mended;
    findings.push_back(std::move(finding));
  }
  return findings;
}

bool is_free(const std::vector<Claim>& claims, const std::string& version) {
  std::vector<Claim> there = claims;
  for (Claim& claim : there) {
    claim.version = version;
    claim.stand = stand(claim.record.affected, claim.scheme, version, {});
  }
  for (const auto& [id, said] : by_weakness(there)) {
    if (!mended_somewhere(said)) continue;
    const bool by_distribution = said.front()->record.affected.ecosystem.find(':') != std::string::npos;
    const Standing standing = (by_distribution ? believed_of_distribution(said) : believed(said))->stand.standing;
    if (standing == Standing::affected || standing == Standing::unknown) return false;
  }
  return true;
}

}  // namespace assay::advisory
