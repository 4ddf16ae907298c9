// How fast evidence is kept and judged again. Bars (the project's design): at least 100,000 observations a second
// appended durably in batches; a million observations judged again in under 5 s.
//
//   build/bench/bench/bench_evidence
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "evidence/snapshot.hpp"
#include "evidence/store.hpp"
#include "judge/judge.hpp"

namespace {

using namespace assay;
namespace fs = std::filesystem;

// As a node's readers say it: numbers and texts on the node and on its parts, one transcript a step.
StepResult step_of(int node, int number, int observations) {
  const Subject host = Subject().child("cluster", "bench").child("node", "n" + std::to_string(node));
  StepResult step{{host.path(), "reader" + std::to_string(number)}, StepState::done, "", {}, ""};
  for (int i = 0; i < observations; ++i) {
    const Subject part = host.child("package", "dpkg:package-" + std::to_string(number) + "-" + std::to_string(i / 4));
    Value value = i % 2 == 0 ? Value(std::int64_t{i} * 977) : Value(std::string("2.36-9+deb12u") + std::to_string(i));
    step.observations.push_back(
        {0, part, "package.fact-" + std::to_string(i % 4), std::move(value), "1", 1, "packages: dpkg", ""});
    step.raw += "Package: package-" + std::to_string(i) + " of " + host.path() + "\n";
  }
  return step;
}

fs::path fresh_folder() {
  std::string name = (fs::temp_directory_path() / "assay-bench-XXXXXX").string();
  return mkdtemp(name.data());
}

void fill(Store& store, int nodes, int steps_each, int observations) {
  for (int node = 0; node < nodes; ++node) {
    std::vector<StepResult> batch;
    for (int i = 0; i < steps_each; ++i) batch.push_back(step_of(node, i, observations));
    if (!store.record(batch)) abort();
  }
}

// One batch is what arrives from a node at once: 25 steps of 200 observations, each with its transcript.
void append_durably(benchmark::State& state) {
  const fs::path folder = fresh_folder();
  auto store = Store::create(folder / "run", {}).value();
  std::vector<StepResult> batch;
  for (int i = 0; i < 25; ++i) batch.push_back(step_of(0, i, 200));
  int node = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ++node;
    for (StepResult& step : batch) {
      step.key.host = "cluster/bench/node/n" + std::to_string(node);
      step.raw += std::to_string(node);
    }
    state.ResumeTiming();
    if (!store.record(batch)) state.SkipWithError("record failed");
  }
  state.SetItemsProcessed(state.iterations() * 25 * 200);
  fs::remove_all(folder);
}
BENCHMARK(append_durably)->Unit(benchmark::kMillisecond)->UseRealTime();

void judge_a_million_again(benchmark::State& state) {
  const fs::path folder = fresh_folder();
  {
    auto store = Store::create(folder / "run", {}).value();
    fill(store, 200, 25, 200);
  }
  const auto checks = catalog::load_checks(std::string(ASSAY_SOURCE_DIR) + "/data/checks").value();
  std::size_t seen = 0;
  for (auto _ : state) {
    const auto store = Store::open_for_reading(folder / "run").value();
    const Snapshot snapshot(store.observations().value());
    seen = snapshot.all().size();
    benchmark::DoNotOptimize(judge::judge(checks, snapshot).value());
  }
  state.counters["observations"] = static_cast<double>(seen);
  fs::remove_all(folder);
}
BENCHMARK(judge_a_million_again)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1)->Repetitions(3);

}  // namespace

BENCHMARK_MAIN();
