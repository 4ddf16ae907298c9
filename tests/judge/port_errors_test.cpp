#include <gtest/gtest.h>

#include "fabric.hpp"

namespace assay::testing {
namespace {

constexpr auto kCheck = "networking.ib-port-errors";
const std::string kPort = "node/n1/hca/mlx5_1/port/1";
constexpr double kDay = 86400;

Observation counter(const std::string& node, const std::string& hca, const std::string& name, std::int64_t value) {
  return seen(port_path(node, hca), "port.counter." + name, value, "1");
}

Observations three(double uptime = 10 * kDay) {
  Observations all = cluster_of({"n1", "n2", "n3"}, {"mlx5_0", "mlx5_1"});
  for (const char* node : {"n1", "n2", "n3"}) {
    all.push_back(seen(node_path(node), "os.uptime", uptime, "s"));
    for (const char* hca : {"mlx5_0", "mlx5_1"})
      for (const char* name : {"symbol_error", "link_downed", "link_error_recovery", "local_link_integrity_errors",
                               "excessive_buffer_overrun_errors", "port_rcv_errors", "port_xmit_discards"})
        all.push_back(counter(node, hca, name, 0));
  }
  return all;
}

std::string counted(const std::string& name, std::int64_t value, double uptime = 10 * kDay) {
  return status_of(kCheck, with(three(uptime), counter("n1", "mlx5_1", name, value)), kPort);
}

TEST(IbPortErrors, Sound) { EXPECT_EQ(counted("symbol_error", 0), "pass"); }

TEST(IbPortErrors, ARateThatIsProven) {
  EXPECT_EQ(counted("symbol_error", 65535), "fail");              // 273 an hour
  EXPECT_EQ(counted("symbol_error", 65535, 100 * kDay), "pass");  // 27 an hour at least: nothing is proven
  EXPECT_EQ(counted("symbol_error", 119, 600), "pass");           // no hour has passed
  EXPECT_EQ(counted("link_downed", 255), "fail");
  EXPECT_EQ(counted("port_rcv_errors", 10'000'000), "warn");
  EXPECT_EQ(counted("port_xmit_discards", 100'000'000), "warn");
  EXPECT_EQ(counted("link_error_recovery", 100'000), "warn");
}

TEST(IbPortErrors, OnceDownAtBootIsNoFlap) {
  EXPECT_EQ(counted("link_downed", 1), "pass");
  EXPECT_EQ(counted("link_downed", 3), "warn");
  Observations all = three();
  for (const char* node : {"n1", "n2", "n3"})  // the switch was updated: every link went down
    for (const char* hca : {"mlx5_0", "mlx5_1"}) all = with(std::move(all), counter(node, hca, "link_downed", 3));
  EXPECT_EQ(status_of(kCheck, all, kPort), "pass");
}

TEST(IbPortErrors, ATotalThatStandsOut) {
  EXPECT_EQ(counted("local_link_integrity_errors", 7), "warn");
  EXPECT_EQ(counted("excessive_buffer_overrun_errors", 15), "warn");
}

TEST(IbPortErrors, CongestionIsNoError) { EXPECT_EQ(counted("port_xmit_wait", 2'489'603'687), "pass"); }

TEST(IbPortErrors, UnreadableAndMalformed) {
  const auto path = port_path("n1", "mlx5_1");
  EXPECT_EQ(status_of(kCheck, with(three(), unseen(path, "port.counter.symbol_error", Absence::unsupported)), kPort),
            "unknown");
  EXPECT_EQ(status_of(kCheck, with(three(), seen(path, "port.counter.symbol_error", "many")), kPort), "unknown");
  const auto unknown_time = with(with(three(), unseen(node_path("n1"), "os.uptime", Absence::unsupported)),
                                 counter("n1", "mlx5_1", "symbol_error", 5));
  EXPECT_EQ(status_of(kCheck, unknown_time, kPort), "unknown");
  EXPECT_EQ(status_of(kCheck, cluster_of({"n1"}, {"mlx5_1"}), kPort), "unknown");
}

TEST(IbPortErrors, AGapHidesNoFailure) {
  const auto path = port_path("n1", "mlx5_1");
  const auto all = with(with(three(), unseen(path, "port.counter.port_rcv_errors", Absence::malformed)),
                        counter("n1", "mlx5_1", "link_downed", 255));
  EXPECT_EQ(status_of(kCheck, all, kPort), "fail");
}

TEST(IbPortErrors, AGapHidesNoWarningEither) {
  const auto path = port_path("n1", "mlx5_1");
  const auto all = with(with(three(), unseen(path, "port.counter.port_rcv_errors", Absence::malformed)),
                        counter("n1", "mlx5_1", "link_downed", 3));
  EXPECT_EQ(status_of(kCheck, all, kPort), "warn");
  EXPECT_NE(judged(kCheck, all).at(kPort).why.find("not seen: "), std::string::npos);
}

TEST(IbPortErrors, CountersThatNotEveryAdapterHas) {
  const auto path = port_path("n1", "mlx5_1");
  for (const std::string name : {"port.counter.link_error_recovery", "port.counter.port_xmit_discards"}) {
    EXPECT_EQ(status_of(kCheck, with(three(), unseen(path, name, Absence::missing)), kPort), "pass");
    EXPECT_EQ(status_of(kCheck, with(three(), unseen(path, name, Absence::unsupported)), kPort), "pass");
    EXPECT_EQ(status_of(kCheck, with(three(), unseen(path, name, Absence::timeout)), kPort), "unknown");
    EXPECT_EQ(status_of(kCheck, with(three(), seen(path, name, "many")), kPort), "unknown");
  }
}

TEST(IbPortErrors, NoRdma) { EXPECT_EQ(status_of(kCheck, no_rdma("n1"), "node/n1"), "not_applicable"); }

TEST(IbPortErrors, AnAdapterThatToldNoPortIsUnknown) {
  auto all = cluster_of({"n1", "n2", "n3"}, {"mlx5_0"});
  all = with(all, seen(node_path("n1"), "hca.names", TextList{"mlx5_0", "mlx5_7"}));
  EXPECT_EQ(status_of(kCheck, all, "node/n1/hca/mlx5_7/port/1"), "unknown");
}

TEST(IbPortErrors, NamesThatWereNotReadHideNoFailure) {
  const auto all = with(with(three(), counter("n1", "mlx5_1", "link_downed", 255)),
                        unseen(node_path("n1"), "hca.names", Absence::timeout));
  EXPECT_EQ(status_of(kCheck, all, kPort), "fail");
  EXPECT_EQ(status_of(kCheck, all, "node/n1"), "unknown") << "it may have others";
}

}  // namespace
}  // namespace assay::testing
