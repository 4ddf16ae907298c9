#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "node/facts/nccl_detail.hpp"
#include "node/facts/nccl_shell_detail.hpp"
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

std::string shell(std::string_view text, ShellReader::Dialect dialect = ShellReader::Dialect::sh) {
  ShellReader reader;
  reader.read(text, dialect);
  const ShellSettings settings = reader.settings();
  return to_text(Value(settings.sure)) + " | " + to_text(Value(settings.conditional));
}

TEST(NcclShell, OnlyWhatIsExportedReachesPrograms) {
  EXPECT_EQ(shell("NCCL_ALGO=Ring\n"), " | ");
  EXPECT_EQ(shell("NCCL_ALGO=Ring; export NCCL_ALGO"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("export NCCL_ALGO\nNCCL_ALGO=Ring"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("FOO=1; export NCCL_ALGO=Ring"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("export FOO=1 NCCL_ALGO=Ring \\\n  NCCL_PROTO='L'\"L\" # why"), "NCCL_ALGO=Ring, NCCL_PROTO=LL | ");
  EXPECT_EQ(shell("declare -x NCCL_ALGO=Ring; typeset NCCL_PROTO=LL"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("set -a\n. /x\nNCCL_ALGO=Ring\nset +a\nNCCL_PROTO=LL"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("NCCL_ALGO=Ring ./bench"), " | ");
  EXPECT_EQ(shell("export NCCL_ALGO=Ring\nunset NCCL_ALGO"), " | ");
  EXPECT_EQ(shell("export NCCL_ALGO=Ring 2>/dev/null"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("export NCCL_ALGO=${NCCL_ALGO:-Ring}"), " | NCCL_ALGO=${NCCL_ALGO:-Ring}") << "it is computed";
  EXPECT_EQ(shell("builtin export NCCL_ALGO=Ring"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("set -ea; NCCL_ALGO=Ring"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("set -o allexport\nNCCL_ALGO=Ring"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("export NCCL_ALGO+=Ring"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(shell("eval \"export NCCL_ALGO=Ring\""), " | NCCL_ALGO=Ring");
  EXPECT_EQ(shell("export NCCL_ALGO=Ring\nexport -n NCCL_ALGO"), " | ");
}

TEST(NcclShell, AConditionIsNoCertainty) {
  EXPECT_EQ(shell("if [ -d /opt/x ]; then export NCCL_PROTO=LL; fi\nexport NCCL_ALGO=Ring"),
            "NCCL_ALGO=Ring | NCCL_PROTO=LL");
  EXPECT_EQ(shell("[ -d /x ] && export NCCL_PROTO=LL\nexport NCCL_ALGO=Ring"), "NCCL_ALGO=Ring | NCCL_PROTO=LL");
  EXPECT_EQ(shell("f() {\n export NCCL_PROTO=LL\n}\nexport NCCL_ALGO=Ring"), "NCCL_ALGO=Ring | NCCL_PROTO=LL");
  EXPECT_EQ(shell("case $X in a) export NCCL_PROTO=LL ;; esac"), " | NCCL_PROTO=LL");
  EXPECT_EQ(shell("NCCL_PROTO=LL\nif true; then\nexport NCCL_PROTO\nfi"), " | NCCL_PROTO=LL");
  EXPECT_EQ(shell("export NCCL_PROTO=LL\nif true; then unset NCCL_PROTO; fi"), " | NCCL_PROTO=LL")
      << "it may still be set";
  EXPECT_EQ(shell("if [ -n \"$U\" ]; then set -a; fi\nNCCL_PROTO=LL"), " | NCCL_PROTO=LL");
  EXPECT_EQ(shell("return 0\nexport NCCL_PROTO=LL"), " | NCCL_PROTO=LL");
}

// What happens in a shell of its own, or in a function that may never be called, neither sets nor unsets for sure.
TEST(NcclShell, WhatRunsApartIsNoCertainty) {
  EXPECT_EQ(shell("( export NCCL_PROTO=LL; x )"), " | NCCL_PROTO=LL");
  for (const char* unset : {"( unset NCCL_PROTO )", "f() ( unset NCCL_PROTO )", "f() { unset NCCL_PROTO; }",
                            "function f {\nunset NCCL_PROTO\n}", "unset NCCL_PROTO | cat", "unset NCCL_PROTO &",
                            "[ -d /x ] && unset NCCL_PROTO"})
    EXPECT_EQ(shell(std::string("export NCCL_PROTO=LL\n") + unset + "\n"), " | NCCL_PROTO=LL") << unset;
}

// Quotes, arithmetic and comments in odd places don't swallow what follows.
TEST(NcclShell, TheRestOfTheFileIsRead) {
  for (const char* before : {"(( m = 1 << 3 ))\n", "v=$(echo \"(\")\n", "echo ${PATH/ #/x}; ", "IFS=$'\\''\n",
                             "cat <<EOF\n\tEOF\nEOF\n", "cat <<-EOF\n\tEOF\n"})
    EXPECT_EQ(shell(std::string(before) + "export NCCL_ALGO=Ring"), "NCCL_ALGO=Ring | ") << before;
}

TEST(NcclShell, TextIsNoCommand) {
  EXPECT_EQ(
      shell("cat <<EOF >/etc/x\nexport NCCL_ALGO=Ring\nEOF\necho 'export NCCL_ALGO=Ring'\n# export NCCL_ALGO=Ring"),
      " | ");
  EXPECT_EQ(shell("X=$(export NCCL_ALGO=Ring; echo x)\necho `export NCCL_ALGO=Ring`"), " | ");
}

TEST(NcclShell, CShellsSetAndExportAtOnce) {
  const auto csh = [](std::string_view text) { return shell(text, ShellReader::Dialect::csh); };
  EXPECT_EQ(csh("setenv NCCL_ALGO Ring"), "NCCL_ALGO=Ring | ");
  EXPECT_EQ(csh("if ( -d /x ) setenv NCCL_ALGO Ring\nsetenv NCCL_PROTO LL"), "NCCL_PROTO=LL | NCCL_ALGO=Ring");
  EXPECT_EQ(csh("if ( -d /x ) then\n setenv NCCL_ALGO Ring\nendif\nsetenv NCCL_PROTO LL"),
            "NCCL_PROTO=LL | NCCL_ALGO=Ring");
  EXPECT_EQ(csh("setenv NCCL_ALGO Ring\nunsetenv NCCL_ALGO"), " | ");
  EXPECT_EQ(csh("setenv NCCL_ALGO Ring\nunset NCCL_ALGO"), "NCCL_ALGO=Ring | ") << "unset is of shell variables";
}

TEST(NcclShell, EnvironmentFilesAreLines) {
  EXPECT_EQ(to_text(Value(parse_environment("FOO=x NCCL_ALGO=Ring\nNCCL_PROTO=LL Simple\n"))), "NCCL_PROTO=LL Simple");
  EXPECT_EQ(to_text(Value(
                parse_environment("# x\nPATH=/bin\nNCCL_ALGO=\"Ring\"\nexport NCCL_PROTO=LL\nif\nNCCL_DEBUG=INFO\n"))),
            "NCCL_ALGO=Ring, NCCL_DEBUG=INFO, NCCL_PROTO=LL");
  EXPECT_EQ(
      to_text(Value(parse_pam_env(
          "#NCCL_DEBUG DEFAULT=INFO\nNCCL_ALGO DEFAULT=Ring OVERRIDE=\nNCCL_PROTO OVERRIDE=LL\nPATH DEFAULT=/x\n"))),
      "NCCL_ALGO=Ring, NCCL_PROTO=LL");
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
  EXPECT_EQ(reading.text("", "nccl.profile"), "NCCL_ALGO=Ring, NCCL_PROTO=LL");
  EXPECT_EQ(reading.text("", "nccl.profile-conditional"), "");
  EXPECT_EQ(reading.text("", "nccl.system-environment"), "");
  tree.write("/etc/security/pam_env.conf", "NCCL_DEBUG DEFAULT=INFO\n");
  tree.write("/etc/environment.d/50-x.conf", "NCCL_NVLS_ENABLE=0\n");
  EXPECT_EQ(read_tree("nccl", tree.string()).text("", "nccl.system-environment"),
            "NCCL_DEBUG=INFO, NCCL_NVLS_ENABLE=0");
  EXPECT_EQ(reading.text("", "nccl.environment"), "<absent unsupported>");
}

TEST(Nccl, WhatCannotBeReadDoesNotHideWhatWas) {
  TemporaryFolder tree;
  tree.write("/etc/profile.d/a.sh", "export NCCL_ALGO=Ring\n");
  std::filesystem::create_directories(tree.path() / "etc/profile.d/zz.sh");
  std::filesystem::create_directories(tree.path() / "etc/environment");
  const Reading reading = read_tree("nccl", tree.string());
  EXPECT_EQ(reading.text("", "nccl.profile"), "NCCL_ALGO=Ring");
  EXPECT_EQ(reading.text("", "nccl.profile-conditional"), "<absent malformed>");
  EXPECT_EQ(reading.text("", "nccl.system-environment"), "<absent malformed>");
}

TEST(Nccl, AnyTextIsRead) {
  rc::check([](const std::string& noise) {
    parse_conf(noise);
    parse_environ(noise);
    shell("export NCCL_" + noise + "\nNCCL_A=\"" + noise);
    shell(noise, ShellReader::Dialect::csh);
  });
}

}  // namespace
}  // namespace assay::testing
