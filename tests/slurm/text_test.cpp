#include "slurm/text.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "testing.hpp"

namespace assay::slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string sample(const std::string& name) {
  const auto folder = assay::testing::samples();
  return folder.empty() ? std::string() : assay::testing::read_file(folder / "nodes" / "slurm" / name);
}

// Names and states as "cn1 IDLE+DRAIN", for comparing with what was read by eye.
std::vector<std::string> states(const Seen<std::vector<Node>>& nodes) {
  std::vector<std::string> found;
  if (!nodes) return {"refused: " + nodes.error().detail};
  for (const Node& node : *nodes) found.push_back(node.name + " " + node.state);
  return found;
}

// ---- scontrol show config

constexpr auto kConfig =
    "Configuration data as of 2026-12-01T03:00:40\n"
    "PrivateData             = jobs,usage\n"
    "SLURM_VERSION           = 22.05.8\n"
    "TreeWidth               = 50\n"
    "PriorityFlags           = \n"
    "\n"
    "Cgroup Support Configuration:\n"
    "ConstrainDevices        = yes\n"
    "\n"
    "Slurmctld(primary) at head is UP\n";

TEST(SlurmConfig, ReadsSettingsAndSections) {
  const auto config = parse_config(kConfig);
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->settings.at("PrivateData"), "jobs,usage");
  EXPECT_EQ(config->settings.at("PriorityFlags"), "");
  EXPECT_EQ(config->cgroup.at("ConstrainDevices"), "yes");
  EXPECT_FALSE(config->settings.contains("ConstrainDevices"));
}

TEST(SlurmConfig, RefusesErrorsAndShortOutput) {
  EXPECT_FALSE(parse_config(""));
  EXPECT_FALSE(parse_config("slurm_load_ctl_conf error: Unable to contact slurm controller (connect failure)\n"));
  const std::string_view whole = kConfig;
  EXPECT_FALSE(parse_config(whole.substr(0, whole.find("SLURM_VERSION"))));
  EXPECT_FALSE(parse_config(whole.substr(0, whole.size() - 1)));
}

TEST(SlurmConfig, ReadsTheCapture) {
  const std::string text = sample("scontrol-show-config-23.02.2.txt");
  if (text.empty()) GTEST_SKIP();
  const auto config = parse_config(text);
  ASSERT_TRUE(config) << config.error().detail;
  EXPECT_EQ(config->settings.at("SLURM_VERSION"), "23.02.2");
  EXPECT_EQ(config->settings.at("PrivateData"), "none");
  EXPECT_EQ(config->settings.at("HealthCheckProgram"), "(null)");
  EXPECT_EQ(config->settings.at("TaskPlugin"), "task/cgroup,task/affinity");
  EXPECT_EQ(config->settings.at("AccountingStorageType"), "accounting_storage/slurmdbd");
  EXPECT_EQ(config->settings.at("SlurmctldHost[0]"), "h4slurm");
  EXPECT_EQ(config->cgroup.at("ConstrainDevices"), "yes");
}

// ---- nodes as text

constexpr auto kNodes =
    "NodeName=n1 Arch=x86_64 CPUTot=2 Gres=gpu:h100:8 NodeAddr=10.77.0.11 NodeHostName=n1 Version=22.05.8 OS=Linux "
    "6.18.44 #1 SMP PREEMPT_DYNAMIC @0  RealMemory=500 State=IDLE ThreadsPerCore=1 Partitions=main "
    "CfgTRES=cpu=2,gres/gpu=8 AllocTRES= \n"
    "NodeName=n2 Gres=(null) NodeHostName=box2 Version=22.05.8 State=IDLE+DRAIN Partitions=main  Reason=GPU 3 fell off "
    "| "
    "the \"bus\" State=ok [root@2026-12-01T03:00:47]        second line\n"
    "NodeName=n3 Gres=gpu:8(S:0-1) State=DOWN* Reason=Not responding [slurm@2026-12-01T03:00:47]\n"
    "a comment's second line\n";

