// A run's folder from its beginning to its end; with real agents it is tried by tests/system.
#include "cluster/run.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "evidence/facts.hpp"
#include "evidence/snapshot.hpp"
#include "testing.hpp"

namespace assay::cluster {
namespace {

using ::testing::HasSubstr;

// Nodes of which none can be reached, so that nothing is started.
class Gone : public Launcher {
 public:
  explicit Gone(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}
  std::string name() const override { return "gone"; }
  std::string cluster() override { return "c"; }
  Result<std::vector<Node>> nodes() override { return nodes_; }
  std::size_t at_once() const override { return 1; }
  std::chrono::seconds start_limit() const override { return std::chrono::seconds(1); }
  std::vector<std::vector<std::string>> parties(const std::vector<std::string>&) override { return {}; }
  Result<Party> launch(const std::vector<std::string>&, const std::vector<std::string>&) override {
    ADD_FAILURE() << "nothing is to be started";
    return failure({Error::Kind::usage, "", "", "", ""});
  }
  std::string explain(int, std::string_view) const override { return ""; }

 private:
  std::vector<Node> nodes_;
};

class Runs : public ::testing::Test {
 protected:
  Runs() {
    std::filesystem::create_directories(agents_.path() / "x86_64");
    std::ofstream(agents_.path() / "x86_64" / "assay-agent") << "never started";
  }
  Result<cluster::Run> begin() {
    const auto plan = make_plan(launcher_, cluster_, false);
    return cluster::Run::begin({folder_.path() / "run", cluster_, plan.value(), "--gone", "{}", "0.1.0"});
  }
  bool looked(cluster::Run& run) {
    const auto agents = AgentSet::load(agents_.path());
    Looking looking;
    looking.readers = {"os"};
    return run.look(launcher_, agents.value(), looking, {}).value();
  }

  assay::testing::TemporaryFolder folder_, agents_;
  Subject cluster_ = Subject::parse("cluster/c").value();
  Gone launcher_{{{"n1", "drained: bad DIMM"}, {"10.0.0.7", "down", "n2"}}};
};

TEST_F(Runs, APlanNamesHostsAsTheLauncherDoesAndAsEvidenceDoes) {
  const auto plan = make_plan(launcher_, cluster_, true);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 3u);
  EXPECT_EQ((*plan)[1].node + " " + (*plan)[1].subject.path(), "10.0.0.7 cluster/c/node/n2");
  EXPECT_TRUE((*plan)[2].login);
  const auto read = plan_from_text(plan_to_text(*plan));
  ASSERT_TRUE(read);
  EXPECT_EQ(plan_to_text(*read), plan_to_text(*plan));
  Gone none({});
  EXPECT_THAT(make_plan(none, cluster_, false).error().message(), HasSubstr("at least one node"));
}

TEST_F(Runs, HostsThatCanNotBeHadAreToldAndTheRunComesToItsEnd) {
  auto run = begin();
  ASSERT_TRUE(run) << run.error().message();
  EXPECT_TRUE(looked(*run));
  const Store store = std::move(*run).take_store();
  const auto facts = store.facts().value();
  EXPECT_EQ(facts.at(fact::kTarget), "--gone");
  EXPECT_TRUE(facts.contains(fact::kEnded));
  EXPECT_EQ(facts.at(fact::kLooked), "0");
  const Snapshot seen(store.observations().value());
  const auto* answered = seen.find(Subject::parse("cluster/c/node/n1").value(), "agent.answered");
  ASSERT_NE(answered, nullptr);
  EXPECT_EQ(answered->absent()->detail, "drained: bad DIMM");
}

TEST_F(Runs, GoesOnWithThePlanItWasBegunWith) {
  ASSERT_TRUE(begin());
  auto again = cluster::Run::go_on(folder_.path() / "run");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->target_file(), "{}");
  EXPECT_TRUE(looked(*again));
}

TEST_F(Runs, APlanThatCanNotBeReadIsRefused) {
  for (const char* text :
       {"", "{}x", "[7]", R"([{"node":"n1"}])", R"([{"node":"n1","path":"//","unreachable":"","login":false}])"})
    EXPECT_FALSE(plan_from_text(text)) << text;
  {
    auto run = begin();
    auto store = std::move(*run).take_store();
    ASSERT_TRUE(store.set_facts({{fact::kPlanFile, "[7]"}}));
  }
  const auto again = cluster::Run::go_on(folder_.path() / "run");
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message(), HasSubstr("start a new run"));
}

}  // namespace
}  // namespace assay::cluster
