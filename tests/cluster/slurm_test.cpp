// The launcher against stand-ins for Slurm's commands, which say what a real one said. With real ones: bench/.
#include <gmock/gmock.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "cluster/slurm.hpp"
#include "testing.hpp"

namespace assay::cluster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SlurmLauncher : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURM_CLUSTER_NAME"}) unsetenv(name);
    program("sinfo",
            "cat <<'E'\nn1|main*|idle|gpu:8(S:0)|none\nn2|main*|drained|gpu:8|bad DIMM\n"
            "n3|main*|idle|gpu:4|none\nn4|main*|mixed|gpu:8|none\nn10|main*|idle|gpu:8|none\nE\n");
    program("scontrol", "echo slurm_load_ctl_conf error: down >&2; exit 1\n");
    program("srun", "[ \"$1\" = --test-only ] && exit 0\necho \"$@\" > " + tree_.string() + "/asked\ncat\n");
    program("scancel", "echo \"$@\" > " + tree_.string() + "/cancelled\n");
    setenv("PATH", (tree_.string() + ":" + path_).c_str(), 1);
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    for (const char* name : {"SLURM_JOB_ID", "SLURM_JOB_NODELIST"}) unsetenv(name);
  }
  void program(const std::string& name, const std::string& script) const {
    tree_.write(name, "#!/bin/sh\n" + script);
    ::chmod((tree_.string() + "/" + name).c_str(), 0755);
  }
  // Says one line to srun and reads what comes back on each member's stream until its end.
  std::vector<std::string> talk(Launcher& launcher, const std::vector<std::string>& nodes, std::string_view line) {
    auto party = launcher.launch(nodes, {"agent"});
    EXPECT_TRUE(party);
    EXPECT_EQ(write(party->child.in, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    close(party->child.in);
    std::vector<std::string> said;
    for (const Member& member : party->members) {
      std::array<char, 4096> buffer;
      std::string text;
      for (ssize_t n = 0; (n = read(member.out, buffer.data(), buffer.size())) > 0;) text.append(buffer.data(), n);
      said.push_back(text);
      close(member.out);
    }
    close(party->child.err);
    process::stop(party->child, std::chrono::milliseconds(100));
    return said;
  }

  assay::testing::TemporaryFolder tree_;
  std::string path_ = getenv("PATH");
};

TEST_F(SlurmLauncher, TellsNodesAndWhyOneIsMissing) {
  const auto launcher = make_slurm({});
  const auto nodes = launcher->nodes();
  ASSERT_TRUE(nodes) << nodes.error().message();
  ASSERT_EQ(nodes->size(), 5u);
  EXPECT_EQ((*nodes)[1].unreachable, "Slurm says it is drained: bad DIMM");
  EXPECT_EQ((*nodes)[3].unreachable, "");
  EXPECT_EQ((*nodes)[4].name, "n10");
}

// "idle*" for so many looks, then idle.
constexpr const char* kAwaited =
    "d=$(dirname \"$0\"); echo >> $d/looks; s='idle*'; [ $(wc -l < $d/looks) -gt 2 ] && s=idle\n"
    "echo \"n1|main*|$s|gpu:8|none\"\n";

TEST_F(SlurmLauncher, LooksAgainAtANodeWhoseAnswerIsAwaited) {
  program("sinfo", kAwaited);
  std::vector<std::string> told;
  const auto nodes = make_slurm({}, {[&](const std::string& words) { told.push_back(words); }, -1})->nodes();
  ASSERT_TRUE(nodes);
  EXPECT_EQ(nodes->front().unreachable, "");
  EXPECT_THAT(told, ElementsAre("1 of 1 nodes have not answered Slurm yet", HasSubstr("1 of 1")));
}

TEST_F(SlurmLauncher, ToldToStopItWaitsNoLonger) {
  program("sinfo", "echo 'n1|main*|idle*|gpu:8|none'\n");
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  int told = 0;
  const auto tell = [&](const std::string&) { told += static_cast<int>(write(ends[1], "", 1)); };
  const auto nodes = make_slurm({}, {tell, ends[0]})->nodes();
  EXPECT_EQ(told, 1);
  EXPECT_THAT(nodes.error().message(), HasSubstr("the wish to stop"));  // and no plan that calls the node missing
  close(ends[0]);
  close(ends[1]);
}

TEST_F(SlurmLauncher, AlikeNodesShareASrunAndABusyOneWaitsAlone) {
  EXPECT_THAT(make_slurm({})->parties({"n1", "n3", "n4", "n10"}),
              ElementsAre(ElementsAre("n3"), ElementsAre("n1", "n10"), ElementsAre("n4")));
}

TEST_F(SlurmLauncher, ANodeThatSlurmCanNotGiveCostsOnlyItself) {
  program("srun", "case \" $* \" in *n3*) echo refused >&2; exit 1;; esac\n");
  program("sinfo", "for n in 1 2 3 5; do echo \"n$n|main*|idle|gpu:8|none\"; done\n");
  EXPECT_THAT(make_slurm({})->parties({"n1", "n2", "n3", "n5"}),
              ElementsAre(ElementsAre("n1", "n2"), ElementsAre("n3"), ElementsAre("n5")));
}

// As 22.05 refuses a node that isn't in the topology.
constexpr const char* kRefuses =
    "echo 'srun: error: Unable to allocate resources: Requested node configuration is not available' >&2; exit 1";

TEST_F(SlurmLauncher, NodesThatSlurmCanNotGiveAreNoMistakeOfTheCallers) {
  program("sinfo", "for n in $(seq 64); do echo \"n$n|main*|idle|gpu:8|none\"; done\n");
  program("srun", std::string("case \" $* \" in *' n1 '*|*' n2 '*|*' n3 '*|*' n4 '*) ") + kRefuses + ";; esac\n");
  const auto nodes = make_slurm({})->nodes();
  ASSERT_TRUE(nodes) << nodes.error().message();
  EXPECT_EQ(nodes->size(), 64u);
}

TEST_F(SlurmLauncher, NotAllAreTriedAndWhatWasNotMayBeHad) {
  program("sinfo", "for n in $(seq 64); do echo \"n$n|main*|idle|gpu:8|none\"; done\n");
  program("srun", "echo >> " + tree_.string() + "/trials\n" + kRefuses + "\n");
  EXPECT_TRUE(make_slurm({})->nodes());
  EXPECT_EQ(assay::testing::read_file(tree_.path() / "trials").size(), 8u);
}

TEST_F(SlurmLauncher, IfAllWereTriedAndNoneIsGivenItIsTold) {
  program("srun", std::string(kRefuses) + "\n");
  EXPECT_THAT(make_slurm({})->nodes().error().message(), HasSubstr("node configuration is not available"));
}

TEST_F(SlurmLauncher, AMistakeIsToldAtTheFirstTrial) {
  program("srun", "echo >> " + tree_.string() +
                      "/trials\necho 'srun: error: Unable to allocate resources: Invalid account or account/partition "
                      "combination specified' >&2; exit 1\n");
  EXPECT_THAT(make_slurm({})->nodes().error().message(), HasSubstr("Invalid account"));
  EXPECT_EQ(assay::testing::read_file(tree_.path() / "trials").size(), 1u);
}

TEST_F(SlurmLauncher, FreeNodesComeFirstWhenFewerAreWanted) {
  SlurmOptions options;
  options.node_count = 3;
  const auto nodes = make_slurm(options)->nodes();
  ASSERT_TRUE(nodes);
  EXPECT_EQ(nodes->at(0).name + nodes->at(1).name + nodes->at(2).name, "n1n3n10");
  options.node_count = 9;
  EXPECT_THAT(make_slurm(options)->nodes().error().message(), HasSubstr("expected 9 nodes, got 5"));
}

TEST_F(SlurmLauncher, AsksForAllDevicesAndSortsWhatComes) {
  SlurmOptions options;
  options.account = "acme";
  {
    const auto launcher = make_slurm(options);
    ASSERT_TRUE(launcher->nodes());
    EXPECT_THAT(talk(*launcher, {"n10", "n1"}, "0: of n10\n1: of n1\n"), ElementsAre("of n10\n", "of n1\n"));
  }
  const std::string asked = assay::testing::read_file(tree_.path() / "asked");
  for (const char* part : {"-w n10,n1 ", "-m arbitrary", "-N 2 -n 2", "--gres=gpu:8", "--account=acme", "--no-kill",
                           "--kill-on-bad-exit=0", "--immediate=300", "env ASSAY_FRAMES=1"})
    EXPECT_THAT(asked, HasSubstr(part));
  EXPECT_THAT(assay::testing::read_file(tree_.path() / "cancelled"), HasSubstr("--name=assay-"));
}

TEST_F(SlurmLauncher, InsideAnAllocationItIsAStepOfIt) {
  setenv("SLURM_JOB_ID", "77", 1);
  setenv("SLURM_JOB_NODELIST", "n[1,3]", 1);
  const auto launcher = make_slurm({});
  talk(*launcher, {"n1"}, "");
  const std::string asked = assay::testing::read_file(tree_.path() / "asked");
  EXPECT_THAT(asked, HasSubstr("--overlap --jobid=77"));
  EXPECT_THAT(asked, ::testing::Not(HasSubstr("--immediate")));
  SlurmOptions other;
  other.partition = "gpu";
  EXPECT_THAT(make_slurm(other)->nodes().error().message(), HasSubstr("inside job 77"));
}

TEST_F(SlurmLauncher, MistakesAreOneClearLineEach) {
  const auto message = [](const SlurmOptions& options) { return make_slurm(options)->nodes().error().message(); };
  SlurmOptions options;
  options.nodelist = "n1,n99";
  EXPECT_THAT(message(options), HasSubstr("expected nodes that Slurm knows, got n99"));
  options.nodelist = "--uid=0";
  EXPECT_THAT(message(options), HasSubstr("expected a value"));
  options.nodelist.clear();
  program("srun", "echo 'srun: error: Invalid --time specification' >&2; exit 1\n");
  EXPECT_THAT(message(options), HasSubstr("Invalid --time specification"));
  program("sinfo", "");
  options.partition = "nope";
  EXPECT_THAT(message(options), HasSubstr("nodes in the partition nope"));
  program("sinfo", "echo 'slurm_load_partitions: Unable to contact slurm controller' >&2; exit 1\n");
  EXPECT_THAT(message(options), HasSubstr("Unable to contact slurm controller"));
  setenv("PATH", "/nonexistent", 1);
  EXPECT_THAT(message(options), HasSubstr("expected Slurm's srun in PATH, got none"));
}

TEST_F(SlurmLauncher, ExplainsEnds) {
  const auto launcher = make_slurm({});
  EXPECT_EQ(
      launcher->explain(1, "srun: job 9 queued\nsrun: error: Unable to allocate resources: Requested nodes are busy\n"),
      "Slurm did not give the node within 300 s: Unable to allocate resources: Requested nodes are busy");
  EXPECT_EQ(launcher->explain(1, "srun: error: n1: task 0: Killed\nsrun: error: Node failure on n3\n"),
            "srun: Node failure on n3");
  EXPECT_EQ(launcher->explain_member("n3", "srun: error: n33: task 3: Killed\nsrun: error: n3: task 2: Killed\n"),
            "n3: task 2: Killed");
}

}  // namespace
}  // namespace assay::cluster
