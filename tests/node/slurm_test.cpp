#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>

#include "node/facts/slurm_files_detail.hpp"
#include "reading.hpp"

namespace assay::testing {
namespace {

using ::testing::HasSubstr;

void make_cluster(const TemporaryFolder& tree) {
  tree.write("/etc/slurm/slurm.conf",
             "# made by hand\n"
             "ClusterName=acme\nprivatedata=jobs,usage   # not for others\n"
             "TaskPlugin=task/cgroup,task/affinity\nGresTypes=gpu\n"
             "HealthCheckProgram=\"/usr/sbin/nhc -q\"\nHealthCheckInterval=300\n"
             "Include nodes.conf\n"
             "AccountingStoragePass=letmein\n");
  tree.write("/etc/slurm/nodes.conf",
             "NodeName=n[1-4] CPUs=2 \\\n  Gres=gpu:h100:8 State=UNKNOWN\n"
             "PartitionName=main Nodes=ALL Default=YES PrivateData=no\n");
  tree.write("/etc/slurm/cgroup.conf", "ConstrainDevices=yes\nConstrainRAMSpace=yes\n");
  tree.write("/etc/slurm/topology.conf",
             "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n[3-4]\nSwitchName=top Switches=s[0-1]\n");
  tree.write("/etc/slurm/gres.conf", "AutoDetect=nvml\nNodeName=n[1-4] Name=gpu File=/dev/nvidia[0-7]\n");
  tree.write("/etc/slurm/plugstack.conf", "include /etc/slurm/plugstack.conf.d/*.conf\n");
  tree.write("/etc/slurm/plugstack.conf.d/pyxis.conf", "required /usr/lib/slurm/spank_pyxis.so runtime_path=/run\n");
  tree.write("/usr/sbin/nhc", "#!/bin/bash\n");
  ::chmod((tree.string() + "/usr/sbin/nhc").c_str(), 0755);
}

TEST(SlurmFiles, ReadsSettingsThroughIncludes) {
  const TemporaryFolder tree;
  make_cluster(tree);
  const Reading reading = read_tree("slurm-files", tree.string());
  EXPECT_EQ(reading.text("", "slurm.conf-path"), "/etc/slurm/slurm.conf");
  EXPECT_EQ(reading.text("", "slurm.file.PrivateData"), "jobs,usage");
  EXPECT_EQ(reading.text("", "slurm.file.TaskPlugin"), "task/cgroup,task/affinity");
  EXPECT_EQ(reading.text("", "slurm.file.HealthCheckProgram"), "/usr/sbin/nhc -q");
  EXPECT_EQ(reading.text("", "slurm.file.TopologyPlugin"), "<absent missing>");
  EXPECT_EQ(reading.text("", "slurm.health-program-mode"), "493");
  EXPECT_EQ(reading.text("", "slurm.cgroup-file"), "constraindevices=yes, constrainramspace=yes");
  EXPECT_EQ(reading.text("", "slurm.topology-file.leaves"), "s0, s1");
  EXPECT_EQ(reading.text("", "slurm.topology-file.nodes"), "n1, n2, n3, n4");
  EXPECT_EQ(reading.text("", "slurm.gres-file.autodetect"), "nvml");
  EXPECT_THAT(reading.text("", "slurm.gres-file.gpu-devices"), HasSubstr("/dev/nvidia0, /dev/nvidia1"));
  EXPECT_EQ(reading.text("", "slurm.plugstack"), "spank_pyxis.so");
}

TEST(SlurmFiles, ATreeWithoutSlurmIsMissingEverywhere) {
  TemporaryFolder tree;
  const Reading reading = read_tree("slurm-files", tree.string());
  for (const Observation& observation : reading.observations) {
    ASSERT_NE(observation.absent(), nullptr) << observation.name;
    EXPECT_EQ(observation.absent()->reason, Absence::missing) << observation.name;
  }
  EXPECT_EQ(read_tree("slurm", tree.string()).text("", "slurm.present"), "false");
}

TEST(SlurmFiles, BrokenFilesAreRefusedByLine) {
  TemporaryFolder tree;
  tree.write("/etc/slurm/slurm.conf", "ClusterName=acme\nthis is no setting\n");
  const Reading reading = read_tree("slurm-files", tree.string());
  EXPECT_EQ(reading.text("", "slurm.file.PrivateData"), "<absent malformed>");
  EXPECT_THAT(reading.find("", "slurm.file.PrivateData")->absent()->detail, HasSubstr("line 2"));
}

TEST(SlurmFiles, AFileThatIncludesItselfEnds) {
  TemporaryFolder tree;
  tree.write("/etc/slurm/slurm.conf", "ClusterName=acme\nInclude slurm.conf\n");
  EXPECT_EQ(read_tree("slurm-files", tree.string()).text("", "slurm.file.ClusterName"), "<absent malformed>");
}

TEST(SlurmFiles, AMissingHealthProgramIsMissing) {
  TemporaryFolder tree;
  tree.write("/etc/slurm/slurm.conf", "HealthCheckProgram=/opt/nhc\n");
  EXPECT_EQ(read_tree("slurm-files", tree.string()).text("", "slurm.health-program-mode"), "<absent missing>");
}

TEST(SlurmReader, ATreeTellsThatSlurmIsThereButNotWhatRuns) {
  const TemporaryFolder tree;
  make_cluster(tree);
  const Reading reading = read_tree("slurm", tree.string());
  EXPECT_EQ(reading.text("", "slurm.present"), "true");
  EXPECT_EQ(reading.text("", "slurm.asked"), "false");
  EXPECT_EQ(reading.text("", "slurm.config.PrivateData"), "<absent unsupported>");
  EXPECT_EQ(reading.text("", "slurm.node-count"), "<absent unsupported>");
}

// scontrol, by a stand-in that says "not responding" for so many looks.
std::string state_after(const std::string& silent, int looks) {
  const TemporaryFolder tree;
  const std::string seen = tree.string() + "/seen";
  tree.write("scontrol",
             "#!/bin/sh\ncase \"$*\" in\n"
             "'show config') printf 'Configuration data as of now\\nSLURM_VERSION = 22.05.8\\nTreeWidth = 50\\n' ;;\n"
             "'-o show nodes') echo >> " +
                 seen + "; s=" + silent +
                 "\n"
                 "[ $(wc -l < " +
                 seen + ") -gt " + std::to_string(looks) +
                 " ] && s=IDLE\n"
                 "echo \"NodeName=n1 NodeHostName=n1 State=$s Gres=(null) Partitions=main\" ;;\n"
                 "*) exit 1 ;;\nesac\n");
  ::chmod((tree.string() + "/scontrol").c_str(), 0755);
  const std::string path = getenv("PATH");
  setenv("PATH", (tree.string() + ":" + path).c_str(), 1);
  const Reading reading = read_live("slurm");
  setenv("PATH", path.c_str(), 1);
  return reading.text("slurm-node/n1", "slurm.node-state") + " after " +
         std::to_string(std::ranges::count(read_file(seen), '\n'));
}

TEST(SlurmReader, ANodeWhoseAnswerIsAwaitedIsLookedAtAgain) {
  EXPECT_EQ(state_after("IDLE+NOT_RESPONDING", 1), "IDLE after 2");
  EXPECT_EQ(state_after("UNKNOWN", 2), "IDLE after 3");
  EXPECT_EQ(state_after("IDLE+NOT_RESPONDING", 99), "IDLE+NOT_RESPONDING after 6");
  EXPECT_EQ(state_after("DOWN+NOT_RESPONDING", 99), "DOWN+NOT_RESPONDING after 1");
  EXPECT_EQ(state_after("IDLE+CLOUD+NOT_RESPONDING+POWERED_DOWN", 99),
            "IDLE+CLOUD+NOT_RESPONDING+POWERED_DOWN after 1");
}

TEST(SlurmConf, ReadsAnExcerpt) {
  const auto conf = node::slurm::parse_conf(
      "# cluster\nTaskPlugin=task/none  # for now\nProctrackType=proctrack/pgid\nNodeName=n[1-2] CPUs=8 "
      "State=UNKNOWN\n");
  ASSERT_TRUE(conf) << conf.error().detail;
  EXPECT_EQ(*conf->setting("taskplugin"), "task/none");
  EXPECT_EQ(*conf->setting("proctracktype"), "proctrack/pgid");
  EXPECT_EQ(conf->setting("gres"), nullptr);
  const auto gres = node::slurm::parse_conf(
      "Name=gpu Type=h100 File=/dev/nvidia0 Cores=0-9\nNodeName=n[1-2] Name=gpu File=/dev/nvidia[1-7] Cores=10-79\n");
  ASSERT_TRUE(gres) << gres.error().detail;
  EXPECT_EQ(gres->lines.size(), 2u);
}

TEST(SlurmConf, ReadsTheCaptures) {
  if (samples().empty()) GTEST_SKIP();
  const auto folder = samples() / "nodes" / "slurm";
  const auto conf = node::slurm::parse_conf(read_file(folder / "slurm-pgid-no-cgroup.conf"));
  ASSERT_TRUE(conf) << conf.error().detail;
  EXPECT_EQ(*conf->setting("taskplugin"), "task/none");
  EXPECT_EQ(*conf->setting("proctracktype"), "proctrack/pgid");
  EXPECT_EQ(*conf->setting("accountingstoragetype"), "accounting_storage/none");
  EXPECT_EQ(conf->setting("gres"), nullptr);
  for (const char* name : {"gres-8gpu-cpus-by-socket.conf", "gres-8gpu-10cpu-slices-no-nodename.conf"}) {
    const auto gres = node::slurm::parse_conf(read_file(folder / name));
    ASSERT_TRUE(gres) << gres.error().detail;
    EXPECT_EQ(gres->lines.size(), 8u) << name;
  }
}

TEST(Munge, TellsModesAndOwnersOfKeys) {
  TemporaryFolder tree;
  tree.write("/etc/passwd", "root:x:0:0::/:/bin/sh\n");
  tree.write("/etc/group", "root:x:0:\n");
  tree.write("/etc/munge/munge.key", "secret");
  ::chmod((tree.string() + "/etc/munge/munge.key").c_str(), 0400);
  ::chmod((tree.string() + "/etc/munge").c_str(), 0700);
  const Reading reading = read_tree("munge", tree.string());
  EXPECT_EQ(reading.text("scheduler-key/munge.key", "scheduler-key.mode"), "256");
  EXPECT_EQ(reading.text("scheduler-key/munge.key", "scheduler-key.folder-mode"), "448");
  EXPECT_EQ(reading.text("scheduler-key/slurm.key", "scheduler-key.mode"), "<absent missing>");
  EXPECT_EQ(reading.text("", "munge.answers"), "<absent unsupported>");
  EXPECT_EQ(reading.text("scheduler-key/munge.key", "scheduler-key.copies"), "");
  EXPECT_THAT(reading.transcript, ::testing::Not(HasSubstr("secret")));
}

TEST(Munge, CopiesOfAKeyAreKeys) {
  TemporaryFolder tree;
  for (const auto path : {"/etc/munge/munge.key", "/etc/munge/munge.key.bak", "/etc/munge/munge.old",
                          "/etc/munge/README", "/etc/munge/keys/old", "/etc/munge/slurm.key", "/etc/slurm/slurm.conf",
                          "/etc/slurm/slurm.key", "/etc/slurm/.slurm.key.swp", "/etc/slurm/cgroup.conf.bak"})
    tree.write(path, "secret");
  ::chmod((tree.string() + "/etc/munge/munge.key.bak").c_str(), 0644);
  const Reading reading = read_tree("munge", tree.string());
  EXPECT_EQ(reading.text("scheduler-key/munge.key", "scheduler-key.copies"),
            "/etc/munge/munge.key.bak, /etc/munge/munge.old, /etc/munge/slurm.key");
  EXPECT_EQ(reading.text("scheduler-key/%2Fetc%2Fmunge%2Fmunge.key.bak", "scheduler-key.mode"), "420");
  EXPECT_EQ(reading.text("scheduler-key/slurm.key", "scheduler-key.copies"), "/etc/slurm/.slurm.key.swp");
  EXPECT_THAT(reading.transcript, ::testing::Not(HasSubstr("secret")));
}

TEST(Munge, MoreCopiesThanAreLookedAtAreNotLeftOutInSilence) {
  TemporaryFolder tree;
  for (int index = 0; index < 40; ++index) tree.write("/etc/munge/munge.key." + std::to_string(index), "");
  EXPECT_EQ(read_tree("munge", tree.string()).text("scheduler-key/munge.key", "scheduler-key.copies"),
            "<absent malformed>");
}

}  // namespace
}  // namespace assay::testing
