#include "cluster/run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <iterator>

#include "base/text.hpp"
#include "cluster/intake.hpp"
#include "cluster/local.hpp"
#include "evidence/facts.hpp"

namespace assay::cluster {

namespace {

using Steady = std::chrono::steady_clock;

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::filesystem::path usual_folder(const Subject& cluster) {
  return std::filesystem::path("assay-runs") / cluster.path().substr(std::string_view("cluster/").size()) /
         fmt::format("{:%Y%m%dT%H%M%SZ}-{}", fmt::gmtime(std::time(nullptr)), getpid());
}

}  // namespace

// How long a run looked, its pauses left out.
class Run::Stopwatch {
 public:
  Stopwatch(Store& store, Steady::time_point begun) : store_(store), begun_(begun) {
    if (auto facts = store.facts()) before_ = text::integer((*facts)[fact::kLooked]).value_or(0);
  }
  Result<void> note() {
    noted_ = Steady::now();
    const auto now = std::chrono::round<std::chrono::seconds>(noted_ - begun_).count();
    return store_.set_facts({{fact::kLooked, std::to_string(before_ + now)}});
  }
  Result<void> note_now_and_then() {
    return Steady::now() - noted_ < std::chrono::seconds(5) ? Result<void>() : note();
  }

 private:
  Store& store_;
  Steady::time_point begun_, noted_ = begun_;
  std::int64_t before_ = 0;
};

Result<Run> Run::begin(const Beginning& beginning) {
  auto store = Store::create(beginning.folder.empty() ? usual_folder(beginning.cluster) : beginning.folder,
                             {{fact::kVersion, beginning.version},
                              {fact::kCluster, beginning.cluster.path()},
                              {fact::kStarted, utc_now()},
                              {fact::kTarget, beginning.target},
                              {fact::kTargetFile, beginning.target_file},
                              {fact::kPlanFile, plan_to_text(beginning.plan)}});
  if (!store) return failure(store.error());
  return Run(std::move(*store), beginning.plan, beginning.target_file);
}

Result<Run> Run::go_on(const std::filesystem::path& folder) {
  auto store = Store::open_for_writing(folder);
  if (!store) return failure(store.error());
  auto facts = store->facts();
  if (!facts) return failure(facts.error());
  auto plan = plan_from_text((*facts)[fact::kPlanFile]);
  if (!plan) return failure(plan.error());
  return Run(std::move(*store), std::move(*plan), (*facts)[fact::kTargetFile]);
}

Result<std::vector<Work>> Run::work_left(const std::vector<std::string>& readers, bool login) const {
  const auto finished = store_.finished();
  if (!finished) return failure(finished.error());
  std::vector<Work> work;
  for (const PlannedHost& host : plan_) {
    if (host.login != login || !host.unreachable.empty()) continue;
    Work todo{host.node, host.subject, {}};
    for (const std::string& reader : readers)
      if (!finished->contains({host.subject.path(), reader})) todo.readers.insert(reader);
    if (!todo.readers.empty()) work.push_back(std::move(todo));
  }
  return work;
}

// Hosts that the launcher itself says aren't to be had: recorded, not tried.
Result<void> Run::record_unreachable(const node::Vocabulary& vocabulary) {
  std::vector<StepResult> steps;
  for (const PlannedHost& host : plan_) {
    if (host.unreachable.empty()) continue;
    Intake intake(host.subject, {}, vocabulary);
    intake.end({Absence::missing, host.unreachable});
    auto ended = intake.take();
    std::move(ended.begin(), ended.end(), std::back_inserter(steps));
  }
  return steps.empty() ? Result<void>() : store_.record(steps);
}

Result<bool> Run::look(Launcher& launcher, const AgentSet& agents, const Looking& looking, const Session::Tell& tell) {
  if (auto recorded = record_unreachable(looking.session.vocabulary); !recorded) return failure(recorded.error());
  Stopwatch watch(store_, looking.since);
  const auto record = [&](const std::vector<StepResult>& steps) {
    return store_.record(steps).and_then([&] { return watch.note_now_and_then(); });
  };
  const auto local = make_local();
  for (const bool login : {true, false}) {
    const auto work = work_left(looking.readers, login);
    if (!work) return failure(work.error());
    if (work->empty()) continue;
    const auto whole = Session(login ? *local : launcher, agents, looking.session).run(*work, record, tell);
    if (!whole) return failure(whole.error());
    if (*whole) continue;
    if (auto noted = watch.note(); !noted) return failure(noted.error());
    return false;
  }
  if (auto noted = watch.note(); !noted) return failure(noted.error());
  if (auto set = store_.set_facts({{fact::kEnded, utc_now()}}); !set) return failure(set.error());
  return true;
}

}  // namespace assay::cluster
