// Slurm's configuration files: where they may be, their includes, and what is written in them. The files are what an
// administrator meant; what runs is scontrol's word (slurm.cpp).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "node/host.hpp"

namespace assay::node::slurm {

// One line's pairs, keys in lower case (Slurm doesn't mind the case): {{"nodename","n1"},{"gres","gpu:8"}}.
using ConfLine = std::vector<std::pair<std::string, std::string>>;

struct Conf {
  std::vector<ConfLine> lines;
  std::vector<std::string> includes;  // as written, in order
  // A setting that stands for the whole cluster; the last one wins, as slurmctld has it. nullptr if none is written.
  const std::string* setting(std::string_view lower_key) const;
};
// key=value pairs, # comments, \ at a line's end, "quoted values". A line that is none of these is refused by number.
Seen<Conf> parse_conf(std::string_view text);

// Where this host keeps slurm.conf: $SLURM_CONF, /etc/slurm, … , /run/slurm/conf (fetched from the controller).
std::vector<std::string> conf_places(Host& host);
// The first of the places that is there. Missing: the detail lists where it was looked for.
Seen<std::string> find_conf(Host& host);
// A file with all it includes, at most 64 of them.
Seen<Conf> read_conf(Host& host, const std::string& path);

// Is the line about a part of the cluster (a node, a partition) rather than the cluster's setting?
bool about_part(const ConfLine& line);

}  // namespace assay::node::slurm
