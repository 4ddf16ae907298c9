// Traps met in real data (see issue 4): each on the record it was met in, where ../shared/feeds is there, and on one of
// the same shape.
#include <gtest/gtest.h>

#include "advisory/feed.hpp"
#include "advisory/standing.hpp"

namespace assay::advisory {
namespace {

using version::Scheme;

Batch osv(const std::string& affected) {
  const auto batch = read_as("osv", R"({"id": "GO-2026-1", "modified": "2026-01-01T00:00:00Z",
    "aliases": ["CVE-2026-1"], "affected": [)" +
                                        affected + "]}");
  EXPECT_TRUE(batch);
  return batch ? *batch : Batch{};
}

// The worst that an advisory's entries for the product say of a version.
Standing standing(const Advisory* advisory, std::string_view ecosystem, std::string_view package, Scheme scheme,
                  std::string_view version) {
  Standing worst = Standing::not_affected;
  bool any = false;
  for (const Affected& one : advisory ? advisory->affected : std::vector<Affected>()) {
    if (one.ecosystem != ecosystem || one.package != package) continue;
    any = true;
    const Standing here = stand(one, scheme, version, {}).standing;
    if (here == Standing::affected || (here == Standing::unknown && worst != Standing::affected)) worst = here;
    if (here == Standing::fixed && worst == Standing::not_affected) worst = here;
  }
  return any ? worst : Standing::unknown;
}

TEST(Traps, T05_AnOpenRangeWithCustomRangesGoesByThese) {
  const Batch batch = osv(R"({"package": {"ecosystem": "Go", "name": "k8s.io/ingress-nginx"},
    "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
    "ecosystem_specific": {"custom_ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.11.5"},
    {"introduced": "1.12.0-beta.0"}, {"fixed": "1.12.1"}]}]}})");
  const auto at = [&](const char* version) {
    return standing(&batch.advisories.at(0), "go", "k8s.io/ingress-nginx", Scheme::semver, version);
  };
  EXPECT_EQ(at("1.11.4"), Standing::affected);
  EXPECT_EQ(at("1.11.5"), Standing::fixed);
  EXPECT_EQ(at("1.12.0"), Standing::affected);
  EXPECT_EQ(at("1.12.1"), Standing::fixed);
  EXPECT_EQ(at("1.13.0"), Standing::fixed);
}

TEST(Traps, T05_OnGosOwnRecords) {
  if (feed("go-vulndb").empty()) GTEST_SKIP() << "no ../shared/feeds/go-vulndb";
  const Batch batch = read_all(feed("go-vulndb"));
  const auto at = [&](const char* id, const char* module, const char* version) {
    return standing(advisory(batch, id), "go", module, Scheme::semver, version);
  };
  EXPECT_EQ(at("GO-2025-3567", "k8s.io/ingress-nginx", "1.11.4"), Standing::affected);  // CVE-2025-1974
  EXPECT_EQ(at("GO-2025-3567", "k8s.io/ingress-nginx", "1.12.1"), Standing::fixed);
  EXPECT_EQ(at("GO-2026-4426", "k8s.io/ingress-nginx", "1.13.6"), Standing::affected);
  EXPECT_EQ(at("GO-2026-4426", "k8s.io/ingress-nginx", "1.14.3"), Standing::fixed);
  EXPECT_EQ(at("GO-2025-3992", "github.com/NVIDIA/gpu-operator", "25.3.1"), Standing::affected);
  EXPECT_EQ(at("GO-2025-3992", "github.com/NVIDIA/gpu-operator", "25.3.2"), Standing::fixed);
  // CVE-2024-41110 is mended in 23.0.15, 25.0.6, 26.1.5 and 27.1.1: the module's range misses the first, the custom
  // one has 26.1.15 for the third.
  for (const auto* mended : {"23.0.15", "25.0.6", "26.1.5", "27.1.1"})
    EXPECT_EQ(at("GO-2024-3005", "github.com/docker/docker", mended), Standing::fixed) << mended;
  for (const auto* open : {"23.0.14", "25.0.5", "26.1.4", "27.1.0"})
    EXPECT_EQ(at("GO-2024-3005", "github.com/docker/docker", open), Standing::affected) << open;
  EXPECT_EQ(at("GO-2024-2521", "github.com/docker/docker", "19.03.0"), Standing::affected);
  EXPECT_EQ(at("GO-2024-2521", "github.com/docker/docker", "19.03.1"), Standing::fixed);
  EXPECT_EQ(at("GO-2024-2521", "github.com/docker/docker", "18.09.9"), Standing::not_affected);
}

TEST(Traps, T06_EnginesVersionIsntMobysModules) {
  const Batch batch = osv(R"({"package": {"ecosystem": "Go", "name": "github.com/docker/docker"},
      "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}]},
    {"package": {"ecosystem": "Go", "name": "github.com/moby/moby/v2"},
      "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": "2.0.0-beta.14"}]}]})");
  // Engine 29.5.0 has it and 29.5.1 hasn't; the record doesn't tell that, so neither may pass nor fail by it.
  for (const auto* module : {"github.com/docker/docker", "github.com/moby/moby/v2"})
    for (const auto* version : {"28.5.2", "29.5.0", "29.5.1"})
      EXPECT_EQ(standing(&batch.advisories.at(0), "go", module, Scheme::semver, version), Standing::unknown) << module;
  EXPECT_EQ(batch.refused.size(), 2);
  EXPECT_EQ(batch.refused[1].came, "2.0.0-beta.14");
}

