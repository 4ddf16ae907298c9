// The operating system and its kernel: what runs, what is installed, how it was started, and on which machine.
#include <sys/utsname.h>

#include "base/text.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"os.id", "", "", "ID of os-release: debian, ubuntu, almalinux"},
    {"os.like", "", "", "ID_LIKE of os-release: the families it belongs to"},
    {"os.version", "", "", "VERSION_ID of os-release"},
    {"os.name", "", "", "PRETTY_NAME of os-release"},
    {"os.hostname", "", "", "the host name that the kernel tells"},
    {"kernel.running", "", "", "release of the running kernel, as uname -r prints it"},
    {"kernel.machine", "", "", "machine of the running kernel: x86_64, aarch64"},
    {"kernel.installed", "", "",
     "releases of the installed kernels: folders of /lib/modules that hold modules.dep or a kernel, in natural order"},
    {"kernel.command-line", "", "", "what the running kernel was started with"},
    {"kernel.build", "", "", "how and when the running kernel was built"},
    {"kernel.tainted", "", "", "bits of what may have spoiled the kernel's state; 0: nothing"},
    {"os.uptime", "", "s", "time since the kernel was started"},
    {"hardware.vendor", "", "", "who made the system, as its firmware says"},
    {"hardware.product", "", "", "the system's model, as its firmware says"},
    {"hardware.firmware-version", "", "", "version of the system's firmware (BIOS, UEFI)"},
    {"hardware.firmware-date", "", "", "date of the system's firmware"},
};

std::string unquote(std::string_view value) {
  value = text::trim(value);
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  return std::string(value);
}

void read_release(Host& host, Findings& findings) {
  auto content = host.text("/etc/os-release");
  if (!content) content = host.text("/usr/lib/os-release");
  for (const auto& [key, name] : {std::pair("ID=", "os.id"),
                                  {"ID_LIKE=", "os.like"},
                                  {"VERSION_ID=", "os.version"},
                                  {"PRETTY_NAME=", "os.name"}}) {
    if (!content) {
      findings.absent({}, name, content.error(), "/etc/os-release");
      continue;
    }
    Seen<std::string> value = unseen(Absence::missing, std::string("os-release has no ") + key);
    for (const std::string_view line : text::lines(*content))
      if (line.starts_with(key)) value = unquote(line.substr(std::string_view(key).size()));
    findings.say({}, name, value, "/etc/os-release");
  }
}

void read_running(Host& host, Findings& findings) {
  utsname name{};
  const auto tell = [&](const char* field) {
    return [&name, field]() -> Seen<std::string> {
      if (uname(&name) != 0) return unseen(Absence::malformed, "uname failed");
      return std::string(field);
    };
  };
  findings.say({}, "kernel.running", host.ask("uname release", tell(name.release)), "uname");
  findings.say({}, "kernel.machine", host.ask("uname machine", tell(name.machine)), "uname");
  findings.say({}, "os.hostname",
               host.live() ? host.ask("uname nodename", tell(name.nodename)) : host.line("/etc/hostname"),
               host.live() ? "uname" : "/etc/hostname");
}

void read_installed(Host& host, Findings& findings) {
  const auto folders = host.names("/lib/modules");
  if (!folders) return findings.absent({}, "kernel.installed", folders.error(), "/lib/modules");
  TextList releases;
  if (!host.whole())
    return findings.absent({}, "kernel.installed", host.none("whether /lib/modules holds every kernel is not known"),
                           "/lib/modules");
  for (const std::string& release : *folders) {
    // A removed kernel leaves its folder behind with what others put there.
    const std::string folder = "/lib/modules/" + release;
    if (host.exists(folder + "/modules.dep") || host.exists(folder + "/vmlinuz") ||
        host.exists("/boot/vmlinuz-" + release))
      releases.push_back(release);
  }
  if (releases.empty())
    return findings.absent({}, "kernel.installed", {Absence::missing, "no kernel under /lib/modules"}, "/lib/modules");
  findings.see({}, "kernel.installed", releases, "/lib/modules");
}

void read_uptime(Host& host, Findings& findings) {
  constexpr auto kFile = "/proc/uptime";
  const auto uptime = host.line(kFile).and_then([](const std::string& line) -> Seen<double> {
    const auto seconds = text::decimal(line.substr(0, line.find(' ')));
    if (!seconds) return unseen(Absence::malformed, std::string(kFile) + " doesn't begin with a number");
    return *seconds;
  });
  findings.say({}, "os.uptime", uptime, kFile);
}

void read_hardware(Host& host, Findings& findings) {
  const std::string folder = "/sys/class/dmi/id/";
  for (const auto& [file, name] : {std::pair("sys_vendor", "hardware.vendor"),
                                   {"product_name", "hardware.product"},
                                   {"bios_version", "hardware.firmware-version"},
                                   {"bios_date", "hardware.firmware-date"}})
    findings.say({}, name, host.line(folder + file), folder + file);
}

void read(Host& host, Findings& findings) {
  read_release(host, findings);
  read_running(host, findings);
  read_installed(host, findings);
  findings.say({}, "kernel.command-line", host.line("/proc/cmdline"), "/proc/cmdline");
  findings.say({}, "kernel.build", host.line("/proc/version"), "/proc/version");
  findings.say({}, "kernel.tainted", host.integer("/proc/sys/kernel/tainted"), "/proc/sys/kernel/tainted");
  read_uptime(host, findings);
  read_hardware(host, findings);
}

}  // namespace

extern const Reader os = {"os", "operating system and kernel", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