TEST(SlurmNodesText, ReadsStatesReasonsAndGres) {
  const auto nodes = parse_nodes_text(kNodes);
  ASSERT_TRUE(nodes) << nodes.error().detail;
  EXPECT_THAT(states(nodes), ElementsAre("n1 IDLE", "n2 IDLE+DRAIN", "n3 DOWN+NOT_RESPONDING"));
  EXPECT_EQ((*nodes)[0].gres, "gpu:h100:8");
  EXPECT_EQ((*nodes)[0].version, "22.05.8");
  EXPECT_EQ((*nodes)[0].tres, "cpu=2,gres/gpu=8");
  EXPECT_EQ((*nodes)[0].reason, "");
  EXPECT_EQ((*nodes)[1].gres, "");
  EXPECT_EQ((*nodes)[1].hostname, "box2");
  EXPECT_EQ((*nodes)[1].reason, "GPU 3 fell off | the \"bus\" State=ok");
  EXPECT_EQ((*nodes)[2].reason, "Not responding");
}

TEST(SlurmNodesText, RefusesForgedShortAndForeignText) {
  EXPECT_FALSE(parse_nodes_text(""));
  EXPECT_FALSE(parse_nodes_text("slurm_load_node error: Unable to contact slurm controller (connect failure)\n"));
  EXPECT_FALSE(parse_nodes_text("NodeName=n1 Gres=(null) State=IDLE"));
  EXPECT_FALSE(parse_nodes_text("NodeName=n1 OS=evil State=IDLE State=DOWN\n"));
  EXPECT_FALSE(parse_nodes_text("NodeName=n1 Gres=(null)\n"));
  EXPECT_FALSE(parse_nodes_text("NodeName= State=IDLE\n"));
  EXPECT_FALSE(parse_nodes_text("NodeName=n1 State=<b>12</b>\n"));
  EXPECT_FALSE(parse_nodes_text("No nodes in the system\n"));
}

// ---- nodes as JSON, five versions' shapes

TEST(SlurmNodesJson, ReadsWordAndList) {
  EXPECT_THAT(states(parse_nodes_json(R"({"errors":[],"nodes":[
    {"name":"a","state":"mixed","state_flags":["DRAIN"],"reason":"","gres":""},
    {"name":"b","state":["IDLE","DRAIN"],"reason":"ECC","hostname":"","gres":"gpu:8","version":"25.11.0"}]})")),
              ElementsAre("a MIXED+DRAIN", "b IDLE+DRAIN"));
}

