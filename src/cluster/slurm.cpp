// Nodes through Slurm: one srun for all nodes that are alike, one task on each. Inside an allocation (SLURM_JOB_ID) it
// is a step beside what runs there; else srun asks for the nodes itself and gives up after a time, so a busy queue is
// never waited for without end.
//
// Why the options are as they are (tried with 22.05):
//   --label            keeps the nodes' output apart. --output=%N would have each node open the file, which needs a
//                      shared folder; a step for every node costs slurmctld a thousand steps for a thousand nodes.
//   --unbuffered       carries pieces instead of lines; the agent's frames make lines of them again (node/frame.hpp).
//   -m arbitrary -w    task i is on the i-th node of the list, whatever Slurm's own order is.
//   --gres             everything that the node has, else ConstrainDevices hides the GPUs that are to be looked at
//                      (--exclusive alone gives none).
//   --no-kill --kill-on-bad-exit=0 --wait=0      a node that dies or fails leaves the others alone.
//   setpriv --pdeathsig                          when assay itself is killed hard, srun is told to end (where this
//                                                util-linux can do it; else the agents' end of input has to do).
//   SIGTERM, then patience                       srun cancels its job within two seconds; killed hard together with its
//                                                helper process it would leave the job behind.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "cluster/labeled.hpp"
#include "cluster/launcher.hpp"
#include "cluster/slurm_ask.hpp"
#include "cluster/slurm_nodes.hpp"
#include "slurm/gres.hpp"
#include "slurm/text.hpp"

