#include "app/evaluation.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "app/paths.hpp"
#include "app/plan.hpp"
#include "app/say.hpp"
#include "base/text.hpp"
#include "cluster/intake.hpp"
#include "cluster/session.hpp"
#include "node/reader.hpp"

namespace assay::app {

namespace {

namespace fs = std::filesystem;
using cluster::Work;

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

// ---- stopping: a signal becomes a readable descriptor

std::array<int, 2> stop_pipe{-1, -1};

void on_signal(int) {
  const char byte = 0;
  [[maybe_unused]] const auto ignored = write(stop_pipe[1], &byte, 1);
}

int watch_signals() {
  if (stop_pipe[0] < 0 && pipe2(stop_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags =
      static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends us the hard way; nothing recorded is lost by it
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  return stop_pipe[0];
}

// ---- the run's folder

struct Run {
  Store store;
  Target target;
  Plan plan;
  std::unique_ptr<cluster::Launcher> launcher;  // that made the plan: what a scheduler told it isn't asked for again
};

Result<Run> begin(const EvaluateOptions& options, cluster::Waiting waiting) {
  Target target = options.target;
  if (auto expanded = expand_hosts(target); !expanded) return failure(expanded.error());
  // Resuming from another folder must look at the same tree.
  if (!target.root.empty()) target.root = fs::absolute(target.root).lexically_normal().string();
  auto launcher = make_launcher(target, std::move(waiting));
  if (!launcher) return failure(launcher.error());
  const Subject cluster = cluster_of(target, **launcher);
  auto plan = make_plan(target, **launcher, cluster);
  if (!plan) return failure(plan.error());
  const std::string started = utc_now();
  const fs::path folder = !options.out.empty()
                              ? fs::path(options.out)
                              : fs::path("assay-runs") / cluster.path().substr(8) /
                                    fmt::format("{:%Y%m%dT%H%M%SZ}-{}", fmt::gmtime(std::time(nullptr)), getpid());
  auto store = Store::create(folder, {{"assay.version", ASSAY_VERSION},
                                      {"cluster", cluster.path()},
                                      {"started", started},
                                      {"target", to_text(target)},
                                      {"target.json", to_json_text(target)},
                                      {"plan.json", plan_to_text(*plan)}});
  if (!store) return failure(store.error());
  return Run{std::move(*store), std::move(target), std::move(*plan), std::move(*launcher)};
}

Result<Run> go_on(const std::string& folder, cluster::Waiting waiting) {
  auto store = Store::open_for_writing(folder);
  if (!store) return failure(store.error());
  auto facts = store->facts();
  if (!facts) return failure(facts.error());
  auto target = target_from_json_text((*facts)["target.json"]);
  if (!target) return failure(target.error());
  auto plan = plan_from_text((*facts)["plan.json"]);
  if (!plan) return failure(plan.error());
  auto launcher = make_launcher(*target, std::move(waiting));
  if (!launcher) return failure(launcher.error());
  return Run{std::move(*store), std::move(*target), std::move(*plan), std::move(*launcher)};
}

// ---- the work that is left

Result<std::vector<Work>> work_left(const Run& run, bool login) {
  const auto finished = run.store.finished();
  if (!finished) return failure(finished.error());
  std::vector<Work> work;
  for (const PlannedHost& host : run.plan) {
    if (host.login != login || !host.unreachable.empty()) continue;
    Work todo{host.node, host.subject, {}};
    for (const node::Reader* reader : node::readers())
      if (!finished->contains({host.subject.path(), std::string(reader->id)})) todo.readers.emplace(reader->id);
    if (!todo.readers.empty()) work.push_back(std::move(todo));
  }
  return work;
}

// How long a run looked, its pauses left out: noted while it looks, so that a kill costs a few seconds of it at most.
class Stopwatch {
 public:
  using Steady = std::chrono::steady_clock;

  Stopwatch(Store& store, Steady::time_point begun) : store_(store), begun_(begun) {
    if (auto facts = store.facts()) before_ = text::integer((*facts)[kKey]).value_or(0);
  }
  Result<void> note() {
    noted_ = Steady::now();
    const auto now = std::chrono::round<std::chrono::seconds>(noted_ - begun_).count();
    return store_.set_facts({{kKey, std::to_string(before_ + now)}});
  }
  Result<void> note_now_and_then() {
    return Steady::now() - noted_ < std::chrono::seconds(5) ? Result<void>() : note();
  }

 private:
  static constexpr const char* kKey = "looked.seconds";
  Store& store_;
  Steady::time_point begun_, noted_ = begun_;
  std::int64_t before_ = 0;
};

// Hosts that the launcher itself says aren't to be had: recorded, not tried.
Result<void> record_unreachable(Run& run) {
  const node::Vocabulary vocabulary = node::vocabulary();
  std::vector<StepResult> steps;
  for (const PlannedHost& host : run.plan) {
    if (host.unreachable.empty()) continue;
    cluster::Intake intake(host.subject, {}, vocabulary);
    intake.end({Absence::missing, host.unreachable});
    auto ended = intake.take();
    std::move(ended.begin(), ended.end(), std::back_inserter(steps));
  }
  return steps.empty() ? Result<void>() : run.store.record(steps);
}

Result<bool> look(Run& run, cluster::Launcher& launcher, bool login, const EvaluateOptions& options, int stop_fd,
                  Stopwatch& watch) {
  const auto agents = cluster::AgentSet::load(agents_folder());
  if (!agents) return failure(agents.error());
  const auto work = work_left(run, login);
  if (!work) return failure(work.error());
  if (work->empty()) return true;
  cluster::SessionOptions session_options;
  session_options.host_limit = options.host_limit;
  session_options.root = run.target.root.empty() ? "/" : run.target.root;
  session_options.stop_fd = stop_fd;
  session_options.vocabulary = node::vocabulary();
  ProgressLine line;
  return cluster::Session(launcher, *agents, session_options)
      .run(
          *work,
          [&](const std::vector<StepResult>& steps) {
            return run.store.record(steps).and_then([&] { return watch.note_now_and_then(); });
          },
          [&](const cluster::Progress& p) {
            line.show(fmt::format("{}/{} steps, {}/{} hosts", p.steps_done, p.steps, p.hosts_done, p.hosts));
          });
}

}  // namespace

Result<Seen> see(const EvaluateOptions& options) {
  const auto begun = std::chrono::steady_clock::now();
  const int stop_fd = watch_signals();
  ProgressLine line;
  cluster::Waiting waiting{[&](const std::string& words) { line.show(words); }, stop_fd};
  auto run = options.resume.empty() ? begin(options, std::move(waiting)) : go_on(options.resume, std::move(waiting));
  if (!run) return failure(run.error());
  if (auto recorded = record_unreachable(*run); !recorded) return failure(recorded.error());
  Stopwatch watch(run->store, begun);
  const auto local = cluster::make_local();
  for (const bool login : {true, false}) {
    const auto whole = look(*run, login ? *local : *run->launcher, login, options, stop_fd, watch);
    if (!whole) return failure(whole.error());
    if (!*whole) {
      if (auto noted = watch.note(); !noted) return failure(noted.error());
      return Seen{std::move(run->store), true};
    }
  }
  if (auto noted = watch.note(); !noted) return failure(noted.error());
  if (auto set = run->store.set_facts({{"ended", utc_now()}}); !set) return failure(set.error());
  return Seen{std::move(run->store), false};
}

Result<Snapshot> recorded(const Store& store) {
  return store.observations().map([](std::vector<Observation> all) { return Snapshot(std::move(all)); });
}

}  // namespace assay::app
