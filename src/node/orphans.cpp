#include "node/orphans.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "base/text.hpp"
#include "node/facts/processes_detail.hpp"

namespace assay::node {

namespace {

// Not every kernel has the list of children (CONFIG_PROC_CHILDREN): then every process is asked for its parent.
std::vector<pid_t> children() {
  Host host("/", nullptr);
  std::vector<pid_t> found;
  if (const auto listed = host.text(fmt::format("/proc/self/task/{}/children", getpid()))) {
    for (const auto word : text::words(*listed)) found.push_back(static_cast<pid_t>(text::integer(word).value_or(0)));
    return found;
  }
  for (const std::string& name : host.names("/proc").value_or(std::vector<std::string>())) {
    const auto pid = text::integer(name);
    if (!pid) continue;
    const auto stat = host.text("/proc/" + name + "/stat", 4096).and_then([](const std::string& line) {
      return facts::parse_stat(line);
    });
    if (stat && stat->parent == getpid()) found.push_back(static_cast<pid_t>(*pid));
  }
  return found;
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

bool end_orphans(const std::set<pid_t>& readers) {
  bool left = false;
  for (const pid_t pid : children()) {
    const pid_t session = getsid(pid);
    if (pid <= 0 || session == getsid(0) || readers.contains(session) || readers.contains(pid)) continue;
    const pid_t group = getpgid(pid);
    if (group > 0 && group != getpgrp()) kill(-group, SIGKILL);
    kill(pid, SIGKILL);
    left = waitpid(pid, nullptr, WNOHANG) != pid || left;
  }
  return !left;
}

}  // namespace assay::node
