#include <gmock/gmock.h>

#include "node/facts/http_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using node::facts::metric_names;
using node::facts::parse_http;
using ::testing::ElementsAre;

TEST(Http, BodiesByLengthByChunksAndByEnd) {
  EXPECT_EQ(parse_http("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")->body, "abc");
  EXPECT_EQ(parse_http("HTTP/1.0 404 Not Found\r\n\r\nabc")->status, 404);
  EXPECT_EQ(parse_http("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n")->body,
            "abc");
}

TEST(Http, WhatIsCutOrNoHttpIsRefused) {
  for (const auto bytes : {"", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 twohundred OK\r\n\r\n",
                           "HTTP/1.1 999 x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
                           "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab\r\n",
                           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
                           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nab\r\n0\r\n\r\n"})
    EXPECT_FALSE(parse_http(bytes)) << bytes;
}

TEST(Metrics, NamesAreTakenOnce) {
  const auto names = metric_names(
      "# HELP DCGM_FI_DEV_GPU_TEMP x\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 74\nDCGM_FI_DEV_GPU_TEMP{gpu=\"1\"} 71\n"
      "\nup 1 1700000000000\n");
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, ElementsAre("DCGM_FI_DEV_GPU_TEMP", "up"));
  EXPECT_TRUE(metric_names("")->empty());
  for (const auto body : {"<html>\n", "name\n", "9name 1\n", "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"\n", "a{} \n", "a 1 2 3\n",
                          "a{b=\"c\"d=} 1\n"})
    EXPECT_FALSE(metric_names(body)) << body;
}

TEST(Metrics, RealCaptures) {
  if (samples().empty()) GTEST_SKIP();
  const auto folder = samples() / "nodes/health-tools";
  // Its first line is the command that fetched it: no answer of an exporter begins so.
  const std::string whole = read_file(folder / "dcgm-exporter-metrics-ericsson-ccd.txt");
  EXPECT_FALSE(metric_names(whole));
  const auto names = metric_names(whole.substr(whole.find('\n') + 1));
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, ::testing::Contains("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"));
  EXPECT_THAT(*names, ::testing::Each(::testing::StartsWith("DCGM_FI_")));
  EXPECT_FALSE(metric_names(read_file(folder / "dcgm-exporter-metrics-2xl40s-abridged.txt")));  // "..." for labels
  ASSERT_TRUE(metric_names(read_file(folder / "efa-node-exporter-metrics.txt")));
}

TEST(Exporters, AFolderTreeCannotAnswer) {
  TemporaryFolder tree;
  const Reading reading = read_tree("exporters", tree.string());
  EXPECT_EQ(reading.text("exporter/dcgm", "exporter.state"), "<absent unsupported>");
  EXPECT_EQ(reading.text("exporter/node", "exporter.metrics"), "<absent unsupported>");
}

}  // namespace
}  // namespace assay::testing
