// Nodes through Slurm: one srun for all nodes that are alike, one task on each. Inside an allocation (SLURM_JOB_ID) it
// is a step beside what runs there; else srun asks for the nodes itself and gives up after a time, so a busy queue is
// never waited for without end.
//
// How it ends (tried with 22.05):
//   setpriv --pdeathsig        when assay itself is killed hard, srun is told to end (where this util-linux can do it;
//                              else the agents' end of input has to do).
//   SIGTERM, then patience     srun cancels its job within two seconds; killed hard together with its helper process it
//                              would leave the job behind.
#include <fmt/format.h>
#include <unistd.h>

#include <map>

#include "base/text.hpp"
#include "cluster/labeled.hpp"
#include "cluster/slurm.hpp"
#include "cluster/slurm_ask.hpp"
#include "cluster/slurm_discovery.hpp"
#include "cluster/slurm_request.hpp"

namespace assay::cluster {

namespace {

using std::chrono::seconds;

// Each srun is a job in the queue, where sites bound how many one user may have, and a busy node waits in one of its
// own. A choice, not a measurement.
constexpr std::size_t kSrunsAtOnce = 16;

// Among N nodes, b that can't be given cost 2·b·log2(N) questions at most: this is for three among a thousand.
constexpr int kMostQuestions = 64;

// From SIGTERM on; it takes two when slurmctld answers.
constexpr seconds kGrace{10};

// srun starts and tells of its job beside the time that it may wait in the queue.
constexpr int kStarting = 30;

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
  Slurm(SlurmOptions options, const Waiting& waiting)
      : request_(std::move(options), waiting.stop_fd),
        discovery_(request_, waiting),
        waiting_(waiting),
        name_(fmt::format("assay-{}", getpid())),
        prefix_(ends_with_us()) {}

  ~Slurm() override {
    sorters_.clear();
    if (launched_) leave_no_job();
  }

  std::string name() const override { return "slurm"; }
  std::string cluster() override { return discovery_.cluster(); }
  Result<std::vector<Node>> nodes() override;
  std::size_t at_once() const override { return kSrunsAtOnce; }
  seconds start_limit() const override { return seconds(request_.options().wait + kStarting); }
  std::chrono::milliseconds grace() const override { return kGrace; }
  std::vector<std::vector<std::string>> parties(const std::vector<std::string>& nodes) override;
  Result<Party> launch(const std::vector<std::string>& nodes, const std::vector<std::string>& argv) override;
  std::string explain(int status, std::string_view err) const override;
  std::string explain_member(std::string_view node, std::string_view err) const override;

 private:
  void leave_no_job() const;

  SlurmRequest request_;
  SlurmDiscovery discovery_;
  Waiting waiting_;
  std::string name_;  // of our jobs and steps
  std::vector<std::string> prefix_;
  std::vector<std::unique_ptr<Sorter>> sorters_;
  bool launched_ = false;
};

Result<std::vector<Node>> Slurm::nodes() {
  if (auto fine = request_.check(); !fine) return failure(fine.error());
  if (process::find_program("srun").empty())
    return failure({Error::Kind::environment, "Slurm's srun in PATH", "none", "--slurm",
                    "run assay on a login node, or use --ssh"});
  const auto wanted = discovery_.wanted();
  if (!wanted) return failure(wanted.error());
  std::vector<Node> nodes;
  std::vector<std::string> reachable;
  for (const SlurmNode& node : *wanted) {
    nodes.push_back({node.name, node.unreachable(!request_.options().reservation.empty())});
    if (nodes.back().unreachable.empty()) reachable.push_back(node.name);
  }
  if (auto granted = request_.try_some(reachable); !granted) return failure(granted.error());
  return nodes;
}

// Idle nodes with the same devices make one party. A busy node is a party of its own: it may have to be waited for, and
// must not keep the free ones waiting.
std::vector<std::vector<std::string>> Slurm::parties(const std::vector<std::string>& nodes) {
  discovery_.know(nodes);
  std::map<std::string, std::vector<std::string>> alike;
  std::vector<std::vector<std::string>> busy;
  for (const std::string& name : nodes) {
    const SlurmNode* node = discovery_.known(name);
    const bool free = request_.in_allocation() || node == nullptr || node->idle();
    if (free) {
      alike[node == nullptr ? "" : node->gres].push_back(name);
    } else {
      busy.push_back({name});
    }
  }
  std::vector<std::vector<std::string>> all;
  int trials = kMostQuestions;
  if (waiting_.tell) waiting_.tell(fmt::format("asking Slurm which of {} nodes it gives together", nodes.size()));
  for (auto& [gres, members] : alike) {
    auto groups = request_.grouped(std::move(members), gres, trials);
    std::move(groups.begin(), groups.end(), std::back_inserter(all));
  }
  std::move(busy.begin(), busy.end(), std::back_inserter(all));
  return all;
}

Result<Party> Slurm::launch(const std::vector<std::string>& nodes, const std::vector<std::string>& argv) {
  const SlurmNode* first = discovery_.known(nodes.front());
  const std::string gres = first == nullptr ? std::string() : first->gres;
  std::vector<std::string> line = prefix_;
  const auto srun = request_.srun_line(nodes, gres, name_);
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
    return fmt::format("Slurm did not give the node within {} s: {}", request_.options().wait, words);
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
  if (!request_.in_allocation()) {
    static_cast<void>(process::run({"scancel", "--quiet", "--name=" + name_}, slurm_limits()));
    return;
  }
  const auto steps =
      process::run({"squeue", "-h", "-s", "-j", request_.job(), "-n", name_, "-o", "%i"}, slurm_limits());
  if (!steps || steps->status != 0) return;
  for (const std::string_view step : text::lines(steps->out))
    static_cast<void>(process::run({"scancel", "--quiet", std::string(text::trim(step))}, slurm_limits()));
}

}  // namespace

std::unique_ptr<Launcher> make_slurm(SlurmOptions options, Waiting waiting) {
  return std::make_unique<Slurm>(std::move(options), waiting);
}

}  // namespace assay::cluster