TEST(SlurmNodesJson, RefusesErrorsWrongTypesAndText) {
  EXPECT_FALSE(parse_nodes_json(R"({"errors":[{"description":"down"}],"nodes":[]})"));
  EXPECT_FALSE(parse_nodes_json(R"({"errors":[]})"));
  EXPECT_FALSE(parse_nodes_json(R"({"nodes":{}})"));
  EXPECT_FALSE(parse_nodes_json(R"({"nodes":[{"name":"a"}]})"));
  EXPECT_FALSE(parse_nodes_json(R"({"nodes":[{"name":"a","state":[7]}]})"));
  EXPECT_FALSE(parse_nodes_json(R"({"nodes":[{"name":"a","state":"IDLE","reason":5}]})"));
  EXPECT_FALSE(parse_nodes_json(R"({"nodes":[{"name":"a","state":"IDLE"}]} tail)"));
  EXPECT_FALSE(parse_nodes_json("unrecognized option '--json'"));
  EXPECT_FALSE(parse_nodes_json(R"({"nodes":[{"name":"a","state":"ID)"));
}

TEST(SlurmNodesJson, RefusesAnswersAboutOtherThings) {
  EXPECT_FALSE(parse_nodes_json(
      R"({"errors":[{"description":"Failure to query node n9","error_number":0,"error":"No error"}],"warnings":[]})"));
  EXPECT_FALSE(parse_nodes_json(R"({"partitions":[{"name":"main","nodes":{"configured":"cn[1-4]","total":4}}]})"));
  EXPECT_FALSE(
      parse_nodes_json("{\"s\": \"completing\", \"n\": \"cs156\"}\n{\"s\": \"allocated\", \"n\": \"cs25\"}\n"));
}

TEST(SlurmNodesJson, ReadsTheCaptures) {
  if (assay::testing::samples().empty()) GTEST_SKIP();
  EXPECT_THAT(states(parse_nodes_json(sample("slurmrestd-24.05-v0.0.41-node-draining.json"))),
              ElementsAre("cn1 MIXED+DRAIN"));
  EXPECT_THAT(states(parse_nodes_json(sample("slurmrestd-24.11-v0.0.42-node-gpu-idle.json"))),
              ElementsAre(HasSubstr("IDLE+COMPLETING")));
  EXPECT_THAT(states(parse_nodes_json(sample("slurmrestd-25.05-v0.0.43-node-planned.json"))),
              ElementsAre(HasSubstr("IDLE+COMPLETING+PLANNED")));
  EXPECT_THAT(states(parse_nodes_json(sample("slurmrestd-23.02.8-v0.0.39-nodes-trimmed.json"))),
              ::testing::IsSupersetOf({"cn051 IDLE+DRAIN", "cn084 DOWN", "cn049 ALLOCATED"}));
  EXPECT_THAT(states(parse_nodes_json(sample("slurmrestd-24.11-v0.0.41-nodes.json"))),
              ::testing::IsSupersetOf({"cn1 DOWN", "cn4 IDLE+DRAIN"}));
  const auto newest = parse_nodes_json(sample("slurmrestd-25.11-v0.0.44-nodes.json"));
  ASSERT_TRUE(newest) << newest.error().detail;
  EXPECT_EQ(newest->front().reason, "ECC memory error");
  EXPECT_EQ(newest->front().version, "25.11.0");
  const auto oldest = parse_nodes_json(sample("sinfo-21.08-v0.0.37.json"));
  ASSERT_TRUE(oldest) << oldest.error().detail;
  EXPECT_EQ(oldest->front().name, "cs2.example.company.com");
  EXPECT_EQ(oldest->front().state, "MIXED");
  EXPECT_EQ(oldest->front().version, "21.08.5");
}

TEST(SlurmNodesJson, RefusesTheCapturesThatAreNoNodes) {
  if (assay::testing::samples().empty()) GTEST_SKIP();
  for (const char* name : {"slurmrestd-25.11-v0.0.44-node-unfound.json", "sinfo-fallback-jsonlines.txt",
                           "slurmrestd-25.11-v0.0.44-partitions.json"})
    EXPECT_FALSE(parse_nodes_json(sample(name))) << name;
}

// ---- partitions and topology

TEST(SlurmPartitions, ReadsAnExcerpt) {
  const auto partitions = parse_partitions_text(
      "PartitionName=batch AllowGroups=ALL Default=YES QoS=qos1 MaxTime=3-00:00:00 Nodes=node[0201-0272,0281-0932] "
      "PriorityTier=10 State=UP TotalCPUs=251200 TRES=cpu=251200,node=3140,gres/gpu=22384\n"
      "PartitionName=old AllowGroups=ALL Default=NO Nodes=(null) State=INACTIVE TotalCPUs=0 \n");
  ASSERT_TRUE(partitions) << partitions.error().detail;
  ASSERT_THAT(*partitions, SizeIs(2));
  EXPECT_EQ((*partitions)[0].name, "batch");
  EXPECT_EQ((*partitions)[0].state, "UP");
  EXPECT_EQ((*partitions)[0].nodes, "node[0201-0272,0281-0932]");
  EXPECT_EQ((*partitions)[1].state, "INACTIVE");
}

TEST(SlurmPartitions, ReadsTheCapture) {
  const std::string text = sample("scontrol-show-partition-oneliner.txt");
  if (text.empty()) GTEST_SKIP();
  const auto partitions = parse_partitions_text(text);
  ASSERT_TRUE(partitions) << partitions.error().detail;
  ASSERT_THAT(*partitions, SizeIs(3));
  EXPECT_EQ((*partitions)[1].name, "partition2");
  EXPECT_EQ((*partitions)[1].state, "UP");
  EXPECT_EQ((*partitions)[1].nodes, "node[1-855],node[856-1171],node[1172-1320],node[1322-1470]");
}

TEST(SlurmPartitions, RefusesOtherText) {
  EXPECT_FALSE(parse_partitions_text("PartitionName= Nodes=n1 State=UP\n"));
  EXPECT_FALSE(parse_partitions_text("slurm_load_partitions: Unable to contact slurm controller\n"));
  EXPECT_FALSE(parse_partitions_text("PartitionName=main Nodes=n1 State=UP"));
}

TEST(SlurmTopology, ReadsTreeAndBlock) {
  const auto tree = parse_topology_text(
      "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-2] \nSwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[3-4]\n"
      "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=s[0-1]\n");
  ASSERT_TRUE(tree) << tree.error().detail;
  EXPECT_THAT(tree->leaves, ElementsAre("s0", "s1"));
  EXPECT_THAT(tree->nodes, ElementsAre("n1", "n2", "n3", "n4"));
  const auto block = parse_topology_text("BlockName=b0 BlockIndex=0 Nodes=n[1-18] BlockSize=18\n");
  ASSERT_TRUE(block);
  EXPECT_THAT(block->nodes, SizeIs(18));
}

TEST(SlurmTopology, NoneIsMissingAndTheRestIsRefused) {
  EXPECT_EQ(parse_topology_text("").error().reason, Absence::missing);
  EXPECT_EQ(parse_topology_text("what?\n").error().reason, Absence::malformed);
  EXPECT_EQ(parse_topology_text("SwitchName=s0 Nodes=n[1-\n").error().reason, Absence::malformed);
}

// ---- tables

TEST(SlurmTable, ReadsAnExcerptAndRefusesABrokenOne) {
  const auto sound =
      parse_table("JobID|State|End\n39125549|CANCELLED by 1185300516|2021-04-07T23:59:38\n39125549.batch|CANCELLED|\n");
  ASSERT_TRUE(sound) << sound.error().detail;
  EXPECT_THAT(sound->heading, ElementsAre("JobID", "State", "End"));
  ASSERT_THAT(sound->rows, SizeIs(2));
  EXPECT_THAT(sound->rows[0], ElementsAre("39125549", "CANCELLED by 1185300516", "2021-04-07T23:59:38"));
  EXPECT_THAT(sound->rows[1], ElementsAre("39125549.batch", "CANCELLED", ""));
  // A comment of two lines, as users write them.
  const auto broken = parse_table("Account|#Comment|#End\na|#|#x\nb|#OSS Code Location:\n /file|#y\n", "|#");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().detail, HasSubstr("line 3 "));
}

