// The node's clock: what it says, what it is made of, and whether anything keeps it right. How far it is from other
// nodes' clocks is for whoever talks to all of them to measure.
#include <fmt/format.h>
#include <sys/timex.h>
#include <time.h>

#include <cerrno>

#include "base/text.hpp"
#include "node/facts/clock_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"clock.now", "", "ns", "the node's time when it was read, since 1970 UTC"},
    {"clock.counter", "", "", "the hardware counter that the kernel keeps time with: tsc, arch_sys_counter, hpet"},
    {"clock.kernel-synchronized", "", "", "whether the kernel has been told that its clock is kept right"},
    {"clock.kernel-maximum-error", "", "s", "how far off the kernel's clock may be at most"},
    {"clock.kernel-estimated-error", "", "s", "how far off it is thought to be"},
    {"clock.daemons", "", "", "programs that keep the clock, of chronyd, ntpd and systemd-timesyncd, that run"},
    {"clock.chrony-leap", "", "", "chrony's state: Normal, Insert second, Delete second, Not synchronised"},
    {"clock.chrony-reference", "", "", "id of the source that chrony follows, in hex; 7F7F0101 is its own clock"},
    {"clock.chrony-server", "", "", "name or address of that source"},
    {"clock.chrony-stratum", "", "1", "steps from a reference clock"},
    {"clock.chrony-correction", "", "s", "what chrony has yet to correct; positive where the clock is slow"},
    {"clock.chrony-root-distance", "", "s", "how far off the clock may be: half of the root delay and the dispersion"},
    {"clock.timesyncd-synchronized", "", "", "whether systemd-timesyncd has set the clock since boot"},
};

double seconds_of(long microseconds) { return static_cast<double>(microseconds) / 1e6; }

void read_kernel(Host& host, Findings& findings) {
  const auto now = host.ask("clock_gettime", []() -> Seen<std::string> {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return fmt::format("{}{:09}", time.tv_sec, time.tv_nsec);
  });
  findings.say({}, "clock.now", now.map([](const std::string& ns) { return text::integer(ns).value_or(0); }),
               "clock_gettime");
  timex state{};
  const auto answer = host.ask("adjtimex", [&]() -> Seen<std::string> {
    const int result = adjtimex(&state);
    if (result < 0)
      return unseen(errno == EPERM ? Absence::permission : Absence::unsupported, "adjtimex: " + errno_words(errno));
    return fmt::format("state {} status {:#06x} offset {} maxerror {} esterror {}", result, state.status, state.offset,
                       state.maxerror, state.esterror);
  });
  const auto told = [&](auto value) { return answer.map([&](const std::string&) { return value; }); };
  findings.say({}, "clock.kernel-synchronized", told((state.status & STA_UNSYNC) == 0), "adjtimex");
  findings.say({}, "clock.kernel-maximum-error", told(seconds_of(state.maxerror)), "adjtimex");
  findings.say({}, "clock.kernel-estimated-error", told(seconds_of(state.esterror)), "adjtimex");
  const auto counter = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  findings.say({}, "clock.counter", host.line(counter), counter);
}

// A process number in a file is that program's only if a process of its name has it.
bool runs(Host& host, const std::string& pid_file, std::string_view program) {
  const auto pid = host.integer(pid_file);
  return pid && host.line(fmt::format("/proc/{}/comm", *pid)).value_or("") == program;
}

void read_daemons(Host& host, Findings& findings) {
  constexpr auto kFrom = "/run/*.pid, /run/systemd/timesync";
  if (!host.live())
    return findings.absent({}, "clock.daemons", {Absence::unsupported, "a folder tree runs no programs"}, kFrom);
  TextList running;
  if (runs(host, "/run/chrony/chronyd.pid", "chronyd") || runs(host, "/run/chronyd.pid", "chronyd"))
    running.emplace_back("chronyd");
  if (runs(host, "/run/ntpd.pid", "ntpd")) running.emplace_back("ntpd");
  if (host.exists("/run/systemd/timesync")) running.emplace_back("systemd-timesyncd");
  findings.see({}, "clock.daemons", running, kFrom);
}

void read_timesyncd(Host& host, Findings& findings) {
  constexpr auto kName = "clock.timesyncd-synchronized";
  const std::string folder = "/run/systemd/timesync";
  if (const auto status = host.status(folder); !status) return findings.absent({}, kName, status.error(), folder);
  findings.see({}, kName, host.exists(folder + "/synchronized"), folder + "/synchronized");
}

Seen<Tracking> ask_chrony(Host& host) {
  return host.run({"chronyc", "-c", "tracking"}, {std::chrono::seconds(3), 64u << 10})
      .and_then([](const process::Output& output) -> Seen<Tracking> {
        if (output.status == 0) return parse_tracking(output.out);
        const auto words = text::to_utf8(text::trim(output.out.empty() ? output.err : output.out), 200);
        const bool silent = words.starts_with("506");  // "506 Cannot talk to daemon"
        return unseen(silent ? Absence::missing : Absence::malformed, "chronyc -c tracking: " + words);
      });
}

void read_chrony(Host& host, Findings& findings) {
  const auto tracking = ask_chrony(host);
  const auto say = [&](const char* name, const auto& field) {
    findings.say({}, name, tracking.map([&](const Tracking& t) { return field(t); }), "chronyc -c tracking");
  };
  say("clock.chrony-leap", [](const Tracking& t) { return t.leap; });
  say("clock.chrony-reference", [](const Tracking& t) { return t.reference; });
  say("clock.chrony-server", [](const Tracking& t) { return t.server; });
  say("clock.chrony-stratum", [](const Tracking& t) { return t.stratum; });
  say("clock.chrony-correction", [](const Tracking& t) { return t.correction; });
  say("clock.chrony-root-distance", [](const Tracking& t) { return t.root_delay / 2 + t.root_dispersion; });
}

void read(Host& host, Findings& findings) {
  read_kernel(host, findings);
  read_daemons(host, findings);
  read_timesyncd(host, findings);
  read_chrony(host, findings);
}

}  // namespace

extern const Reader clock = {"clock", "time, and who keeps it", std::chrono::seconds(8), kEmits, read};

}  // namespace assay::node::facts
