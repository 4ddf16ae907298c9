// Which GPUs there are, against the bus and against their siblings; the driver that serves them and how it is set.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/text.hpp"
#include "judge/checks/gpu_detail.hpp"
#include "judge/siblings.hpp"
#include "judge/uniform.hpp"

namespace assay::judge::checks {

namespace {

std::string join_lines(const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, ", ")); }

// How the GPUs of a node answer their driver.
struct Answers {
  std::vector<std::string> lost;  // "GPU 5 is lost"
  std::size_t silent = 0;         // of which nothing is known
  std::vector<const Observation*> basis;
};

Answers answers_of(const Snapshot& snapshot, const Subject& node, std::size_t count) {
  Answers answers;
  std::size_t told = 0;
  for (const Subject& part : snapshot.parts(node, "gpu")) {
    const auto state = snapshot.text(part, "gpu.state");
    if (!state) continue;
    ++told;
    if (*state == "ok") continue;
    answers.lost.push_back(fmt::format("GPU {} is {}", part.id(), *state));
    answers.basis.push_back(state.observation);
  }
  answers.silent = count > told ? count - told : 0;
  return answers;
}

// All GPUs given to guests: the host's driver has none to serve.
bool given_to_guests(const Reading<TextList>& drivers) {
  if (!drivers || drivers.value->empty()) return false;
  for (const std::string& each : *drivers)
    if (!each.ends_with("=vfio-pci")) return false;
  return true;
}

// What the node's models are, so that only like nodes are compared; "" where not all were seen.
std::string models_of(const Snapshot& snapshot, const Subject& node) {
  std::set<std::string> names;
  for (const Subject& part : snapshot.parts(node, "gpu"))
    if (const auto name = snapshot.text(part, "gpu.name")) {
      names.insert(*name);
    } else {
      return {};
    }
  return fmt::format("{}", fmt::join(names, "+"));
}

// A node whose driver doesn't count its GPUs. True if they are none of its own to count.
bool judge_uncounted(const Snapshot& snapshot, const Subject& node, Judgement& judgement) {
  const auto count = snapshot.integer(node, "gpu.count");
  const auto on_bus = snapshot.integer(node, "gpu.pci-count");
  const auto answers = snapshot.boolean(node, "gpu.driver-answers");
  const auto drivers = snapshot.list(node, "gpu.pci-drivers");
  const std::vector<const Observation*> basis = {on_bus.observation, answers.observation, drivers.observation,
                                                 count.observation};
  if (given_to_guests(drivers)) {
    judgement.not_applicable(node, "all GPUs are given to guests", basis);
    return true;
  }
  if (on_bus && *on_bus > 0 && answers && !*answers) {
    judgement.fail(node, fmt::format("0 of {}", *on_bus),
                   fmt::format("{} GPUs are on the PCI bus, but no driver answers for them", *on_bus), basis);
  } else {
    judgement.unknown(node, count);
  }
  return false;
}

void judge_counted(const Snapshot& snapshot, const Siblings::Member& member, const Siblings& siblings,
                   const std::string& models, Judgement& judgement) {
  const auto count = text::integer(member.value).value_or(0);
  const auto on_bus = snapshot.integer(member.subject, "gpu.pci-count");
  Answers answers = answers_of(snapshot, member.subject, static_cast<std::size_t>(count));
  answers.basis.push_back(member.observation);
  answers.basis.push_back(on_bus.observation);
  const std::string majority = siblings.majority();
  const auto say = [&](Status status, const std::string& measured, const std::string& why) {
    judgement.say(status, member.subject, measured, why, answers.basis);
  };
  if (!answers.lost.empty())
    return say(Status::fail,
               fmt::format("{} of {} answer", count - static_cast<std::int64_t>(answers.lost.size()), count),
               join_lines(answers.lost));
  if (on_bus && *on_bus > count)
    return say(Status::fail, fmt::format("{} of {}", count, *on_bus),
               fmt::format("{} GPUs are on the PCI bus, but the driver counts {}", *on_bus, count));
  if (!models.empty() && !majority.empty() && member.value != majority)
    return say(Status::fail, member.value, fmt::format("most nodes with {} have {} GPUs", models, majority));
  if (answers.silent > 0)
    return judgement.unknown(member.subject,
                             fmt::format("{} of {} GPUs did not say whether they work", answers.silent, count),
                             answers.basis);
  if (!on_bus)
    return judgement.unknown(member.subject, "how many GPUs are on the PCI bus: " + on_bus.gap, answers.basis);
  if (models.empty())
    return judgement.unknown(member.subject, "which GPUs it has was not seen, so neither which nodes are its siblings",
                             answers.basis);
  if (majority.empty() && siblings.uniform())
    return judgement.unknown(member.subject,
                             fmt::format("only {} of {} nodes that may have {} told how many",
                                         siblings.members().size(), siblings.all(), models),
                             answers.basis);
  if (majority.empty())
    return say(Status::warn, member.value, fmt::format("nodes with {} have {}", models, siblings.tally()));
  say(Status::pass, member.value,
      siblings.members().size() == 1
          ? "all GPUs answer; no other node with such GPUs to compare with"
          : fmt::format("all GPUs answer, as many as on its siblings ({})", siblings.tally()));
}