TEST(SlurmTable, ReadsTheSoundCaptureAndRefusesTheBroken) {
  if (assay::testing::samples().empty()) GTEST_SKIP();
  const auto sound = parse_table(sample("sacct-pipe-midnight.txt"));
  ASSERT_TRUE(sound) << sound.error().detail;
  EXPECT_THAT(sound->heading, ElementsAre("JobID", "State", "End"));
  EXPECT_THAT(sound->rows, SizeIs(11));
  EXPECT_THAT(sound->rows[4], ElementsAre("39125551", "CANCELLED by 1185300516", "2021-04-07T23:59:38"));
  const auto broken = parse_table(sample("sacct-multiline-comment-gpu-jobs.txt"), "|#");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().detail, HasSubstr("line 4 "));
  EXPECT_FALSE(parse_table(sample("sacct-invalid-lines.txt")));
}

TEST(SlurmStates, CountsWordsAndRefusesSentences) {
  EXPECT_EQ(count_states("RUNNING\nPENDING\nRUNNING\n").value().at("RUNNING"), "2");
  EXPECT_TRUE(count_states("").value().empty());
  EXPECT_FALSE(count_states("slurm_load_jobs error: Unable to contact slurm controller\n"));
}

TEST(SlurmFailure, TellsAHiddenServerFromABrokenOne) {
  const auto reason = [](const char* words) { return why_failed("scontrol", {1, false, false, "", words}).reason; };
  EXPECT_EQ(reason("slurm_load_node error: Unable to contact slurm controller (connect failure)"), Absence::timeout);
  EXPECT_EQ(reason("scontrol: unrecognized option '--json'"), Absence::unsupported);
  EXPECT_EQ(reason("Access/permission denied"), Absence::permission);
  EXPECT_EQ(reason("sinfo: fatal: Could not establish a configuration source"), Absence::missing);
  EXPECT_EQ(reason("Zero Bytes were transmitted or received"), Absence::malformed);
}

RC_GTEST_PROP(SlurmParsers, NoTextBreaksThem, (const std::string& text)) {
  const std::string nodes = "NodeName=n1 State=IDLE " + text + "\n";
  parse_config("Configuration data as of " + text);
  parse_nodes_text(nodes);
  parse_nodes_json(text);
  parse_partitions_text("PartitionName=p " + text);
  parse_topology_text("SwitchName=s Nodes=" + text + "\n");
  parse_table(text);
  count_states(text);
}

}  // namespace
}  // namespace assay::slurm
