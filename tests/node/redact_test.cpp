#include "node/redact.hpp"

#include <gmock/gmock.h>

#include "node/reader.hpp"
#include "testing.hpp"

namespace assay::node {
namespace {

using namespace std::string_literals;

struct Case {
  std::string line;
  std::string clean;
};

TEST(Redact, TakesTheWholeValueOfASecret) {
  const std::vector<Case> cases{
      {"StoragePass=two words", "StoragePass=[redacted]"},
      {"password = p;w,x", "password = [redacted]"},
      {"Password: p w # word", "Password: [redacted]"},
      {"\"token\": \"a\\\"b c\", \"user\": \"x\"", "\"token\": [redacted], \"user\": \"x\""},
      {R"({\"token\": \"abc\", \"n\": 1})", R"({\"token\": [redacted], \"n\": 1})"},
      {"GET /?token=a;b&user=x", "GET /?token=[redacted]&user=x"},
      {"ro rd.luks.password=a;b quiet iommu=pt", "ro rd.luks.password=[redacted] quiet iommu=pt"},
      {"password=a b iommu=pt", "password=[redacted] iommu=pt"},
      {"username=u,password=p,w,uid=0", "username=u,password=[redacted],uid=0"},
      {"x\0--token=abc\0--port=1"s, "x\0--token=[redacted]\0--port=1"s},
      {"Authorization: Bearer xyz", "Authorization: [redacted]"},
      {"curl -H \"Authorization: Bearer xyz\"", "curl -H \"Authorization: [redacted]\""},
      {"secret: {a: b}", "secret: [redacted]"},
      {"password = \"unclosed words", "password = [redacted]"},
      {"http://u:pw@h/x", "http://u:[redacted]@h/x"},
      {"a -----BEGIN RSA PRIVATE KEY-----xxxx-----END RSA PRIVATE KEY----- b",
       "a -----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY----- b"},
      {"-----BEGIN PRIVATE KEY-----\nxx\nyy\n-----END PRIVATE KEY-----\nz",
       "-----BEGIN PRIVATE KEY-----\n[redacted]\n[redacted]\n[redacted]-----END PRIVATE KEY-----\nz"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(redact(each.line), each.clean);
    EXPECT_EQ(redact(each.clean), each.clean) << "not the same when done twice";
  }
}

TEST(Redact, TheWordBehindAnOption) {
  EXPECT_EQ(redact("foo --password hunter2 --user me"), "foo --password [redacted] --user me");
  EXPECT_EQ(redact(std::string("munged\0--auth-key\0hunter2\0-F", 28)),
            std::string("munged\0--auth-key\0[redacted]\0-F", 31));
  EXPECT_EQ(redact("foo --token-file /run/t --password --verbose"), "foo --token-file /run/t --password --verbose");
}

TEST(Redact, LeavesWhatIsNoSecret) {
  for (const auto line :
       {"AuthType = auth/munge", "PrivateData = jobs", "kernel.keys.maxkeys = 200", "TokenPolicy: strict",
        "token_file=/run/t", "PasswordAuthentication: no", "open /etc/slurm/jwt_secret: Permission denied",
        "/etc/munge/munge.key 0400", "authorization:", "\"authorization\": {\"mode\": \"Webhook\"}",
        "authorization-mode=Webhook", "systemd-ask-password.service: Succeeded", "-----BEGIN CERTIFICATE-----xx",
        "root=/dev/sda1 iommu=pt nosmt", "http://h:80/a@b", "password =", "", "=", ":"})
    EXPECT_EQ(redact(line), line);
}

TEST(Redact, ObservationsAndReasonsToo) {
  const Emits emits[] = {
      {"a.text", "", "", ""}, {"a.list", "", "", ""}, {"a.record", "", "", ""}, {"a.none", "", "", ""}};
  std::string said;
  Findings findings(emits, [&](const Observation& seen) {
    said += (seen.absent() != nullptr ? seen.absent()->detail : to_text(*seen.value())) + "\n";
  });
  findings.see({}, "a.text", "ro password=hidden iommu=pt", "");
  findings.see({}, "a.list", TextList{"--token=hidden", "b"}, "");
  findings.see({}, "a.record", Record{{"apikey", "hidden"}, {"mode", "0400"}, {"line", "secret: hidden"}}, "");
  findings.absent({}, "a.none", {Absence::malformed, "line 1 is no pair: \"password: hidden\""}, "");
  EXPECT_THAT(said, ::testing::Not(::testing::HasSubstr("hidden")));
  EXPECT_THAT(said, ::testing::HasSubstr("iommu=pt"));
  EXPECT_THAT(said, ::testing::HasSubstr("0400"));
}

}  // namespace
}  // namespace assay::node
