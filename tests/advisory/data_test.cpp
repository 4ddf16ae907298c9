// What data/ brings is sound in itself: it loads, its names fit together, and each of its versions is one.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <set>

#include "advisory/component.hpp"
#include "advisory/decide.hpp"
#include "advisory/floor.hpp"
#include "advisory/standing.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using namespace advisory;

const std::filesystem::path kData = std::filesystem::path(ASSAY_SOURCE_DIR) / "data";

const std::vector<Component>& components() {
  static const auto loaded = load_components(kData / "components");
  if (!loaded) throw std::runtime_error(loaded.error().message());
  return *loaded;
}

const Floor& floor() {
  static const auto loaded = load_floor(kData / "advisories");
  if (!loaded) throw std::runtime_error(loaded.error().message());
  return *loaded;
}

bool is_dpkg(const std::string& release) { return release.starts_with("debian:") || release.starts_with("ubuntu:"); }

version::Scheme scheme_of(const Affected& affected) {
  if (affected.ecosystem == "upstream") return find_component(components(), affected.package)->scheme;
  return is_dpkg(affected.ecosystem) ? version::Scheme::dpkg : version::Scheme::rpm;
}

std::vector<std::string> versions_of(const Affected& affected) {
  std::vector<std::string> all = affected.fixed;
  all.insert(all.end(), affected.versions.begin(), affected.versions.end());
  all.push_back(affected.introduced);
  for (const Range& range : affected.ranges) all.insert(all.end(), {range.introduced, range.fixed, range.last});
  std::erase(all, "");
  return all;
}

TEST(Data, NamesTheComponentsThatAreAskedFor) {
  EXPECT_GE(components().size(), 60u);
  for (const char* id : {"nvidia-driver", "nvidia-container-toolkit",
                         "gpu-operator",  "dcgm",
                         "dcgm-exporter", "connectx-firmware",
                         "doca-host",     "mlnx-ofed",
                         "rocm",          "slurm",
                         "munge",         "kubernetes",
                         "containerd",    "runc",
                         "docker",        "linux",
                         "ingress-nginx", "glibc",
                         "openssh",       "sudo",
                         "vllm",          "ray",
                         "triton"})
    EXPECT_NE(find_component(components(), id), nullptr) << id;
}

// A package that two components claim would be judged as one or the other, by chance.
TEST(Data, GivesEachPackageToOneComponent) {
  std::map<std::string, std::string> owner;
  const auto claim = [&](const std::string& kind, const std::vector<std::string>& names, const std::string& id) {
    for (const std::string& name : names) {
      const auto [held, fresh] = owner.emplace(kind + ":" + name, id);
      EXPECT_TRUE(fresh) << kind << " " << name << " is of " << held->second << " and of " << id;
    }
  };
  for (const Component& component : components()) {
    claim("dpkg source", component.dpkg_sources, component.id);
    claim("rpm", component.rpm_names, component.id);
    claim("package", component.packages, component.id);
    claim("Go module", component.go_modules, component.id);
    claim("wheel", component.pypi, component.id);
    for (const auto& bulletin : component.bulletins) claim("bulletin", {bulletin.name}, component.id);
  }
}

TEST(Data, SpeaksOnlyOfComponentsThatThereAre) {
  ASSERT_FALSE(floor().advisories.empty());
  for (const auto& file : std::filesystem::directory_iterator(kData / "advisories")) {
    const std::string id = file.path().stem().string();
    EXPECT_TRUE(id == "lines" || find_component(components(), id) != nullptr) << id;
  }
}

TEST(Data, HoldsVersionsThatAreOnesOfTheirScheme) {
  for (const Advisory& advisory : floor().advisories)
    for (const Affected& affected : advisory.affected)
      for (const std::string& one : versions_of(affected))
        EXPECT_TRUE(version::is_version(scheme_of(affected), one))
            << advisory.id << " " << affected.package << " " << one;
}