void count_uniform(const Snapshot& snapshot, Judgement& judgement) {
  std::map<std::string, Siblings> by_models;
  std::size_t of_any_model = 0;
  for (const Subject& node : snapshot.nodes()) {
    const auto count = snapshot.integer(node, "gpu.count");
    if (!count) {
      of_any_model += judge_uncounted(snapshot, node, judgement) ? 0 : 1;
    } else if (*count == 0) {
      judgement.not_applicable(node, "the node has no GPU", {count.observation});
    } else {
      by_models[models_of(snapshot, node)].add(node, fmt::to_string(*count), count.observation);
    }
  }
  if (const auto unnamed = by_models.find(""); unnamed != by_models.end())
    of_any_model += unnamed->second.members().size();
  for (auto& [models, siblings] : by_models) {
    siblings.add_silent(of_any_model);
    for (const auto& member : siblings.members()) judge_counted(snapshot, member, siblings, models, judgement);
  }
}

// The same product tells the same memory up to what a driver keeps for itself.
bool alike(double a, double b) { return std::abs(a - b) <= 0.02 * std::max(a, b); }

// Adds a GPU by the memory that siblings told before it, if its own is only about the same.
void add_memory(Siblings& siblings, const Subject& part, std::int64_t bytes, const Observation* observation) {
  std::string value = fmt::to_string(bytes);
  for (const auto& other : siblings.members()) {
    if (!alike(static_cast<double>(bytes), std::stod(other.value))) continue;
    value = other.value;
    break;
  }
  siblings.add(part, value, observation);
}

std::string gibibytes(const std::string& bytes) { return fmt::format("{:.1f} GiB", std::stod(bytes) / (1 << 30)); }

void memory_uniform(const Snapshot& snapshot, Judgement& judgement) {
  Models models;
  gpu::for_each(snapshot, judgement, [&](const Subject&, const Subject& part) {
    const auto memory = snapshot.integer(part, "gpu.memory-total");
    const auto name = snapshot.text(part, "gpu.name");
    if (!memory || !name) {
      models.add_silent(name.value);
      return judgement.unknown(part, !memory ? memory.gap : name.gap, {memory.observation, name.observation});
    }
    add_memory(models.of(*name), part, *memory, memory.observation);
  });
  gpu::add_unseen(snapshot, models);
  models.judge(judgement, "memory", gibibytes);
}

void driver_uniform(const Snapshot& snapshot, Judgement& judgement) {
  gpu::compare_nodes(snapshot, judgement, "gpu.driver-version", "the GPU driver's version");
}

void cuda_uniform(const Snapshot& snapshot, Judgement& judgement) {
  gpu::compare_nodes(snapshot, judgement, "gpu.cuda-version", "the driver's CUDA version");
}

void persistence(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each(snapshot, judgement, [&](const Subject&, const Subject& part) {
    const auto vendor = snapshot.text(part, "gpu.vendor");
    if (vendor && *vendor == "amd")
      return judgement.not_applicable(part, "AMD's driver stays loaded by itself", {vendor.observation});
    const auto on = snapshot.boolean(part, "gpu.persistence-mode");
    if (!on) return judgement.unknown(part, on);
    if (*on) return judgement.pass(part, "on", "the driver stays loaded between jobs", {on.observation});
    judgement.fail(part, "off", "the driver unloads between jobs", {on.observation});
  });
}

