// Sessions with hosts that are shell scripts: one that dies, hangs, babbles, won't end or speaks of another costs
// itself alone, and the others are served meanwhile.
#include "cluster/session.hpp"

#include <gmock/gmock.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>

#include "node/reader.hpp"
#include "testing.hpp"

namespace assay::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using Steady = std::chrono::steady_clock;

const std::string kHello = R"(echo '{"type":"hello","protocol":1,"agent":"0.1.0","arch":"x86_64","uid":0}')";
const std::string kSound = kHello + R"(
echo '{"type":"observation","reader":"os","subject":"","name":"os.id","value":"debian","time":1}'
echo '{"type":"done","reader":"os","state":"ok"}'
echo '{"type":"finished","id":1}')";

// Hosts are scripts by their names; a script "agent" is the real bootstrap.
class Scripts : public Launcher {
 public:
  explicit Scripts(std::map<std::string, std::string> scripts) : scripts_(std::move(scripts)) {}
  std::string name() const override { return "scripts"; }
  std::string cluster() override { return "c"; }
  Result<std::vector<Node>> nodes() override { return std::vector<Node>(); }
  std::size_t at_once() const override { return 8; }
  seconds start_limit() const override { return seconds(3); }
  milliseconds grace() const override { return seconds(4); }
  std::vector<std::vector<std::string>> parties(const std::vector<std::string>& nodes) override {
    std::vector<std::vector<std::string>> alone;
    for (const std::string& node : nodes) alone.push_back({node});
    return alone;
  }
  Result<Party> launch(const std::vector<std::string>& nodes, const std::vector<std::string>& argv) override {
    const std::string& script = scripts_.at(nodes.front());
    auto child = process::start(script == "agent" ? argv : std::vector<std::string>{"sh", "-c", script});
    if (!child) return failure(child.error());
    pids.push_back(child->pid);
    const int out = std::exchange(child->out, -1);
    return Party{*child, {{nodes.front(), out}}};
  }
  std::string explain(int status, std::string_view err) const override {
    return "it ended with " + std::to_string(status) + ": " + std::string(err);
  }

  std::vector<int> pids;

 private:
  std::map<std::string, std::string> scripts_;
};

Subject host_of(const std::string& name) { return Subject::parse("cluster/c/node/" + name).value(); }

class Sessions : public ::testing::Test {
 protected:
  void SetUp() override {
    utsname machine{};
    uname(&machine);
    const auto folder = agents_.path() / machine.machine;
    std::filesystem::create_directories(folder);
    std::filesystem::create_symlink(ASSAY_AGENT, folder / "assay-agent");
    ASSERT_EQ(pipe(stop_.data()), 0);
    options_.host_limit = seconds(2);
    options_.vocabulary = node::vocabulary();
    options_.stop_fd = stop_[0];
  }
  void TearDown() override {
    for (const int fd : stop_) close(fd);
  }

  Result<bool> run(Scripts& scripts, const std::vector<std::string>& names) {
    const auto agents = AgentSet::load(agents_.path());
    std::vector<Work> work;
    for (const std::string& name : names) work.push_back({name, host_of(name), {"os"}});
    begun_ = Steady::now();
    const auto record = [&](const std::vector<StepResult>& steps) {
      for (const StepResult& step : steps) steps_[step.key.host + " " + step.key.name] = step;
      return Result<void>();
    };
    const auto tell = [&](const Progress& progress) {
      told_.emplace_back(progress.hosts_done, Steady::now() - begun_);
    };
    return Session(scripts, *agents, options_).run(work, record, tell);
  }

  // The host's answer: "true", or why there is none.
  std::string answer(const std::string& name) const {
    const auto found = steps_.find(host_of(name).path() + " agent");
    if (found == steps_.end()) return "<nothing>";
    for (const Observation& observation : found->second.observations)
      if (observation.name == "agent.answered")
        return observation.absent() ? observation.absent()->detail : to_text(*observation.value());
    return "<no answer>";
  }

  assay::testing::TemporaryFolder agents_;
  std::array<int, 2> stop_{-1, -1};
  SessionOptions options_;
  Steady::time_point begun_;
  std::vector<std::pair<std::size_t, Steady::duration>> told_;  // hosts done, when
  std::map<std::string, StepResult> steps_;
};