namespace assay::cluster {

namespace {

using std::chrono::seconds;

// For nodes whose answer slurmctld waits for. It pings a node that was just resumed within a second or so.
constexpr seconds kSettling{10};
constexpr std::chrono::milliseconds kBetweenLooks{500};

// Nodes that are asked for before a run, spread over all. One is enough where nothing is wrong, and each costs
// slurmctld a question.
constexpr std::size_t kTrials = 8;

// Slurm's words for a refusal that is about the node asked for; any other is about the request (slurm_errno.c).
bool is_of_node(std::string_view words) {
  constexpr std::array<std::string_view, 4> kOfNode{
      "Requested node configuration is not available", "Requested nodes are busy",
      "Nodes required for job are DOWN, DRAINED or reserved", "Requested nodes not in this partition"};
  return std::any_of(kOfNode.begin(), kOfNode.end(), [&](auto phrase) { return words.find(phrase) != words.npos; });
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// What to put before a command so that it is asked to end when we die, if this system can.
std::vector<std::string> ends_with_us() {
  const std::vector<std::string> prefix{"setpriv", "--pdeathsig", "TERM"};
  auto trial = prefix;
  trial.push_back("true");
  const auto output = process::run(trial);
  return output && output->status == 0 ? prefix : std::vector<std::string>();
}

class Slurm : public Launcher {
 public:
  Slurm(SlurmOptions options, Waiting waiting)
      : options_(std::move(options)),
        waiting_(std::move(waiting)),
        job_(environment("SLURM_JOB_ID")),
        name_(fmt::format("assay-{}", getpid())),
        prefix_(ends_with_us()) {}

  ~Slurm() override {
    sorters_.clear();
    if (launched_) leave_no_job();
  }

  std::string name() const override { return "slurm"; }
  std::string cluster() override;
  Result<std::vector<Node>> nodes() override;
  std::size_t at_once() const override { return 16; }
  seconds start_limit() const override { return seconds(options_.wait + 30); }
  std::chrono::milliseconds grace() const override { return seconds(10); }
  std::vector<std::vector<std::string>> parties(const std::vector<std::string>& nodes) override;
  Result<Party> launch(const std::vector<std::string>& nodes, const std::vector<std::string>& argv) override;
  std::string explain(int status, std::string_view err) const override;
  std::string explain_member(std::string_view node, std::string_view err) const override;

 private:
  bool in_allocation() const { return !job_.empty(); }
  Result<void> check_options() const;
  Result<std::vector<SlurmNode>> look(const std::string& nodelist);
  Result<std::vector<SlurmNode>> look_until_heard(const std::string& nodelist);
  const SlurmNode* known(const std::string& name) const;
  Result<void> try_request(const std::vector<std::string>& nodes, const std::string& gres) const;
  Result<void> try_some(const std::vector<Node>& nodes) const;
  void settle(std::vector<std::string> nodes, const std::string& gres, int& trials,
              std::vector<std::vector<std::string>>& parties) const;
  void correct_devices(std::vector<SlurmNode>& nodes) const;
  void add_request(std::vector<std::string>& argv) const;
  std::vector<std::string> srun_line(const std::vector<std::string>& nodes, const std::string& gres) const;
  void leave_no_job() const;

  SlurmOptions options_;
  Waiting waiting_;
  std::string job_;
  std::string name_;  // of our jobs and steps
  std::vector<std::string> prefix_;
  std::vector<std::unique_ptr<Sorter>> sorters_;
  bool launched_ = false;
  std::vector<SlurmNode> seen_;  // by the last look()
  std::optional<Error> broken_;  // Slurm gave no answer: it isn't asked again
};

std::string Slurm::cluster() {
  if (const std::string named = environment("SLURM_CLUSTER_NAME"); !named.empty()) return named;
  const auto config = ask_slurm({"scontrol", "show", "config"}, waiting_.stop_fd);
  if (!config) {
    broken_ = config.error();
    return "slurm";
  }
  const auto parsed = slurm::parse_config(*config);
  const bool known = parsed && parsed->settings.contains("ClusterName");
  return known ? parsed->settings.at("ClusterName") : "slurm";
}

Result<void> Slurm::check_options() const {
  const auto refuse = [](std::string expected, std::string came, std::string remedy) {
    return failure({Error::Kind::usage, std::move(expected), std::move(came), "--slurm", std::move(remedy)});
  };
  for (const std::string* text : {&options_.partition, &options_.account, &options_.qos, &options_.constraint,
                                  &options_.reservation, &options_.nodelist, &options_.time})
    if (text->starts_with('-')) return refuse("a value", "\"" + *text + "\"", "see assay evaluate --help");
  const bool asks = !options_.partition.empty() || !options_.account.empty() || !options_.qos.empty() ||
                    !options_.constraint.empty() || !options_.reservation.empty() || !options_.time.empty();
  if (in_allocation() && asks)
    return refuse("no partition, account, qos, constraint, reservation or time inside job " + job_, "one of them",
                  "leave them out, or run assay outside of the job");
  return {};
}

// What slurmctld hands out, where it tells.
void Slurm::correct_devices(std::vector<SlurmNode>& nodes) const {
  if (std::all_of(nodes.begin(), nodes.end(), [](const SlurmNode& node) { return node.gres.empty(); })) return;
  const auto text = ask_slurm({"scontrol", "-o", "show", "nodes"}, waiting_.stop_fd);
  const auto told = text ? slurm::parse_nodes_text(*text) : Seen<std::vector<slurm::Node>>();
  if (!told) return;
  std::map<std::string_view, std::string_view> tres;
  for (const slurm::Node& node : *told) tres.emplace(node.name, node.tres);
  for (SlurmNode& node : nodes) node.gres = slurm::devices_of(node.gres, tres[node.name]);
}

// Nodes of the partition (the default one if none is named), or of the allocation; one entry each.
Result<std::vector<SlurmNode>> Slurm::look(const std::string& nodelist) {
  std::vector<std::string> argv{"sinfo", "-h", "-N", "-o", kSinfoFormat};
  if (!options_.partition.empty()) argv.insert(argv.end(), {"-p", options_.partition});
  if (!nodelist.empty()) argv.insert(argv.end(), {"-n", nodelist});
  const auto text = ask_slurm(argv, waiting_.stop_fd);
  if (!text) return failure(text.error());
  auto told = parse_sinfo(*text);
  if (!told) return told;
  const bool any_partition = in_allocation() || !options_.partition.empty() || !nodelist.empty();
  std::vector<SlurmNode> nodes;
  for (SlurmNode& node : *told) {
    const bool again = std::any_of(nodes.begin(), nodes.end(), [&](const auto& n) { return n.name == node.name; });
    if (!again && (any_partition || node.by_default)) nodes.push_back(std::move(node));
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const auto& a, const auto& b) { return text::natural_less(a.name, b.name); });
  correct_devices(nodes);
  seen_ = nodes;
  return nodes;
}

// A node whose answer slurmctld still waits for is looked at again for a while before it counts as missing.
Result<std::vector<SlurmNode>> Slurm::look_until_heard(const std::string& nodelist) {
  const auto until = std::chrono::steady_clock::now() + kSettling;
  for (;;) {
    auto found = look(nodelist);
    if (!found) return found;
    const auto awaited = std::count_if(found->begin(), found->end(), [](const auto& node) { return node.awaited(); });
    if (awaited == 0 || std::chrono::steady_clock::now() > until) return found;
    if (waiting_.tell) waiting_.tell(fmt::format("{} of {} nodes have not answered Slurm yet", awaited, found->size()));
    if (told_to_stop(waiting_.stop_fd, kBetweenLooks)) return failure(unwanted("sinfo"));
  }
}

const SlurmNode* Slurm::known(const std::string& name) const {
  const auto found = std::find_if(seen_.begin(), seen_.end(), [&](const SlurmNode& node) { return node.name == name; });
  return found == seen_.end() ? nullptr : &*found;
}

Result<std::vector<Node>> Slurm::nodes() {
  if (auto fine = check_options(); !fine) return failure(fine.error());
  if (process::find_program("srun").empty())
    return failure({Error::Kind::environment, "Slurm's srun in PATH", "none", "--slurm",
                    "run assay on a login node, or use --ssh"});
  if (broken_) return failure(*broken_);
  const std::string allocated = in_allocation() ? environment("SLURM_JOB_NODELIST") : std::string();
  const std::string& wanted = options_.nodelist.empty() ? allocated : options_.nodelist;
  auto found = look_until_heard(wanted);
  if (!found) return failure(found.error());
  if (found->empty())
    return failure(
        {Error::Kind::usage,
         options_.partition.empty() ? "a default partition with nodes" : "nodes in the partition " + options_.partition,
         "none that you may see", wanted.empty() ? "sinfo" : "sinfo -n " + wanted,
         "see sinfo -s for partitions, sinfo -N for nodes"});
  if (const auto names = hostlist::expand(wanted); names)
    for (const std::string& name : *names)
      if (std::none_of(found->begin(), found->end(), [&](const SlurmNode& node) { return node.name == name; }))
        return failure({Error::Kind::usage, "nodes that Slurm knows", name, "-w " + wanted, "see sinfo -N"});
  // With fewer nodes wanted than there are: those that are free now come first.
  const auto wanted_count = static_cast<std::size_t>(std::max(options_.node_count, 0));
  if (wanted_count > 0) {
    std::stable_sort(found->begin(), found->end(), [&](const SlurmNode& a, const SlurmNode& b) {
      const auto rank = [&](const SlurmNode& n) { return n.idle() ? 0 : n.unreachable(false).empty() ? 1 : 2; };
      return rank(a) < rank(b);
    });
    if (found->size() < wanted_count)
      return failure({Error::Kind::usage, fmt::format("{} nodes", wanted_count), fmt::format("{}", found->size()),
                      "-N " + std::to_string(wanted_count), "ask for fewer, or for another partition"});
    found->resize(wanted_count);
  }
  std::vector<Node> nodes;
  for (const SlurmNode& node : *found) nodes.push_back({node.name, node.unreachable(!options_.reservation.empty())});
  if (auto granted = try_some(nodes); !granted) return failure(granted.error());
  return nodes;
}

// Idle nodes with the same devices make one party. A busy node is a party of its own: it may have to be waited for, and
// must not keep the free ones waiting.
std::vector<std::vector<std::string>> Slurm::parties(const std::vector<std::string>& nodes) {
  // A run that is taken up again comes here without having asked for nodes().
  if (seen_.empty()) static_cast<void>(look(fmt::format("{}", fmt::join(nodes, ","))));
  std::map<std::string, std::vector<std::string>> alike;
  std::vector<std::vector<std::string>> busy;
  for (const std::string& name : nodes) {
    const SlurmNode* node = known(name);
    const bool free = in_allocation() || node == nullptr || node->idle();
    if (free) {
      alike[node == nullptr ? "" : node->gres].push_back(name);
    } else {
      busy.push_back({name});
    }
  }
  std::vector<std::vector<std::string>> all;
  int trials = 64;
  if (waiting_.tell) waiting_.tell(fmt::format("asking Slurm which of {} nodes it gives together", nodes.size()));
  for (auto& [gres, members] : alike) settle(std::move(members), gres, trials, all);
  std::move(busy.begin(), busy.end(), std::back_inserter(all));
  return all;
}

// What the caller asked of the scheduler, as srun takes it.
void Slurm::add_request(std::vector<std::string>& argv) const {
  const auto pass = [&](const char* option, const std::string& value) {
    if (!value.empty()) argv.push_back(fmt::format("--{}={}", option, value));
  };
  pass("partition", options_.partition);
  pass("account", options_.account);
  pass("qos", options_.qos);
  pass("constraint", options_.constraint);
  pass("reservation", options_.reservation);
  pass("time", options_.time);
}

// Would Slurm grant these nodes together? Nothing is queued.
Result<void> Slurm::try_request(const std::vector<std::string>& nodes, const std::string& gres) const {
  const std::string count = std::to_string(nodes.size());
  std::vector<std::string> argv{"srun", "--test-only", "-N", count,
                                "-n",   count,         "-w", fmt::format("{}", fmt::join(nodes, ","))};
  add_request(argv);
  if (!gres.empty()) argv.push_back("--gres=" + gres);
  argv.push_back("true");
  const auto output = process::run(argv, slurm_limits(waiting_.stop_fd));
  if (!output) return failure(output.error());
  if (output->status == 0 || output->timed_out) return {};
  return failure({Error::Kind::usage, "a request that Slurm grants", last_line(output->err), "srun --test-only",
                  "see sinfo -s, sacctmgr show assoc, scontrol show reservation"});
}

// A wrong account, time or reservation is the caller's mistake: told at once, before a run begins. A node may be
// refused for reasons of its own, and so may its neighbors of one rack or switch: that is no mistake while another can
// be had, or may be among those that were not tried.
Result<void> Slurm::try_some(const std::vector<Node>& nodes) const {
  std::vector<std::string> candidates;
  for (const Node& node : nodes)
    if (node.unreachable.empty()) candidates.push_back(node.name);
  if (in_allocation() || candidates.empty()) return {};
  const std::size_t trials = std::min(kTrials, candidates.size());
  Result<void> granted;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    granted = try_request({candidates[trial * candidates.size() / trials]}, "");
    if (granted || !is_of_node(granted.error().came)) return granted;
  }
  return trials < candidates.size() ? Result<void>() : granted;
}

// One node that Slurm can't give (it isn't in the topology, say) makes it refuse them all: halved until they are
// granted or alone, so that it costs only itself. `trials` bounds the questions.
void Slurm::settle(std::vector<std::string> nodes, const std::string& gres, int& trials,
                   std::vector<std::vector<std::string>>& parties) const {
  if (in_allocation() || nodes.size() < 2 || trials-- <= 0 || try_request(nodes, gres)) {
    parties.push_back(std::move(nodes));
    return;
  }
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
  settle({nodes.begin(), middle}, gres, trials, parties);
  settle({middle, nodes.end()}, gres, trials, parties);
}

std::vector<std::string> Slurm::srun_line(const std::vector<std::string>& nodes, const std::string& gres) const {
  const std::string count = std::to_string(nodes.size());
  std::vector<std::string> argv{"srun",
                                "--label",
                                "--unbuffered",
                                "--no-kill",
                                "--kill-on-bad-exit=0",
                                "--wait=0",
                                "--mpi=none",
                                "--input=all",
                                "--export=ALL",
                                "-J",
                                name_,
                                "-N",
                                count,
                                "-n",
                                count,
                                "-m",
                                "arbitrary",
                                "--ntasks-per-node=1",
                                "--cpus-per-task=1",
                                "-w",
                                fmt::format("{}", fmt::join(nodes, ","))};
  const auto pass = [&](const char* option, const std::string& value) {
    if (!value.empty()) argv.push_back(fmt::format("--{}={}", option, value));
  };
  if (in_allocation()) {  // where a step is given all devices of its job
    argv.insert(argv.end(), {"--overlap", "--jobid=" + job_});
    return argv;
  }
  add_request(argv);
  pass("gres", gres);
  pass("immediate", std::to_string(std::max(options_.wait, 2)));  // 1 would mean: at once or not at all
  return argv;
}

Result<Party> Slurm::launch(const std::vector<std::string>& nodes, const std::vector<std::string>& argv) {
  const SlurmNode* first = known(nodes.front());
  const std::string gres = first == nullptr ? std::string() : first->gres;
  std::vector<std::string> line = prefix_;
  const auto srun = srun_line(nodes, gres);
  line.insert(line.end(), srun.begin(), srun.end());
  line.insert(line.end(), {"env", "ASSAY_FRAMES=1"});
  line.insert(line.end(), argv.begin(), argv.end());
  auto child = process::start(line);
  if (!child) return failure(child.error());
  launched_ = true;
  auto sorter = Sorter::start(child->out, child->err, nodes.size());
  if (!sorter) {
    close(child->in);
    process::stop(*child, grace());
    return failure(sorter.error());
  }
  Party party{{child->pid, child->in, -1, (*sorter)->take_words()}, {}};
  for (std::size_t i = 0; i < nodes.size(); ++i) party.members.push_back({nodes[i], (*sorter)->take_stream(i)});
  sorters_.push_back(std::move(*sorter));
  return party;
}

// The line that says why, out of srun's many: the last error that isn't about a single task.
std::string Slurm::explain(int status, std::string_view err) const {
  std::string_view why;
  for (const std::string_view line : text::lines(err))
    if (line.starts_with("srun: error: ") && ended_tasks(line).empty()) why = line.substr(13);
  const std::string words = text::printable(text::trim(why).substr(0, 300));
  if (words.find("Requested nodes are busy") != std::string::npos)
    return fmt::format("Slurm did not give the node within {} s: {}", options_.wait, words);
  if (!words.empty()) return "srun: " + words;
  return fmt::format("srun ended with status {}{}{}", status, err.empty() ? "" : ": ", last_line(err));
}

std::string Slurm::explain_member(std::string_view node, std::string_view err) const {
  const std::string mark = fmt::format("srun: error: {}: task", node);
  for (const std::string_view line : text::lines(err))
    if (line.starts_with(mark)) return text::printable(line.substr(13, 300));
  return "its task ended early";
}

// srun cancels what it started when it is told to end. This is for the day when it was killed before it could.
void Slurm::leave_no_job() const {
  if (!in_allocation()) {
    static_cast<void>(process::run({"scancel", "--quiet", "--name=" + name_}, slurm_limits()));
    return;
  }
  const auto steps = process::run({"squeue", "-h", "-s", "-j", job_, "-n", name_, "-o", "%i"}, slurm_limits());
  if (!steps || steps->status != 0) return;
  for (const std::string_view step : text::lines(steps->out))
    static_cast<void>(process::run({"scancel", "--quiet", std::string(text::trim(step))}, slurm_limits()));
}

}  // namespace

std::unique_ptr<Launcher> make_slurm(SlurmOptions options, Waiting waiting) {
  return std::make_unique<Slurm>(std::move(options), std::move(waiting));
}

}  // namespace assay::cluster
