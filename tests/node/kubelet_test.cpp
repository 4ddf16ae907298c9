#include <gmock/gmock.h>

#include "node/facts/yaml_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using namespace std::string_literals;

// As kubeadm 1.34 writes it, shortened.
constexpr auto kAsWritten = R"(apiVersion: kubelet.config.k8s.io/v1beta1
authentication:
  anonymous:
    enabled: false
  webhook:
    cacheTTL: 0s
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
  webhook:
    cacheAuthorizedTTL: 0s
clusterDNS:
- 10.96.0.10
cgroupDriver: systemd
logging:
  flushFrequency: 0
  options:
    json:
      infoBufferSize: "0"
memorySwap: {}
kind: KubeletConfiguration
)";

TEST(Kubelet, TheConfigFileAndItsDefaults) {
  TemporaryFolder tree;
  tree.write("/var/lib/kubelet/config.yaml", kAsWritten);
  const Reading reading = read_tree("kubelet", tree.string());
  EXPECT_EQ(reading.text("", "kubelet.present"), "true");
  EXPECT_EQ(reading.text("", "kubelet.anonymous-auth"), "false");
  EXPECT_EQ(reading.text("", "kubelet.authorization-mode"), "Webhook");
  EXPECT_EQ(reading.text("", "kubelet.read-only-port"), "0");
}

TEST(Kubelet, FlagsWin) {
  TemporaryFolder tree;
  tree.write("/etc/k/kubelet.yaml", kAsWritten);
  tree.write("/proc/1/stat", "1 (init) S 0 1 1\n");
  tree.write("/proc/70/stat", "70 (kubelet) S 1 1 1\n");
  tree.write("/proc/70/cmdline",
             "/usr/bin/kubelet\0--config\0/etc/k/kubelet.yaml\0--read-only-port=10255\0--anonymous-auth\0"s);
  const Reading reading = read_tree("kubelet", tree.string());
  EXPECT_EQ(reading.text("", "kubelet.config"), "/etc/k/kubelet.yaml");
  EXPECT_EQ(reading.text("", "kubelet.anonymous-auth"), "true");
  EXPECT_EQ(reading.text("", "kubelet.authorization-mode"), "Webhook");
  EXPECT_EQ(reading.text("", "kubelet.read-only-port"), "10255");
}

TEST(Kubelet, NoneOrUnreadable) {
  TemporaryFolder tree;
  EXPECT_EQ(read_tree("kubelet", tree.string()).text("", "kubelet.present"), "<absent unsupported>");
  tree.write("/var/lib/x", "");
  EXPECT_EQ(read_tree("kubelet", tree.string()).text("", "kubelet.present"), "false");
  tree.write("/var/lib/kubelet/config.yaml", "authentication: {anonymous: {enabled: true}}\n");
  const Reading reading = read_tree("kubelet", tree.string());
  EXPECT_EQ(reading.text("", "kubelet.present"), "true");
  EXPECT_EQ(reading.text("", "kubelet.anonymous-auth"), "<absent malformed>");
}

TEST(Kubelet, WhatCannotBeSeenIsNotAbsent) {
  TemporaryFolder tree;
  tree.write("/var/lib/x", "");
  tree.write("/proc/1/stat", "1 (init) S 0 1 1\n");
  EXPECT_EQ(read_tree("kubelet", tree.string()).text("", "kubelet.present"), "false");
  tree.write("/proc/70/stat", "70 (k3s-server) S 1 1 1\n");
  EXPECT_EQ(read_tree("kubelet", tree.string()).text("", "kubelet.present"), "<absent unsupported>");
  tree.write("/proc/70/stat", "70 (kubelet) S 1 1 1\n");
  tree.write("/proc/70/cmdline/x", "");  // a folder: no command line to be read
  EXPECT_EQ(read_tree("kubelet", tree.string()).text("", "kubelet.present"), "<absent malformed>");
  tree.write("/var/lib/kubelet/config.yaml", kAsWritten);
  const Reading reading = read_tree("kubelet", tree.string());
  EXPECT_EQ(reading.text("", "kubelet.present"), "true");
  EXPECT_EQ(reading.text("", "kubelet.anonymous-auth"), "<absent malformed>");
}

TEST(Kubelet, AFlagOpensNoOtherFile) {
  TemporaryFolder tree;
  tree.write("/etc/shadow", "root:hash\n");
  tree.write("/proc/1/stat", "1 (init) S 0 1 1\n");
  tree.write("/proc/70/stat", "70 (kubelet) S 1 1 1\n");
  tree.write("/proc/70/cmdline", "kubelet\0--config=/etc/shadow\0"s);
  const Reading reading = read_tree("kubelet", tree.string());
  EXPECT_EQ(reading.text("", "kubelet.config"), "<absent malformed>");
  EXPECT_EQ(reading.transcript.find("root:hash"), std::string::npos);
}

TEST(Yaml, ListsAreSteppedOverAndOddFormsRefused) {
  const auto settings = node::facts::parse_yaml_settings(
      "a:\n  - x: 1\n    y: 2\n  - z\nb:\n- c: 3\n# word\nd: 'e # f' # g\nh: |\n  i: 1\nj:\n  k: 5 # six\n");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->size(), 2u);
  EXPECT_EQ(settings->at("d"), "e # f");
  EXPECT_EQ(settings->at("j.k"), "5");
  for (const auto text : {"a: 1\na: 2\n", "a: &x 1\n", "\ta: 1\n", "- a\n", "a: 1\n---\nb: 2\n", "a: {b: 1}\n",
                          "word\n", "a: !!bool true\n"})
    EXPECT_FALSE(node::facts::parse_yaml_settings(text)) << text;
}

}  // namespace
}  // namespace assay::testing
