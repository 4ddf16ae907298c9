#include "advisory/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "advisory/gather.hpp"
#include "advisory/lifecycle.hpp"
#include "advisory/step.hpp"
#include "base/text.hpp"

namespace assay::advisory {

namespace {

using version::Scheme;

constexpr int kYoungDays = 3;  // a mend that is younger is told and doesn't fail: nobody could roll it out yet

Error no_such_component(const std::string& id) {
  return {Error::Kind::usage, "a component that assay knows", "\"" + id + "\"", "",
          "assay advisories components lists them"};
}

// Affected, then what couldn't be told, then the rest; attacked and severe ones first.
void sort_for_people(std::vector<Finding>& findings) {
  const auto weight = [](const Finding& finding) {
    constexpr std::array kOrder = {3, 1, 0, 2};  // affected, fixed, not_affected, unknown
    return std::tuple(kOrder[static_cast<std::size_t>(finding.stand.standing)], finding.exploited,
                      static_cast<int>(finding.advisory->severity));
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return weight(a) > weight(b); });
}

Result<void> add_what_is_known(const Knowledge& knowledge, const Question& question, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const auto exploited = knowledge.exploited(finding.id);
    if (!exploited) return failure(exploited.error());
    finding.exploited = exploited->has_value();
    const Advisory& advisory = *finding.advisory;
    const std::string& since = advisory.fixed_date.empty() ? advisory.published : advisory.fixed_date;
    const auto age = days_between(since, question.today);
    finding.young = finding.stand.standing == Standing::affected && age && *age < kYoungDays;
  }
  return {};
}

std::size_t count(const std::vector<Finding>& findings, Standing standing) {
  return static_cast<std::size_t>(std::count_if(
      findings.begin(), findings.end(), [&](const Finding& finding) { return finding.stand.standing == standing; }));
}

std::string first_words(const std::vector<Finding>& findings, Standing standing) {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& finding) { return finding.stand.standing == standing; });
  const std::size_t more = count(findings, standing) - 1;
  return fmt::format("{}: {}{}", found->id, found->stand.reason, more > 0 ? fmt::format(", and {} more", more) : "");
}

// Whether what is known can acquit: there is a word about this component or its distribution, and it isn't stale.
struct Ground {
  bool any = false;
  bool stale = false;
  std::string newest;
};

Result<Ground> ground_of(const Knowledge& knowledge, const Question& question, bool found) {
  Ground ground;
  const bool makers = question.distro.empty();
  for (const std::string_view ecosystem : makers ? std::vector<std::string_view>{"upstream", "go", "pypi", "nvidia"}
                                                 : std::vector<std::string_view>{question.distro}) {
    const auto newest = knowledge.newest(ecosystem);
    if (!newest) return failure(newest.error());
    ground.newest = std::max(ground.newest, *newest);
  }
  const auto age = days_between(ground.newest, question.today);
  ground.stale = !age || *age > question.stale_after;
  const auto covered =
      makers ? Result<bool>(knowledge.looked_at(question.component)) : knowledge.covers(question.distro);
  if (!covered) return failure(covered.error());
  ground.any = found || *covered;
  return ground;
}

std::string weaknesses(std::size_t count) {
  return count == 1 ? "1 weakness is" : fmt::format("{} weaknesses are", count);
}

void conclude(Answer& answer, const Question& question, const Ground& ground) {
  const auto& findings = answer.findings;
  const auto convicts = [](const Finding& finding) {
    return finding.stand.standing == Standing::affected && !finding.young && !finding.no_mend;
  };
  if (std::any_of(findings.begin(), findings.end(), convicts)) {
    answer.status = Status::fail;
    answer.reason = first_words(findings, Standing::affected);
  } else if (count(findings, Standing::unknown) > 0) {
    answer.status = Status::unknown;
    answer.reason = first_words(findings, Standing::unknown);
  } else if (count(findings, Standing::affected) > 0) {
    answer.status = Status::warn;
    answer.reason = first_words(findings, Standing::affected) + "; no mended version can be had yet, or only since " +
                    fmt::format("less than {} days", kYoungDays);
  } else if (!ground.any) {
    answer.reason = question.distro.empty() ? "no advisory that is known here speaks of it"
                                            : fmt::format(
                                                  "nothing is known here of {}'s packages: import its advisories "
                                                  "with assay advisories import",
                                                  question.distro);
  } else if (ground.stale) {
    answer.reason = fmt::format(
        "what is known here is of {}, older than {} days: import newer feeds with assay advisories "
        "import",
        ground.newest, question.stale_after);
  } else {
    answer.status = Status::pass;
    answer.reason = findings.empty() ? "no advisory speaks of it"
                                     : weaknesses(findings.size()) + " known of it, none of which touches it";
  }
}

}  // namespace

