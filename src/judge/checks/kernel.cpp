// The kernel that runs against the kernels that are installed.
#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/check.hpp"

namespace assay::judge::checks {

namespace {

void running_is_installed(const Snapshot& snapshot, Judgement& judgement) {
  for (const Subject& host : snapshot.hosts()) {
    const auto running = snapshot.text(host, "kernel.running");
    const auto installed = snapshot.list(host, "kernel.installed");
    if (!running) {
      judgement.unknown(host, running);
    } else if (!installed) {
      judgement.unknown(host, installed);
    } else if (text::natural_less(*running, installed.value->back())) {
      judgement.fail(host, *running,
                     fmt::format("kernel {} is installed but {} is running", installed.value->back(), *running),
                     {running.observation, installed.observation});
    } else {
      judgement.pass(host, *running, "the newest installed kernel is running",
                     {running.observation, installed.observation});
    }
  }
}

}  // namespace

extern const Family kernel = {{"security.kernel-running-is-installed", running_is_installed}};

}  // namespace assay::judge::checks