TEST_F(Sessions, TheRealAgentComesByTheBootstrapAndAnswers) {
  assay::testing::TemporaryFolder tree;
  tree.write("/etc/os-release", "ID=debian\nVERSION_ID=12\n");
  options_.root = tree.string();
  options_.host_limit = seconds(20);
  Scripts scripts(std::map<std::string, std::string>{{"a", "agent"}});
  EXPECT_TRUE(run(scripts, {"a"}).value());
  EXPECT_EQ(answer("a"), "true");
  const StepResult& os = steps_.at("cluster/c/node/a os");
  EXPECT_EQ(os.state, StepState::done);
  EXPECT_TRUE(std::ranges::any_of(os.observations, [](const auto& seen) { return seen.name == "os.id"; }));
}

TEST_F(Sessions, EachCostsItselfAlone) {
  Scripts scripts({{"sound", kSound},
                   {"dies", kHello + "; echo broken >&2; exit 3"},
                   {"hangs", kHello + "; exec sleep 100"},
                   {"mute", "exec sleep 100"},
                   {"babbles", "while :; do echo noise; echo more; done"},
                   {"endless", "exec cat /dev/zero"},
                   {"crashes", "kill -SEGV $$"}});
  EXPECT_TRUE(run(scripts, {"dies", "hangs", "mute", "babbles", "endless", "crashes", "sound"}).value());
  EXPECT_EQ(answer("sound"), "true");
  EXPECT_THAT(answer("dies"), HasSubstr("it ended with 3: broken"));
  EXPECT_THAT(answer("crashes"), HasSubstr("it ended with 139"));
  EXPECT_EQ(answer("hangs"), "no end within 2 s");
  EXPECT_EQ(answer("mute"), "no word within 3 s");
  EXPECT_THAT(answer("babbles"), HasSubstr("lines that mean nothing"));
  EXPECT_THAT(answer("endless"), ::testing::AnyOf(HasSubstr("it sent more than"), HasSubstr("no end within")));
  for (const int pid : scripts.pids) EXPECT_EQ(kill(pid, 0), -1);
}

TEST_F(Sessions, AHostThatSpeaksOfAnotherSpeaksOfItself) {
  Scripts scripts({{"sound", "sleep 0.2; " + kSound}, {"forges", kHello + R"(
echo '{"type":"observation","reader":"os","subject":"cluster/c/node/sound","name":"os.id","value":"forged","time":1}'
echo '{"type":"done","reader":"os","state":"ok"}'
echo '{"type":"finished","id":1}')"}});
  EXPECT_TRUE(run(scripts, {"forges", "sound"}).value());
  for (const auto& [key, step] : steps_)
    for (const Observation& seen : step.observations) {
      EXPECT_TRUE(seen.subject.within(Subject::parse(step.key.host).value())) << seen.subject.path();
    }
  EXPECT_EQ(to_text(*steps_.at("cluster/c/node/sound os").observations.at(0).value()), "debian");
}

TEST_F(Sessions, OneThatWillNotEndKeepsNobodyWaiting) {
  options_.host_limit = seconds(10);
  Scripts scripts(
      {{"stubborn", kSound + "\ntrap '' TERM; while :; do sleep 1; done"}, {"later", "sleep 0.8; " + kSound}});
  EXPECT_TRUE(run(scripts, {"stubborn", "later"}).value());
  EXPECT_EQ(answer("later"), "true");
  const auto both = std::ranges::find(told_, 2u, [](const auto& entry) { return entry.first; });
  ASSERT_NE(both, told_.end());
  EXPECT_LT(both->second, seconds(4));  // the stubborn one is killed after 4.5
}

TEST_F(Sessions, StoppedItEndsAllAtOnceAndRecordsNoFailure) {
  options_.host_limit = seconds(30);
  const std::string stubborn = kHello + "; trap '' TERM; while :; do sleep 1; done";
  Scripts scripts({{"a", stubborn}, {"b", stubborn}, {"c", stubborn}});
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(300));
    EXPECT_EQ(write(stop_[1], "", 1), 1);
  });
  EXPECT_FALSE(run(scripts, {"a", "b", "c"}).value());
  stopper.join();
  EXPECT_TRUE(steps_.empty());
  EXPECT_LT(Steady::now() - begun_, seconds(10));  // 4.8, not three times 4.5
  for (const int pid : scripts.pids) EXPECT_EQ(kill(pid, 0), -1);
}

}  // namespace
}  // namespace assay::cluster
