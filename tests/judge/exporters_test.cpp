#include <gtest/gtest.h>

#include "judging.hpp"

namespace assay::testing {
namespace {

using Observations = std::vector<Observation>;

struct Kind {
  const char* check;
  const char* exporter;
  const char* service;
  const char* metric;
};

const std::string kNode = "cluster/c/node/n1";

class ExporterCheck : public ::testing::TestWithParam<Kind> {
 protected:
  std::string status(const Observations& all) { return status_of(GetParam().check, all, "node/n1"); }
  Observation state(Value value) {
    return seen(kNode + "/exporter/" + GetParam().exporter, "exporter.state", std::move(value));
  }
  Observation metrics(TextList names) {
    return seen(kNode + "/exporter/" + GetParam().exporter, "exporter.metrics", std::move(names));
  }
  Observation running(bool value) { return seen(kNode + "/service/" + GetParam().service, "service.running", value); }
};

TEST_P(ExporterCheck, Sound) { EXPECT_EQ(status({state("answers"), metrics({"up", GetParam().metric})}), "pass"); }

TEST_P(ExporterCheck, Unsound) {
  EXPECT_EQ(status({state("closed"), running(false)}), "fail");
  EXPECT_EQ(status({state("answers"), metrics({"go_goroutines"})}), "fail");
  EXPECT_EQ(status({state("answers"), metrics({})}), "fail");
  EXPECT_EQ(status({state("silent"), running(true)}), "fail");
  EXPECT_EQ(status({state("other")}), "fail");
}

TEST_P(ExporterCheck, UnreadableAndMalformed) {
  EXPECT_EQ(status({state("closed")}), "unknown");
  EXPECT_EQ(status({state("closed"), running(true)}), "unknown") << "any user's process may have its name";
  EXPECT_EQ(status({state("closed"),
                    unseen(kNode + "/service/" + GetParam().service, "service.running", Absence::permission)}),
            "unknown");
  EXPECT_EQ(status({unseen(kNode + "/exporter/" + GetParam().exporter, "exporter.state", Absence::unsupported)}),
            "unknown");
  EXPECT_EQ(status({state("answers")}), "unknown");
  EXPECT_EQ(status({state("half-open")}), "unknown");
  EXPECT_EQ(status({state(std::int64_t{1})}), "unknown");
}

INSTANTIATE_TEST_SUITE_P(All, ExporterCheck,
                         ::testing::Values(Kind{"monitoring.dcgm-exporter", "dcgm", "dcgm-exporter",
                                                "DCGM_FI_DEV_GPU_TEMP"},
                                           Kind{"monitoring.node-exporter", "node", "node-exporter", "node_load1"}),
                         [](const auto& test) { return std::string(test.param.exporter); });

TEST(DcgmExporter, NodesWithoutNvidiasGpusNeedNone) {
  const Observation closed = seen(kNode + "/exporter/dcgm", "exporter.state", std::string("closed"));
  EXPECT_EQ(status_of("monitoring.dcgm-exporter", {seen(kNode, "gpu.count", std::int64_t{0}, "1"), closed}, "node/n1"),
            "not_applicable");
  const Observation amd = seen(kNode + "/gpu/0", "gpu.vendor", std::string("amd"));
  const auto counted = [&](const Observation& count) {
    return status_of("monitoring.dcgm-exporter", {amd, count, closed}, "node/n1");
  };
  EXPECT_EQ(counted(seen(kNode, "gpu.count", std::int64_t{1}, "1")), "not_applicable");
  EXPECT_EQ(counted(seen(kNode, "gpu.count", std::int64_t{2}, "1")), "unknown") << "the other may be NVIDIA's";
  EXPECT_EQ(counted(unseen(kNode, "gpu.count", Absence::timeout)), "unknown");
  EXPECT_EQ(status_of("monitoring.dcgm-exporter", {seen(kNode + "/gpu/0", "gpu.vendor", std::string("nvidia")), closed},
                      "node/n1"),
            "unknown");
}

}  // namespace
}  // namespace assay::testing
