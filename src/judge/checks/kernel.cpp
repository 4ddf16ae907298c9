// The kernel that runs: against the kernels that are installed, and against the other nodes'.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "judge/uniform.hpp"

namespace assay::judge::checks {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The next run of digits or of letters; empty at the end.
std::string_view next_run(std::string_view& rest) {
  while (!rest.empty() && !digit(rest[0]) && !letter(rest[0])) rest.remove_prefix(1);
  std::size_t length = 0;
  while (length < rest.size() && (digit(rest[0]) ? digit(rest[length]) : letter(rest[length]))) ++length;
  const auto run = rest.substr(0, length);
  rest.remove_prefix(length);
  return run;
}

// As rpm orders versions: digits as numbers, and before them letters, so that 427.13.1.el9 is newer than 427.el9.
bool older(std::string_view a, std::string_view b) {
  for (;;) {
    auto left = next_run(a);
    auto right = next_run(b);
    if (left.empty() || right.empty()) return left.empty() && !right.empty();
    if (digit(left[0]) != digit(right[0])) return letter(left[0]);
    if (digit(left[0])) {
      left.remove_prefix(std::min(left.find_first_not_of('0'), left.size()));
      right.remove_prefix(std::min(right.find_first_not_of('0'), right.size()));
      if (left.size() != right.size()) return left.size() < right.size();
    }
    if (left != right) return left < right;
  }
}

// Which of a distribution's kernels it is: generic, aws, cloud-amd64, nvidia-64k; for EL what follows a "+". Kernels of
// different flavors have numbers of their own.
std::string_view flavor(std::string_view release) {
  if (release.find(".el") != std::string_view::npos) {
    const auto plus = release.find('+');
    return plus == std::string_view::npos ? "" : release.substr(plus);
  }
  for (std::size_t at = release.find('-'); at != std::string_view::npos; at = release.find('-', at + 1))
    if (at + 1 < release.size() && letter(release[at + 1]) && !release.substr(at + 1).starts_with("rc"))
      return release.substr(at + 1);
  return {};
}

// The newest installed kernel of the running one's flavor; empty if there is none.
std::string newest_like(const std::string& running, const TextList& installed) {
  std::string newest;
  for (const std::string& release : installed)
    if (flavor(release) == flavor(running) && (newest.empty() || older(newest, release))) newest = release;
  return newest;
}

void running_is_installed(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) {
    const auto running = snapshot.text(host, "kernel.running");
    const auto installed = snapshot.list(host, "kernel.installed");
    if (!running) {
      judgement.unknown(host, running);
      continue;
    }
    if (!installed || running.value->empty()) {
      judgement.unknown(host, installed ? "kernel.running is empty" : installed.gap,
                        {running.observation, installed.observation});
      continue;
    }
    const std::vector<const Observation*> basis{running.observation, installed.observation};
    const std::string newest = newest_like(*running, *installed);
    if (older(*running, newest)) {
      judgement.fail(host, *running, fmt::format("kernel {} is installed but {} is running", newest, *running), basis);
    } else if (std::find(installed.value->begin(), installed.value->end(), *running) == installed.value->end()) {
      judgement.warn(host, *running, fmt::format("kernel {} is running but no longer installed", *running), basis);
    } else {
      judgement.pass(host, *running, "the newest installed kernel of its flavor is running", basis);
    }
  }
}

void uniform(const Snapshot& snapshot, Judgement& judgement) {
  judge_uniform({"kernel.running", "kernel", Status::fail, kind_of_node}, snapshot, judgement);
}

}  // namespace

extern const Family kernel = {
    {"security.kernel-running-is-installed", running_is_installed},
    {"lifecycle.kernel-uniform", uniform},
};

}  // namespace assay::judge::checks
