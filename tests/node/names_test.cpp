#include "node/facts/names_detail.hpp"

#include <gmock/gmock.h>

#include "reading.hpp"

namespace assay::testing {
namespace {

using namespace node::facts;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Names, AddressesOfTheOwnNameInHosts) {
  constexpr auto kHosts =
      "127.0.0.1 localhost\n127.0.1.1\tN1.cluster n1 # Debian's way\n#10.0.0.9 n1\n10.77.0.11 n1\n10.77.0.12 n12\n";
  EXPECT_THAT(hosts_addresses(kHosts, "n1"), ElementsAre("127.0.1.1", "10.77.0.11"));
  EXPECT_THAT(hosts_addresses(kHosts, "n9"), IsEmpty());
  TemporaryFolder tree;
  tree.write("/etc/hostname", "n1\n");
  tree.write("/etc/hosts", kHosts);
  tree.write("/etc/resolv.conf",
             "; old\nnameserver 10.0.0.53\nnameserver fe80::1%eth0\nsearch a.b c.d\noptions ndots:2\n");
  const Reading reading = read_tree("names", tree.string());
  EXPECT_EQ(reading.text("", "name.hosts-file-addresses"), "127.0.1.1, 10.77.0.11");
  EXPECT_EQ(reading.text("", "name.addresses"), "<absent unsupported>");
  EXPECT_EQ(reading.text("", "dns.servers"), "10.0.0.53, fe80::1%eth0");
  EXPECT_EQ(reading.text("", "dns.search"), "a.b, c.d");
}

TEST(Names, GetentsAddressesOnce) {
  constexpr auto kAnswer =
      "10.77.0.11      STREAM n1\n10.77.0.11      DGRAM  \n10.77.0.11      RAW    \nfd00::11  STREAM \n";
  EXPECT_THAT(getent_addresses(kAnswer), ElementsAre("10.77.0.11", "fd00::11"));
  EXPECT_THAT(getent_addresses("\n\n"), IsEmpty());
}

TEST(Names, WithoutFilesItIsMissing) {
  TemporaryFolder tree;
  const Reading reading = read_tree("names", tree.string());
  EXPECT_EQ(reading.text("", "name.hosts-file-addresses"), "<absent missing>");
  EXPECT_EQ(reading.text("", "dns.servers"), "<absent missing>");
}

}  // namespace
}  // namespace assay::testing
