// What Slurm's commands print, read strictly and without touching a machine: text → values, or words why not. Each
// function takes the whole output of one command; an output that ends early is refused, not read short.
//
// Formats differ by version (20.11 … 25.11): --json came with 21.08 in sinfo and 23.02 in scontrol, its state was a
// word with separate flags until 22.05 and a list since, numbers became {"set","number"}. The one-line texts are alike
// in all of them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"
#include "evidence/seen.hpp"

namespace assay::slurm {

// `scontrol show config`: setting → value as printed ("(null)" too), the second section apart.
struct Config {
  std::map<std::string, std::string> settings;
  std::map<std::string, std::string> cgroup;  // empty where the version or set-up doesn't print it
};
Seen<Config> parse_config(std::string_view text);

struct Node {
  std::string name;
  std::string hostname;
  std::string state;  // IDLE+DRAIN: upper case, base state first, flags in the order given
  std::string reason;
  std::string gres;
  std::string version;
  std::string tres;  // cpu=2,mem=1000M,gres/gpu=8: what it has to give, where the version tells
};
Seen<std::vector<Node>> parse_nodes_text(std::string_view text);  // scontrol -o show nodes
Seen<std::vector<Node>> parse_nodes_json(std::string_view text);  // scontrol show nodes --json, sinfo --json (≤ 22.05)

struct Partition {
  std::string name;
  std::string state;
  std::string nodes;
};
Seen<std::vector<Partition>> parse_partitions_text(std::string_view text);  // scontrol -o show partition

// `scontrol show topology` (SwitchName= lines of tree, BlockName= lines of block).
struct Topology {
  std::vector<std::string> leaves;  // switches or blocks that have nodes themselves
  std::vector<std::string> nodes;   // all nodes named, sorted
};
Seen<Topology> parse_topology_text(std::string_view text);

// The tables of sacct, sacctmgr and squeue with -P: a heading and rows of as many fields. A field may hold a line
// break, which leaves rows of another length: refused, with the line's number.
struct Table {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
};
Seen<Table> parse_table(std::string_view text, std::string_view separator = "|");

// One state per line (`squeue -h -o %T`) → how many of each.
Seen<std::map<std::string, std::string>> count_states(std::string_view text);

// What a failed command's words mean.
Absent why_failed(std::string_view command, const process::Output& output);

}  // namespace assay::slurm