void profiling(const Snapshot& snapshot, Judgement& judgement) {
  gpu::for_each_node(snapshot, judgement, [&](const Subject& node) {
    const auto closed = snapshot.boolean(node, "gpu.profiling-admin-only");
    if (!closed) return judgement.unknown(node, closed);
    if (*closed)
      return judgement.fail(node, "administrators only", "only root may read the GPUs' performance counters",
                            {closed.observation});
    judgement.pass(node, "everybody", "users may read the GPUs' performance counters", {closed.observation});
  });
}

// No GPU's name was seen: either there is none, or none could be read.
void say_nothing_seen(const Snapshot& snapshot, Judgement& judgement) {
  std::vector<const Observation*> basis;
  bool all_counted = !snapshot.nodes().empty();
  for (const Subject& node : snapshot.nodes()) {
    const auto count = snapshot.integer(node, "gpu.count");
    basis.push_back(count.observation);
    all_counted = all_counted && count && *count == 0;
  }
  if (all_counted) return judgement.not_applicable(snapshot.cluster(), "no node that was looked at has a GPU", basis);
  judgement.unknown(snapshot.cluster(), "no GPU's name was seen", basis);
}

// The GPUs of the cluster by what they are called.
struct Named {
  std::map<std::string, std::size_t> models;
  std::vector<Subject> nameless;  // nodes that may have a GPU whose name wasn't seen
  std::vector<const Observation*> basis;

  std::string words() const {
    std::vector<std::string> counted;
    for (const auto& [name, count] : models) counted.push_back(fmt::format("{} {}", count, name));
    return join_lines(counted);
  }
};

Named named_gpus(const Snapshot& snapshot) {
  Named named;
  for (const Subject& node : snapshot.nodes()) {
    const auto count = snapshot.integer(node, "gpu.count");
    const auto on_bus = snapshot.integer(node, "gpu.pci-count");
    std::int64_t told = 0, untold = 0;
    for (const Subject& part : snapshot.parts(node, "gpu")) {
      const auto name = snapshot.text(part, "gpu.name");
      ++(name ? told : untold);
      if (name && ++named.models[*name] == 1) named.basis.push_back(name.observation);
    }
    if (count && on_bus && untold == 0 && std::max(*count, *on_bus) <= told) continue;
    named.nameless.push_back(node);
    named.basis.insert(named.basis.end(), {count.observation, on_bus.observation});
  }
  return named;
}

// Each model's standing in the table of generations.
struct Standings {
  std::set<std::string> of_known, unknown_models;
};

Standings standings_of(const Named& named, const catalog::Table& generations) {
  Standings standings;
  for (const auto& [name, count] : named.models) {
    const Record* row = gpu::generation_of(generations, name);
    if (row == nullptr) {
      standings.unknown_models.insert(name);
    } else {
      standings.of_known.insert(row->at("standing"));
    }
  }
  return standings;
}

// One modern GPU is enough; that there is none says only who has seen them all.
void modern(const Snapshot& snapshot, Judgement& judgement) {
  const Named named = named_gpus(snapshot);
  const auto [standings, unknown] = standings_of(named, judgement.table("gpu-generations"));
  const Subject& cluster = snapshot.cluster();
  if (standings.contains("modern")) {
    judgement.pass(cluster, named.words(), "GPUs of a current generation", named.basis);
  } else if (named.models.empty()) {
    say_nothing_seen(snapshot, judgement);
  } else if (!unknown.empty()) {
    judgement.unknown(cluster, fmt::format("whether {} is modern isn't known here", fmt::join(unknown, ", ")),
                      named.basis);
  } else if (!named.nameless.empty()) {
    judgement.unknown(cluster,
                      fmt::format("what was seen is of no current generation ({}), but not every GPU of {} was seen",
                                  named.words(), some_of(named.nameless)),
                      named.basis);
  } else if (standings.contains("aging")) {
    judgement.warn(cluster, named.words(), "the newest GPUs here are more than one generation behind", named.basis);
  } else {
    judgement.fail(cluster, named.words(), "every GPU here is of a generation no longer made", named.basis);
  }
}

}  // namespace

extern const Family gpu_inventory = {
    {"reliability.gpu-count-uniform", count_uniform},
    {"reliability.gpu-memory-uniform", memory_uniform},
    {"lifecycle.driver-uniform", driver_uniform},
    {"lifecycle.cuda-uniform", cuda_uniform},
    {"orchestration.gpu-persistence", persistence},
    {"monitoring.profiling-for-all", profiling},
    {"availability.modern-gpu", modern},
};

}  // namespace assay::judge::checks
