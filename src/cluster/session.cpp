#include "cluster/session.hpp"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <deque>
#include <memory>

#include "cluster/crew.hpp"
#include "cluster/recorder.hpp"

namespace assay::cluster {

namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

class Loop {
 public:
  Loop(Launcher& launcher, const AgentSet& agents, const SessionOptions& options, const Session::Record& record,
       const Session::Tell& tell)
      : launcher_(launcher), agents_(agents), options_(options), tell_(tell), recorder_(record) {}

  void add(std::vector<Work> party) {
    for (const Work& work : party) {
      ++progress_.hosts;
      progress_.steps += work.readers.size();
    }
    waiting_.push_back(std::move(party));
  }

  Result<bool> run() {
    while (!waiting_.empty() || !crews_.empty()) {
      while (crews_.size() < launcher_.at_once() && !waiting_.empty()) launch();
      const bool stopped = wait();
      collect();
      if (auto taken = recorder_.take(std::exchange(ended_, {})); !taken) return failure(taken.error());
      if (!stopped) continue;
      end_all();
      return recorder_.finish().map([] { return false; });
    }
    return recorder_.finish().map([] { return true; });
  }

 private:
  // All at once, so that it takes as long as the slowest.
  void end_all() {
    for (const auto& crew : crews_) crew->stop();
    while (!crews_.empty()) {
      poll(nullptr, 0, 2);
      for (const auto& crew : crews_) crew->tick();
      std::erase_if(crews_, [](const auto& crew) { return crew->over(); });
    }
  }

  void launch() {
    std::vector<Work> work = std::move(waiting_.front());
    waiting_.pop_front();
    std::vector<std::string> names;
    for (const Work& each : work) names.push_back(each.node);
    auto party = launcher_.launch(names, bootstrap_command());
    if (party) {
      crews_.push_back(std::make_unique<Crew>(std::move(*party), work, launcher_, agents_, options_));
      return;
    }
    for (const Work& each : work) {
      Intake intake(each.host, each.readers, options_.vocabulary);
      intake.end({Absence::missing, party.error().message()});
      take(intake.take());
    }
  }

  // True: someone asked us to stop.
  bool wait() {
    std::vector<pollfd> polled{{options_.stop_fd, POLLIN, 0}};
    std::vector<std::size_t> firsts;
    for (const auto& crew : crews_) {
      firsts.push_back(polled.size());
      crew->add_to(polled);
    }
    poll(polled.data(), polled.size(), 20);
    if (polled[0].revents != 0) return true;
    for (std::size_t i = 0; i < crews_.size(); ++i) {
      crews_[i]->serve(&polled[firsts[i]]);
      crews_[i]->tick();
    }
    return false;
  }

  void collect() {
    for (const auto& crew : crews_) take(crew->take());
    std::erase_if(crews_, [](const auto& crew) { return crew->over(); });
  }

  void take(std::vector<StepResult> steps) {
    if (steps.empty()) return;
    for (StepResult& step : steps) {
      ++(step.key.name == "agent" ? progress_.hosts_done : progress_.steps_done);
      ended_.push_back(std::move(step));
    }
    tell_(progress_);
  }

  Launcher& launcher_;
  const AgentSet& agents_;
  const SessionOptions& options_;
  const Session::Tell& tell_;
  std::deque<std::vector<Work>> waiting_;
  std::vector<std::unique_ptr<Crew>> crews_;
  std::vector<StepResult> ended_;
  Progress progress_;
  Recorder recorder_;
};

}  // namespace

Session::Session(Launcher& launcher, const AgentSet& agents, SessionOptions options)
    : launcher_(launcher), agents_(agents), options_(std::move(options)) {}

Result<bool> Session::run(const std::vector<Work>& work, const Record& record, const Tell& tell) {
  signal(SIGPIPE, SIG_IGN);
  Loop loop(launcher_, agents_, options_, record, tell);
  std::vector<std::string> names;
  for (const Work& each : work) names.push_back(each.node);
  for (const std::vector<std::string>& party : launcher_.parties(names)) {
    std::vector<Work> members;
    for (const std::string& name : party)
      members.push_back(*std::find_if(work.begin(), work.end(), [&](const Work& each) { return each.node == name; }));
    loop.add(std::move(members));
  }
  return loop.run();
}

}  // namespace assay::cluster
