// The agent on this machine, with another nvidia-smi in its PATH and no management library.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>

#include "base/process.hpp"
#include "testing.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What the agent's GPU reader says where nvidia-smi is this shell script.
std::string told_with(const std::string& script) {
  TemporaryFolder folder;
  folder.write("nvidia-smi", "#!/bin/sh\n" + script);
  chmod((folder.path() / "nvidia-smi").c_str(), 0755);
  const std::string request = R"({"type":"collect","id":1,"root":"/","readers":["gpu"]})";
  const auto output = process::run(
      {"sh", "-c", "printf '%s\\n' \"$1\" | PATH=$2:$PATH exec \"$3\"", "sh", request, folder.string(), ASSAY_AGENT});
  return output ? output->out : output.error().message();
}

// With a library nvidia-smi isn't asked.
class NvidiaSmiLive : public ::testing::Test {
 protected:
  void SetUp() override {
    if (dlopen("libnvidia-ml.so.1", RTLD_LAZY) != nullptr) GTEST_SKIP() << "a management library is here";
  }
};

TEST_F(NvidiaSmiLive, ItsTextIsReadWhereThereIsNoLibrary) {
  const std::string told = told_with(
      "cat <<END\n==============NVSMI LOG==============\nDriver Version                            : 535.129.03\n"
      "Attached GPUs                             : 1\nGPU 00000000:07:00.0\n"
      "    Product Name                          : NVIDIA A10\n    Processes                             : "
      "None\nEND\n");
  EXPECT_THAT(told, HasSubstr(R"("value":"NVIDIA A10")"));
  EXPECT_THAT(told, HasSubstr(R"("value":"535.129.03")"));
}

TEST_F(NvidiaSmiLive, AnErrorWithANumberInItIsNoVersion) {
  const std::string told = told_with("echo 'NVIDIA-SMI has failed because of error 535.1'; exit 9\n");
  EXPECT_THAT(told, HasSubstr("NVIDIA-SMI has failed"));
  EXPECT_THAT(told, Not(HasSubstr(R"("value":"535.1")")));
}

// It kills the reader that started it, and would run on in a process group of its own.
TEST_F(NvidiaSmiLive, ItEndsWithAReaderThatCrashed) {
  TemporaryFolder folder;
  const std::string file = folder.string() + "/pid";
  const std::string told = told_with("sleep 1000 &\necho $! > " + file + "\nkill -9 $PPID\nwait\n");
  EXPECT_THAT(told, HasSubstr(R"("signal 9")"));
  std::ifstream written(file);
  pid_t left = 0;
  ASSERT_TRUE(written >> left);
  EXPECT_EQ(kill(left, 0), -1) << "still running: " << left;
}

}  // namespace
}  // namespace assay::testing