// A mended version that its own entry calls affected would be advice to upgrade in vain.
TEST(Data, CallsNoMendedVersionAffected) {
  for (const Advisory& advisory : floor().advisories)
    for (const Affected& affected : advisory.affected)
      for (const std::string& fixed : affected.fixed)
        EXPECT_EQ(stand(affected, scheme_of(affected), fixed, {}).standing, Standing::fixed)
            << advisory.id << " " << fixed;
}

TEST(Data, WritesConditionsAsKeysAndValues) {
  static const std::regex kForm("[a-z][a-z-]*!?=[a-z0-9-]+([|][a-z0-9-]+)*");
  for (const Advisory& advisory : floor().advisories)
    for (const Affected& affected : advisory.affected)
      for (const std::string& condition : affected.conditions)
        EXPECT_TRUE(std::regex_match(condition, kForm)) << advisory.id << " " << condition;
}

TEST(Data, TellsInTheDocsWhatEachConditionAsks) {
  const std::string page = read_file(std::filesystem::path(ASSAY_SOURCE_DIR) / "docs/advisories.md");
  for (const Advisory& advisory : floor().advisories)
    for (const Affected& affected : advisory.affected)
      for (const std::string& condition : affected.conditions) {
        const std::string key = condition.substr(0, condition.find_first_of("!="));
        EXPECT_THAT(page, ::testing::HasSubstr("| " + key + " |")) << advisory.id;
      }
}

TEST(Data, NamesEachCveAsOne) {
  static const std::regex kCve("CVE-20[0-9]{2}-[0-9]{4,}");
  for (const Advisory& advisory : floor().advisories) {
    for (const std::string& alias : advisory.aliases) EXPECT_TRUE(std::regex_match(alias, kCve)) << alias;
    EXPECT_TRUE(advisory.url.starts_with("https://")) << advisory.id;
  }
}

TEST(Data, HasReleaseLinesForWhatSpeaksOfThem) {
  std::set<std::string> products, lines;
  for (const Cycle& cycle : floor().cycles) {
    products.insert(cycle.product);
    EXPECT_TRUE(lines.insert(cycle.product + " " + cycle.line).second)
        << cycle.product << " " << cycle.line << " twice";
  }
  for (const Component& component : components())
    EXPECT_TRUE(component.lines.empty() || products.contains(component.lines))
        << component.id << " " << component.lines;
}

// Docker counts lines by two numbers up to 26.1 and by one since.
TEST(Data, TellsWhichLinesAreOver) {
  const Knowledge known(components(), floor(), std::nullopt);
  const auto lifecycle = [&](const std::string& component, const std::string& version) {
    Question question;
    question.component = component;
    question.version = version;
    question.today = "2026-08-25";
    return decide(known, question)->lifecycle;
  };
  EXPECT_EQ(lifecycle("docker", "29.7.0").status, Status::pass);
  EXPECT_EQ(lifecycle("docker", "29.7.0").latest, "29.7.2");
  EXPECT_EQ(lifecycle("docker", "28.5.2").status, Status::fail);
  EXPECT_EQ(lifecycle("docker", "26.1.5").status, Status::fail);
  EXPECT_EQ(lifecycle("docker", "26.1.5").end, "2025-02-17");
  EXPECT_EQ(lifecycle("docker", "17.03.2").status, Status::fail);  // older than all that are listed
  EXPECT_EQ(lifecycle("nvidia-driver", "535.309.01").status, Status::fail);
  EXPECT_EQ(lifecycle("nvidia-driver", "580.159.03").latest, "580.178.04");
  EXPECT_EQ(lifecycle("kubernetes", "1.34.11").status, Status::warn);  // until 2026-10-27
  EXPECT_EQ(lifecycle("kubernetes", "1.33.13").status, Status::fail);
  EXPECT_EQ(lifecycle("kubernetes", "1.40.0").status, Status::unknown);
  EXPECT_EQ(lifecycle("etcd", "3.8.0").status, Status::unknown);  // not line 3
  EXPECT_EQ(lifecycle("slurm", "24.11.5").status, Status::fail);
  EXPECT_EQ(lifecycle("munge", "0.5.18").status, Status::not_applicable);
}

}  // namespace
}  // namespace assay::testing