TEST(Traps, T06_OnGosOwnRecords) {
  if (feed("go-vulndb").empty()) GTEST_SKIP() << "no ../shared/feeds/go-vulndb";
  const Batch batch = read_all(feed("go-vulndb"));
  for (const auto* id : {"GO-2026-5617", "GO-2026-5668", "GO-2026-5746", "GO-2026-4883", "GO-2026-4887"})
    for (const auto* module : {"github.com/docker/docker", "github.com/moby/moby", "github.com/moby/moby/v2"})
      for (const auto* version : {"28.5.2", "29.5.0", "29.5.1"})
        EXPECT_EQ(standing(advisory(batch, id), "go", module, Scheme::semver, version), Standing::unknown) << id;
  // A record of the older module alone still tells.
  EXPECT_EQ(standing(advisory(batch, "GO-2025-3830"), "go", "github.com/docker/docker", Scheme::semver, "28.3.2"),
            Standing::affected);
}

TEST(Traps, T07_AnEndThatIsASentenceIsListedAndLeavesItOpen) {
  const Batch batch = osv(R"({"package": {"ecosystem": "Go", "name": "github.com/NVIDIA/gpu-operator"},
    "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"last_affected": "and including 26.3.2"}]}]})");
  ASSERT_EQ(batch.refused.size(), 1);
  EXPECT_EQ(batch.refused[0].came, "and including 26.3.2");
  for (const auto* version : {"26.3.1", "26.3.2", "26.3.3"})
    EXPECT_EQ(standing(&batch.advisories.at(0), "go", "github.com/NVIDIA/gpu-operator", Scheme::semver, version),
              Standing::unknown);
}

TEST(Traps, T08_NoVersionIsNoRangeAndOverlapsAreOne) {
  const Batch none = osv(R"({"package": {"ecosystem": "PyPI", "name": "ray"}, "versions": ["n/a"]})");
  ASSERT_EQ(none.refused.size(), 1);
  EXPECT_EQ(none.refused[0].came, "n/a");
  EXPECT_EQ(standing(&none.advisories.at(0), "pypi", "ray", Scheme::pep440, "2.52.0"), Standing::unknown);

  const Batch overlap = osv(R"({"package": {"ecosystem": "Go", "name": "a/b"}, "ranges": [
    {"type": "SEMVER", "events": [{"introduced": "1.0.0"}, {"fixed": "1.5.0"}]},
    {"type": "SEMVER", "events": [{"introduced": "1.2.0"}, {"fixed": "1.7.0"}]}]})");
  const auto at = [&](const char* version) {
    return standing(&overlap.advisories.at(0), "go", "a/b", Scheme::semver, version);
  };
  EXPECT_EQ(at("0.9.0"), Standing::not_affected);
  EXPECT_EQ(at("1.1.0"), Standing::affected);
  EXPECT_EQ(at("1.6.0"), Standing::affected);  // past the one's end, and inside the other
  EXPECT_EQ(at("1.7.0"), Standing::fixed);
}

// The record of a mended version may come much later: when it was published says nothing of when the mend could be had.
TEST(Traps, T08_ALateRecordIsNoYoungFix) {
  const auto batch = read_as("osv", R"({"id": "DEBIAN-CVE-2025-43904", "published": "2026-01-16T00:00:00Z",
    "modified": "2026-01-17T00:00:00Z", "affected": [{"package": {"ecosystem": "Debian:12", "name": "slurm-wlm"},
    "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "22.05.8-4+deb12u3"}]}]}]})");
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->advisories.at(0).fixed_date, "");
  EXPECT_EQ(batch->advisories.at(0).published, "2026-01-16");
}

// Ubuntu 24.04 builds the binary runc from either source; only runc-app was mended.
TEST(Traps, T09_SourcesOfOneBinaryAreKeptApart) {
  const auto batch = read_as("osv", R"({"id": "UBUNTU-CVE-2025-31133", "modified": "2025-11-06T00:00:00Z", "affected": [
    {"package": {"ecosystem": "Ubuntu:24.04:LTS", "name": "runc"},
     "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
     "ecosystem_specific": {"binaries": [{"binary_name": "runc", "binary_version": "1.1.12-0ubuntu3"}]}},
    {"package": {"ecosystem": "Ubuntu:24.04:LTS", "name": "runc-app"},
     "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.3.3-0ubuntu1~24.04.2"}]}],
     "ecosystem_specific": {"binaries": [{"binary_name": "runc", "binary_version": "1.3.3-0ubuntu1~24.04.2"}]}}]})");
  ASSERT_TRUE(batch);
  const auto at = [&](const char* source, const char* version) {
    return standing(&batch->advisories.at(0), "ubuntu:24.04", source, Scheme::dpkg, version);
  };
  EXPECT_EQ(at("runc", "1.1.12-0ubuntu3.1"), Standing::affected);
  EXPECT_EQ(at("runc", "1.3.3-0ubuntu1~24.04.3"), Standing::affected);  // that source is never mended
  EXPECT_EQ(at("runc-app", "1.2.5-0ubuntu1~24.04.1"), Standing::affected);
  EXPECT_EQ(at("runc-app", "1.3.3-0ubuntu1~24.04.2"), Standing::fixed);
}

}  // namespace
}  // namespace assay::advisory
