// What one process may take: the limits that this one got the way it was started (ssh, Slurm), and what login sessions
// are given by pam_limits.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "node/facts/limits_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"limits.uid", "", "", "the user whose limits these are: the one that Assay runs as here"},
    {"limits.memlock-soft", "", "", "memory that may be locked, in bytes, or unlimited"},
    {"limits.memlock-hard", "", "", "what it may be raised to, in bytes, or unlimited"},
    {"limits.nofile-soft", "", "", "files that may be open, or unlimited"},
    {"limits.nofile-hard", "", "", "what it may be raised to, or unlimited"},
    {"limits.memlock-configured", "", "",
     "memlock entries of limits.conf and limits.d in the order in which they take effect: domain type value"},
};

std::string words_of(rlim_t limit) { return limit == RLIM_INFINITY ? "unlimited" : fmt::format("{}", limit); }

void read_own(Host& host, Findings& findings) {
  findings.say({}, "limits.uid",
               host.ask("geteuid", []() -> Seen<std::string> { return fmt::format("{}", geteuid()); }), "geteuid");
  const auto say = [&](const char* name, auto resource, bool hard) {
    const auto answer = host.ask(name, [&]() -> Seen<std::string> {
      rlimit limit{};
      if (getrlimit(resource, &limit) != 0) return unseen(Absence::unsupported, "getrlimit failed");
      return words_of(hard ? limit.rlim_max : limit.rlim_cur);
    });
    findings.say({}, name, answer, "getrlimit");
  };
  say("limits.memlock-soft", RLIMIT_MEMLOCK, false);
  say("limits.memlock-hard", RLIMIT_MEMLOCK, true);
  say("limits.nofile-soft", RLIMIT_NOFILE, false);
  say("limits.nofile-hard", RLIMIT_NOFILE, true);
}

void add_entries(const std::string& text, TextList& found) {
  for (const LimitEntry& entry : parse_limits(text))
    if (entry.item == "memlock") found.push_back(fmt::format("{} {} {}", entry.domain, entry.type, entry.value));
}

// limits.conf first, then limits.d in the order of bytes: a later entry wins.
void read_configured(Host& host, Findings& findings) {
  constexpr auto kName = "limits.memlock-configured";
  constexpr auto kFolder = "/etc/security/limits.d";
  TextList found;
  const auto main = host.text("/etc/security/limits.conf");
  if (!main && main.error().reason != Absence::missing) return findings.absent({}, kName, main.error());
  if (main) add_entries(*main, found);
  auto names = host.names(kFolder);
  if (!names && names.error().reason != Absence::missing) return findings.absent({}, kName, names.error());
  if (!main && !names) return findings.absent({}, kName, main.error());
  if (names) std::sort(names->begin(), names->end());
  for (const std::string& name : names.value_or(TextList())) {
    if (!name.ends_with(".conf")) continue;
    const auto text = host.text(std::string(kFolder) + "/" + name);
    if (!text) return findings.absent({}, kName, text.error());
    add_entries(*text, found);
  }
  findings.see({}, kName, found, "/etc/security/limits.conf, limits.d");
}

void read(Host& host, Findings& findings) {
  read_own(host, findings);
  read_configured(host, findings);
}

}  // namespace

extern const Reader limits = {"limits", "limits of processes", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
