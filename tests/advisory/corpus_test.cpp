// The gate: cases with right answers from knowledge, corpus.yaml, asked of what assay brings and, where a case needs
// them, of the real feeds. None may be wrong, and none that must be known may be unknown. Then each end of each range
// is moved by one step: a case must turn, or the corpus doesn't hold that end.
#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "advisory/decide.hpp"
#include "advisory/importing.hpp"
#include "catalog/yaml.hpp"
#include "testing.hpp"

namespace assay::advisory {
namespace {

namespace fs = std::filesystem;

struct Case {
  Question question;
  std::string expected;
  std::vector<std::string> affected, not_affected, needs;
  std::string smallest, with_feeds;
  bool must_be_known = true;
  std::string name;
};

std::vector<Case> read_corpus() {
  const fs::path file = fs::path(ASSAY_SOURCE_DIR) / "tests/advisory/corpus.yaml";
  const auto node = catalog::parse_yaml(*catalog::read_file(file), file.string());
  EXPECT_TRUE(node);
  catalog::Mapping from(*node, file.string());
  from.text_or("about", "");
  const std::string today = from.text("today");
  std::vector<Case> cases;
  for (catalog::Mapping& entry : from.mappings("cases")) {
    Case one;
    one.question.component = entry.text("component");
    one.question.version = entry.text("version");
    one.question.distro = entry.text_or("distro", "");
    one.question.package = entry.text_or("package", "");
    one.question.today = entry.text_or("on", today);
    for (const std::string& cve : entry.list("changelog")) one.question.changelog.insert(cve);
    if (auto conditions = entry.mapping("conditions")) {
      for (const std::string& key : conditions->keys()) one.question.conditions[key] = conditions->text(key);
      entry.adopt(*conditions);
    }
    one.expected = entry.text_or("expect", "");
    one.affected = entry.list("affected");
    one.not_affected = entry.list("not_affected");
    one.needs = entry.list("needs");
    one.smallest = entry.text_or("smallest", "");
    one.with_feeds = entry.text_or("with_feeds", "");
    one.must_be_known = entry.text_or("must_be_known", "true") == "true";
    for (const char* said : {"source", "trap", "why"}) entry.text_or(said, "");
    one.name = one.question.component + " " + one.question.version + " " + one.question.distro;
    from.adopt(entry);
    cases.push_back(std::move(one));
  }
  const auto finished = from.finish();
  EXPECT_TRUE(finished) << finished.error().message();
  return cases;
}

// Empty: right. Otherwise what was wrong.
std::string wrong(const Knowledge& knowledge, const Case& one) {
  const auto answer = decide(knowledge, one.question);
  if (!answer) return answer.error().message();
  const std::string status(name_of(answer->status));
  if (status == "unknown" && !one.must_be_known && one.expected != "unknown") return "";
  if (!one.expected.empty() && status != one.expected)
    return "expected " + one.expected + ", got " + status + ": " + answer->reason;
  const auto standing = [&](const std::string& id) {
    for (const Finding& finding : answer->findings)
      if (finding.id == id || std::count(finding.aliases.begin(), finding.aliases.end(), id) > 0)
        return std::optional(finding.stand.standing);
    return std::optional<Standing>();
  };
  for (const std::string& id : one.affected)
    if (standing(id) != Standing::affected) return id + " isn't affected";
  for (const std::string& id : one.not_affected)
    if (standing(id) == Standing::affected) return id + " is affected";
  if (!one.smallest.empty() && answer->smallest != one.smallest)
    return "smallest step " + answer->smallest + ", expected " + one.smallest;
  return "";
}

Knowledge brought(std::optional<Database> database = std::nullopt) {
  const fs::path data = fs::path(ASSAY_SOURCE_DIR) / "data";
  return Knowledge(*load_components(data / "components"), *load_floor(data / "advisories"), std::move(database));
}

TEST(Corpus, IsLargeAndCoversItsTraps) {
  const auto cases = read_corpus();
  EXPECT_GE(cases.size(), 150u);
}

TEST(Corpus, NothingIsWrongOfflineOnTheFirstStart) {
  const Knowledge knowledge = brought();
  for (const Case& one : read_corpus()) EXPECT_EQ(one.needs.empty() ? wrong(knowledge, one) : "", "") << one.name;
}

TEST(Corpus, NothingIsWrongWithTheRealFeeds) {
  const fs::path feeds = testing::samples().empty() ? fs::path() : testing::samples().parent_path() / "feeds";
  if (feeds.empty() || !fs::exists(feeds)) GTEST_SKIP() << "no ../shared/feeds";
  testing::TemporaryFolder folder;
  auto database = Database::create_or_open(folder.path() / "a.db");
  ASSERT_TRUE(database);
  ImportOptions options;
  options.day = "2026-08-23";
  const auto imported = import_feeds(*database, {feeds}, options);
  ASSERT_TRUE(imported) << imported.error().message();
  const Knowledge knowledge = brought(std::move(*database));
  for (Case& one : read_corpus()) {
    if (!one.with_feeds.empty()) one.expected = std::exchange(one.with_feeds, ""), one.smallest.clear();
    EXPECT_EQ(wrong(knowledge, one), "") << one.name;
  }
}

// The version's last number, one more.
std::string stepped(std::string version) {
  const auto end = version.find_last_of("0123456789");
  const auto begin = version.find_last_not_of("0123456789", end);
  const std::size_t at = begin == std::string::npos ? 0 : begin + 1;
  const std::string number = version.substr(at, end - at + 1);
  std::string next = std::to_string(std::stoull(number) + 1);
  next.insert(0, number.size() > next.size() ? number.size() - next.size() : 0, '0');
  return version.replace(at, number.size(), next);
}

TEST(Corpus, EachEndMovedByOneStepTurnsACase) {
  const fs::path data = fs::path(ASSAY_SOURCE_DIR) / "data";
  const auto components = *load_components(data / "components");
  const Floor floor = *load_floor(data / "advisories");
  std::vector<Case> cases;
  for (Case& one : read_corpus())
    if (one.needs.empty()) cases.push_back(std::move(one));
  const auto turns = [&](const Floor& mutated, const std::string& component) {
    const Knowledge knowledge(components, mutated, std::nullopt);
    return std::any_of(cases.begin(), cases.end(), [&](const Case& one) {
      return one.question.component == component && !wrong(knowledge, one).empty();
    });
  };
  std::vector<std::string> held_by_none;
  for (std::size_t i = 0; i < floor.advisories.size(); ++i)
    for (std::size_t j = 0; j < floor.advisories[i].affected.size(); ++j)
      for (std::size_t k = 0; k < floor.advisories[i].affected[j].fixed.size(); ++k) {
        Floor mutated = floor;
        std::string& end = mutated.advisories[i].affected[j].fixed[k];
        end = stepped(end);
        const Affected& of = floor.advisories[i].affected[j];
        // A distribution's fact lies in its component's file; which that is, is found by the package's name.
        const auto about = [&](const Component& component) {
          const auto holds = [&](const auto& names) { return std::count(names.begin(), names.end(), of.package) > 0; };
          return component.id == of.package || holds(component.dpkg_sources) || holds(component.rpm_names);
        };
        const auto component = std::find_if(components.begin(), components.end(), about);
        ASSERT_NE(component, components.end()) << of.package;
        if (!turns(mutated, component->id))
          held_by_none.push_back(floor.advisories[i].id + " " + of.ecosystem + " " + of.package + " " + of.fixed[k]);
      }
  for (const std::string& end : held_by_none) ADD_FAILURE() << "no case holds " << end;
}

}  // namespace
}  // namespace assay::advisory
