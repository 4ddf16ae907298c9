#include <gtest/gtest.h>

#include "advisory/feed.hpp"

namespace assay::advisory {
namespace {

constexpr auto kKubernetes = R"(---
title: Kubernetes
permalink: /kubernetes
auto:
  methods:
    - git: https://github.com/kubernetes/kubernetes.git
      regex: ^v(?P<major>[1-9]\d*)$
releases:
  - releaseCycle: "1.34"
    releaseDate: 2025-08-27
    eoas: 2026-08-27
    eol: 2026-10-27
    eoes: 2027-10-27
    latest: "1.34.11"
    latestReleaseDate: 2026-08-20
  - releaseCycle: "1.20"
    releaseDate: 2020-12-08
    eol: true
    latest: "1.20.15"
    latestReleaseDate: 2022-01-19
  - releaseCycle: "1.37"
    releaseDate: 2026-08-01
    eol: false
---

> Kubernetes is [explained](https://example.com): with *stars* and {{ templates }}.
)";

Batch read(const std::string& text, const std::string& name = "endoflife/kubernetes.yaml") {
  EXPECT_NE(format_of(text, name), nullptr) << text;
  const auto batch = read_as("endoflife", text, name);
  EXPECT_TRUE(batch) << batch.error().message();
  return batch ? *batch : Batch{};
}

std::string spelled(const Cycle& cycle) {
  return cycle.product + " " + cycle.line + " " + cycle.released + " end " + cycle.end + (cycle.ended ? "over" : "") +
         " extended " + cycle.extended_end + " latest " + cycle.latest + " of " + cycle.latest_date;
}

TEST(EndOfLife, FrontMatter) {
  const Batch batch = read(kKubernetes);
  ASSERT_EQ(batch.cycles.size(), 3);
  EXPECT_EQ(spelled(batch.cycles[0]),
            "kubernetes 1.34 2025-08-27 end 2026-10-27 extended 2027-10-27 latest 1.34.11 of 2026-08-20");
  EXPECT_EQ(spelled(batch.cycles[1]), "kubernetes 1.20 2020-12-08 end over extended  latest 1.20.15 of 2022-01-19");
  EXPECT_EQ(spelled(batch.cycles[2]), "kubernetes 1.37 2026-08-01 end  extended  latest  of ");
  EXPECT_EQ(batch.cycles[0].source, "endoflife.date");
  EXPECT_TRUE(batch.refused.empty());
}

TEST(EndOfLife, TheDriversLinesAreThoseOfLinux) {
  const Batch batch = read(
      "---\npermalink: /nvidia\nreleases:\n"
      "  - releaseCycle: r535-linux\n    eol: 2026-06-01\n  - releaseCycle: r535-windows\n    eol: 2026-06-01\n---\n");
  ASSERT_EQ(batch.cycles.size(), 1);
  EXPECT_EQ(batch.cycles[0].product + " " + batch.cycles[0].line, "nvidia-driver 535");
  EXPECT_EQ(batch.elsewhere, 1);
}

TEST(EndOfLife, ListOfTheInterface) {
  const Batch batch = read(R"([{"cycle": "1.34", "releaseDate": "2025-08-27", "eol": "2026-10-27", "latest": "1.34.11",
    "latestReleaseDate": "2026-08-20", "lts": false, "extendedSupport": "2027-10-27"},
    {"cycle": "1.20", "eol": true}])",
                           "api/kubernetes.json");
  ASSERT_EQ(batch.cycles.size(), 2);
  EXPECT_EQ(spelled(batch.cycles[0]),
            "kubernetes 1.34 2025-08-27 end 2026-10-27 extended 2027-10-27 latest 1.34.11 of 2026-08-20");
  EXPECT_TRUE(batch.cycles[1].ended);
}

TEST(EndOfLife, ResultOfTheInterface) {
  const std::string product = R"({"name": "containerd", "releases": [
    {"name": "2.0", "releaseDate": "2024-11-05", "isEol": true, "eolFrom": "2025-11-07", "isEoes": null,
     "latest": {"name": "2.0.9", "date": "2026-05-01"}}, {"name": "2.3", "isEol": false, "eolFrom": null}]})";
  for (const std::string& text : {R"({"schema_version": "1.2.0", "result": )" + product + "}",
                                  R"({"schema_version": "1.2.0", "result": [)" + product + "]}"}) {
    const Batch batch = read(text, "x.json");
    ASSERT_EQ(batch.cycles.size(), 2);
    EXPECT_EQ(spelled(batch.cycles[0]),
              "containerd 2.0 2024-11-05 end 2025-11-07 extended  latest 2.0.9 of 2026-05-01");
    EXPECT_EQ(batch.cycles[1].ended, false);
  }
}

TEST(EndOfLife, MalformedMembersAreListed) {
  const auto one = [](const std::string& release) {
    const Batch batch = read("---\npermalink: /x\nreleases:\n  - releaseCycle: \"0\"\n    eol: false\n  - " + release);
    EXPECT_EQ(batch.cycles.size(), 1) << release;
    return batch.refused.size();
  };
  for (const auto* release : {"5", "{}", "{releaseCycle: [1], eol: true}", "{releaseCycle: \"1\"}",
                              "{releaseCycle: \"1\", eol: soon}", "{releaseCycle: \"1\", eol: [2026-01-01]}",
                              "{releaseCycle: \"1 2\", eol: true}", "{releaseCycle: \"1\", eol: true, eoes: late}"})
    EXPECT_EQ(one(release), 1) << release;
}

TEST(EndOfLife, WhatIsNoneIsRefusedWhole) {
  for (const std::string text :
       {"", "---", "---\n", "---\n---\n", "---\nreleases: 5\n", "---\n- a\n", "---\nreleases:\n  - {releaseCycle: \n",
        "---\na: &a [*a]\nreleases: [\n", "[", "{}", R"({"result": 5})", "---\n\"\n", "---\n%YAML 1.2\n"})
    EXPECT_FALSE(read_as("endoflife", text)) << text;
}

TEST(EndOfLife, NestingAndAliasesStayBounded) {
  const std::string front = "---\npermalink: /x\nreleases:\n  - releaseCycle: ";
  EXPECT_FALSE(read_as("endoflife", front + std::string(100'000, '[') + "\n---\n"));
  EXPECT_FALSE(read_as("endoflife", front + std::string(100'000, '{') + "\n---\n"));
  std::string dashes = "---\npermalink: /x\nreleases:\n";
  for (int i = 0; i < 10'000; ++i) dashes += "- ";
  EXPECT_FALSE(read_as("endoflife", dashes + "1\n"));
  std::string staircase = "---\n";
  for (int i = 0; i < 2'000; ++i) staircase += std::string(i, ' ') + "a:\n";
  EXPECT_FALSE(read_as("endoflife", staircase + "releases: []\n"));
  // A billion laughs: each is ten of the one before.
  std::string laughs = "---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 1; j < 10; ++j) laughs += ", " + before;
    laughs += "]\n";
  }
  const auto batch = read_as("endoflife", laughs + "releases:\n  - {releaseCycle: *a11, eol: *a11}\n");
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->refused.size(), 1);
}

}  // namespace
}  // namespace assay::advisory