std::string_view name_of(Basis basis) {
  constexpr std::array<std::string_view, 4> kNames = {"distribution", "changelog", "upstream", "none"};
  return kNames[static_cast<std::size_t>(basis)];
}

std::optional<Scheme> scheme_of_distro(std::string_view distro) {
  const std::string_view id = distro.substr(0, distro.find(':'));
  for (const std::string_view one : {"debian", "ubuntu", "ubuntu-pro"})
    if (id == one) return Scheme::dpkg;
  for (const std::string_view one :
       {"almalinux", "rocky", "rhel", "centos", "fedora", "ol", "amzn", "sles", "opensuse-leap"})
    if (id == one) return Scheme::rpm;
  return std::nullopt;
}

std::string upstream_part(Scheme scheme, std::string_view version) {
  if (const auto colon = version.find(':'); colon != std::string_view::npos) version.remove_prefix(colon + 1);
  version = version.substr(0, version.rfind('-'));
  if (scheme == Scheme::dpkg)  // 1.1.5+ds1, 20.10.24+dfsg1, 1.2~git…: what Debian put behind
    for (const std::string_view mark : {"+ds", "~ds", "+dfsg", "~dfsg", "+really"})
      if (const auto at = version.find(mark); at != std::string_view::npos) version = version.substr(0, at);
  return std::string(version);
}

std::optional<int> days_between(std::string_view from, std::string_view to) {
  const auto day = [](std::string_view text) -> std::optional<std::chrono::sys_days> {
    if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
    const auto year = text::integer(text.substr(0, 4)), month = text::integer(text.substr(5, 2)),
               date = text::integer(text.substr(8, 2));
    if (!year || !month || !date) return std::nullopt;
    const std::chrono::year_month_day found{std::chrono::year(static_cast<int>(*year)),
                                            std::chrono::month(static_cast<unsigned>(*month)),
                                            std::chrono::day(static_cast<unsigned>(*date))};
    return found.ok() ? std::optional(std::chrono::sys_days(found)) : std::nullopt;
  };
  const auto a = day(from), b = day(to);
  if (!a || !b) return std::nullopt;
  return static_cast<int>((*b - *a).count());
}

std::string release_of(std::string_view distro) {
  const std::string release = text::lower(distro);
  const std::string_view id = std::string_view(release).substr(0, release.find(':'));
  for (const std::string_view one : {"almalinux", "rocky", "rhel", "centos", "ol", "debian"})
    if (id == one) return release.substr(0, release.find('.'));
  return release;
}

Result<Answer> decide(const Knowledge& knowledge, const Question& asked) {
  Question question = asked;
  question.distro = release_of(asked.distro);
  const Component* component = find_component(knowledge.components(), question.component);
  if (component == nullptr) return failure(no_such_component(question.component));
  const auto distro_scheme = scheme_of_distro(question.distro);
  Answer answer;
  if (!question.distro.empty() && !distro_scheme) {
    answer.reason = fmt::format("nothing is known here of how {} numbers its packages", question.distro);
    return answer;
  }
  const Scheme scheme = distro_scheme.value_or(component->scheme);
  if (!version::is_version(scheme, question.version)) {
    answer.reason = fmt::format("\"{}\" is no version as {} has them", text::to_utf8(question.version, 80),
                                version::name_of(scheme));
    return answer;
  }
  const std::string upstream = distro_scheme ? upstream_part(scheme, question.version) : question.version;
  auto makers = makers_claims(knowledge, *component, question, upstream);
  if (!makers) return failure(makers.error());
  std::vector<Claim> distribution;
  if (distro_scheme) {
    auto claims = distribution_claims(knowledge, *component, question, scheme);
    if (!claims) return failure(claims.error());
    distribution = std::move(*claims);
    const auto sisters = sisters_claims(knowledge, *component, question, scheme);
    makers->insert(makers->end(), sisters.begin(), sisters.end());
  }
  answer.findings = fold(*makers, distribution, question);
  if (auto added = add_what_is_known(knowledge, question, answer.findings); !added) return failure(added.error());
  sort_for_people(answer.findings);
  const auto ground = ground_of(knowledge, question, !answer.findings.empty());
  if (!ground) return failure(ground.error());
  conclude(answer, question, *ground);
  auto lifecycle = lifecycle_of(knowledge, *component, upstream, question.today);
  if (!lifecycle) return failure(lifecycle.error());
  answer.lifecycle = std::move(*lifecycle);
  const Step step =
      distro_scheme ? step_from(distribution, scheme, question.version) : step_from(*makers, scheme, question.version);
  answer.smallest = step.smallest;
  answer.newest = step.newest;
  return answer;
}

}  // namespace assay::advisory
