// What Slurm's commands and files say, and srun's one stream for many nodes.
#include <cstdint>
#include <cstdlib>

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "cluster/labeled.hpp"
#include "cluster/slurm_nodes.hpp"
#include "node/facts/slurm_files_detail.hpp"
#include "node/frame.hpp"
#include "node/protocol.hpp"
#include "slurm/gres.hpp"
#include "slurm/state.hpp"
#include "slurm/text.hpp"

namespace {

using namespace assay;

void parse_answers(std::string_view text) {
  static_cast<void>(slurm::parse_config(text));
  static_cast<void>(slurm::parse_nodes_text(text));
  static_cast<void>(slurm::parse_nodes_json(text));
  static_cast<void>(slurm::parse_partitions_text(text));
  static_cast<void>(slurm::parse_topology_text(text));
  static_cast<void>(slurm::parse_table(text));
  static_cast<void>(slurm::count_states(text));
  static_cast<void>(node::slurm::parse_conf(text));
  if (const auto nodes = cluster::parse_sinfo(text))
    for (const cluster::SlurmNode& node : *nodes)
      if (node.name.empty() || node.name.front() == '-') abort();  // it would be an option of srun's
}

// A node's bytes can't become another's, and what is handed on is bounded.
void carry(std::string_view text) {
  node::Unframer unframer;
  for (const std::string_view line : text::lines(text)) {
    static_cast<void>(cluster::ended_tasks(line));
    const auto labeled = cluster::unlabel(line);
    if (labeled.task != 1) continue;
    unframer.feed(labeled.rest, [&](std::string_view whole) {
      if (whole.size() > node::kLongestLine + text.size() + 1) abort();
    });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  parse_answers(text);
  carry(text);
  if (const auto names = hostlist::expand(text); names && names->size() > hostlist::kMostNames) abort();
  static_cast<void>(slurm::gpus_in(text));
  static_cast<void>(slurm::devices_of(std::string(text), text));
  static_cast<void>(slurm::why_no_job(slurm::state_of_sinfo(text), false));
  return 0;
}
