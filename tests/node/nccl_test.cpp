#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "node/facts/nccl_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using namespace node::nccl;

TEST(Nccl, ReadsConfAsNcclDoes) {
  const Record conf = parse_conf(
      "# NCCL_ALGO=Ring\nNCCL_DEBUG=WARN\nNCCL_SOCKET_IFNAME==ens1f0\nNCCL_PROTO = Simple\n NCCL_ALGO=Tree\n"
      "NCCL_DEBUG=INFO\nnonsense\nNCCL_IB_HCA=\n");
  EXPECT_EQ(conf.at("NCCL_DEBUG"), "WARN");  // the first of two
  EXPECT_EQ(conf.at("NCCL_SOCKET_IFNAME"), "=ens1f0");
  EXPECT_EQ(conf.at("NCCL_IB_HCA"), "");
  EXPECT_FALSE(conf.contains("NCCL_ALGO"));   // in a comment, and behind a blank
  EXPECT_FALSE(conf.contains("NCCL_PROTO"));  // its name ends in a blank
  EXPECT_EQ(conf.at("NCCL_PROTO "), " Simple");
}

TEST(Nccl, ReadsShells) {
  const Record set = parse_shell(
      "# export NCCL_PROTO=LL\nexport NCCL_ALGO=\"Ring\" NCCL_MIN_NCHANNELS=8 # why\n  NCCL_DEBUG='INFO'; PATH=/x\n"
      "export PATH=$PATH:/opt/NCCL_X=1\nexport NCCL_ALGO=Tree\nunset NCCL_DEBUG\n");
  EXPECT_EQ(to_text(Value(set)), "NCCL_ALGO=Tree, NCCL_DEBUG=INFO, NCCL_MIN_NCHANNELS=8");
}

TEST(Nccl, KeepsSecretsOut) {
  EXPECT_EQ(to_text(Value(parse_environ(std::string("TOKEN=x\0NCCL_ALGO=Ring\0HOME=/root\0", 34)))), "NCCL_ALGO=Ring");
  EXPECT_EQ(read_live("nccl").transcript.find("file /proc/self/environ"), std::string::npos);
}

TEST(Nccl, TellsPlaceByPlace) {
  TemporaryFolder tree;
  tree.write("/etc/nccl.conf", "NCCL_IB_GID_INDEX=3\n");
  tree.write("/etc/profile.d/b.sh", "export NCCL_ALGO=Ring\n");
  tree.write("/etc/profile.d/a.csh", "setenv NCCL_PROTO LL\n");
  const Reading reading = read_tree("nccl", tree.string());
  EXPECT_EQ(reading.text("", "nccl.conf"), "NCCL_IB_GID_INDEX=3");
  EXPECT_EQ(reading.text("", "nccl.profile"), "NCCL_ALGO=Ring");
  EXPECT_EQ(reading.text("", "nccl.system-environment"), "<absent missing>");
  EXPECT_EQ(reading.text("", "nccl.environment"), "<absent unsupported>");
}

TEST(Nccl, AnyTextIsRead) {
  rc::check([](const std::string& noise) {
    parse_conf(noise);
    parse_environ(noise);
    parse_shell("export NCCL_" + noise + "\nNCCL_A=\"" + noise);
  });
}

}  // namespace
}  // namespace assay::testing
