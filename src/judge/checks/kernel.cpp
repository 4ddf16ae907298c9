// The kernel that runs: against the kernels that are installed, and against the other nodes'.
#include <fmt/format.h>

#include <algorithm>

#include "judge/findings.hpp"
#include "judge/uniform.hpp"
#include "version/order.hpp"

namespace assay::judge::checks {

namespace {

using version::Order;
using version::Scheme;

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

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

// The newest installed kernel of the running one's flavor that is newer than it; empty if none is. Two that can't be
// put in order are a gap.
std::string newer_than(const std::string& running, const TextList& installed, Findings& found) {
  std::string newest;
  for (const std::string& release : installed) {
    if (release == running || flavor(release) != flavor(running)) continue;
    const Order order = version::compare(Scheme::kernel, running, release);
    if (order == Order::incomparable)
      found.gap(fmt::format("which of {} and {} is newer can't be told", running, release));
    if (order != Order::less) continue;
    if (newest.empty() || version::compare(Scheme::kernel, newest, release) == Order::less) newest = release;
  }
  return newest;
}

void judge_running(const Subject& host, const Reading<std::string>& running, const Reading<TextList>& installed,
                   Judgement& judgement) {
  Findings found;
  found.rest_on({running.observation, installed.observation});
  if (const std::string newest = newer_than(*running, *installed, found); !newest.empty())
    found.fail(*running, fmt::format("kernel {} is installed but {} is running", newest, *running));
  if (std::find(installed.value->begin(), installed.value->end(), *running) == installed.value->end())
    found.warn(*running, fmt::format("kernel {} is running but no longer installed", *running));
  found.say(host, {Status::pass, *running, "the newest installed kernel of its flavor is running"}, judgement);
}

void running_is_installed(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) {
    const auto running = snapshot.text(host, "kernel.running");
    const auto installed = snapshot.list(host, "kernel.installed");
    if (!running) {
      judgement.unknown(host, running);
    } else if (!installed || running.value->empty()) {
      judgement.unknown(host, installed ? "kernel.running is empty" : installed.gap,
                        {running.observation, installed.observation});
    } else {
      judge_running(host, running, installed, judgement);
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
