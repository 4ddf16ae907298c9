#include "app/evaluation.hpp"

#include <fmt/format.h>

#include "app/paths.hpp"
#include "app/say.hpp"
#include "app/stop_signals.hpp"
#include "cluster/run.hpp"
#include "node/reader.hpp"

namespace assay::app {

namespace {

// A run has one launcher from its plan to its end: what a scheduler told for the one isn't asked for again.
struct Begun {
  cluster::Run run;
  std::unique_ptr<cluster::Launcher> launcher;
  std::string root;
};

Result<Begun> begin(EvaluateOptions& options, cluster::Waiting waiting) {
  Target& target = options.target;
  if (auto settled = target.settle(); !settled) return failure(settled.error());
  auto launcher = target.launcher(std::move(waiting));
  if (!launcher) return failure(launcher.error());
  const Subject cluster =
      Subject().child("cluster", target.cluster().empty() ? (*launcher)->cluster() : target.cluster());
  const auto plan = cluster::make_plan(**launcher, cluster, target.looks_at_login());
  if (!plan) return failure(plan.error());
  auto run = cluster::Run::begin({options.out, cluster, *plan, target.words(), target.to_json_text(), ASSAY_VERSION});
  if (!run) return failure(run.error());
  return Begun{std::move(*run), std::move(*launcher), target.root()};
}

Result<Begun> go_on(const std::string& folder, cluster::Waiting waiting) {
  auto run = cluster::Run::go_on(folder);
  if (!run) return failure(run.error());
  const auto target = Target::from_json_text(run->target_file());
  if (!target) return failure(target.error());
  auto launcher = target->launcher(std::move(waiting));
  if (!launcher) return failure(launcher.error());
  return Begun{std::move(*run), std::move(*launcher), target->root()};
}

}  // namespace

Result<Seen> see(EvaluateOptions& options) {
  cluster::Looking looking;
  looking.session.stop_fd = watch_stop_signals();
  looking.session.host_limit = options.host_limit;
  looking.session.vocabulary = node::vocabulary();
  for (const node::Reader* reader : node::readers()) looking.readers.emplace_back(reader->id);
  ProgressLine line;
  cluster::Waiting waiting{[&](const std::string& words) { line.show(words); }, looking.session.stop_fd};
  auto begun = options.resume.empty() ? begin(options, std::move(waiting)) : go_on(options.resume, std::move(waiting));
  if (!begun) return failure(begun.error());
  looking.session.root = begun->root;
  const auto agents = cluster::AgentSet::load(agents_folder());
  if (!agents) return failure(agents.error());
  const auto whole = begun->run.look(*begun->launcher, *agents, looking, [&](const cluster::Progress& p) {
    line.show(fmt::format("{}/{} steps, {}/{} hosts", p.steps_done, p.steps, p.hosts_done, p.hosts));
  });
  if (!whole) return failure(whole.error());
  return Seen{std::move(begun->run).take_store(), !*whole};
}

Result<Snapshot> recorded(const Store& store) {
  return store.observations().map([](std::vector<Observation> all) { return Snapshot(std::move(all)); });
}

}  // namespace assay::app
