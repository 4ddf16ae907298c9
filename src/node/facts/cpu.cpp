// The processors: what they are, how many, how their clocks are governed, and what the kernel says of their flaws.
#include "node/facts/cpu_detail.hpp"

#include <fmt/format.h>

#include <set>

#include "base/text.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"cpu.model", "", "", "model name; on Arm the implementer's and part's numbers"},
    {"cpu.microcode", "", "", "revision of the loaded microcode"},
    {"cpu.guest", "", "", "whether the CPU says that a hypervisor runs it"},
    {"cpu.sockets", "", "1", "processor packages"},
    {"cpu.cores", "", "1", "physical cores"},
    {"cpu.threads", "", "1", "logical CPUs that are online"},
    {"cpu.smt", "", "", "simultaneous multithreading as the kernel controls it: on, off, forceoff, notsupported, …"},
    {"cpu.governors", "", "", "the distinct frequency governors of all CPUs"},
    {"cpu.frequency-drivers", "", "", "the distinct frequency drivers of all CPUs"},
    {"cpu.energy-preferences", "", "", "the distinct energy-performance preferences of all CPUs"},
    {"numa.nodes", "", "1", "NUMA nodes that are online, those of GPUs' memory included"},
    {"numa.cpu-nodes", "", "1", "NUMA nodes that have CPUs"},
    {"cpu.vulnerabilities", "", "", "names of the CPU flaws of which the kernel tells the state"},
    {"vulnerability.state", "vulnerability", "", "the kernel's word on one CPU flaw"},
};

constexpr auto kInfo = "/proc/cpuinfo";
const std::string kCpus = "/sys/devices/system/cpu";

// x86 tells packages and cores in cpuinfo; elsewhere each CPU's own folder does.
void complete_topology(Host& host, CpuInfo& info) {
  const auto entries = host.names(kCpus);
  if (!entries || info.sockets) return;
  std::set<std::string> sockets, cores;
  for (const std::string& entry : *entries) {
    if (!entry.starts_with("cpu") || !text::integer(std::string_view(entry).substr(3))) continue;
    const std::string folder = kCpus + "/" + entry + "/topology/";
    const auto socket = host.text(folder + "physical_package_id", 64, false);
    const auto core = host.text(folder + "core_id", 64, false);
    if (!socket || !core) continue;  // a CPU that is offline has no topology
    sockets.insert(*socket);
    cores.insert(*socket + "/" + *core);
  }
  if (cores.empty()) return;
  info.sockets = static_cast<std::int64_t>(sockets.size());
  info.cores = static_cast<std::int64_t>(cores.size());
}

template <class T>
Seen<T> told(const std::optional<T>& value, const char* what) {
  if (value) return *value;
  return unseen(Absence::unsupported, std::string("this kernel doesn't tell ") + what);
}

void read_info(Host& host, Findings& findings) {
  const auto content = host.text(kInfo, 8u << 20, false);  // 2 KB a CPU, all alike: the first is recorded
  auto info = content.and_then([](const std::string& text) { return parse_cpuinfo(text); });
  if (content) host.note("excerpt /proc/cpuinfo: the first CPU", content->substr(0, content->find("\n\n") + 1));
  if (info) complete_topology(host, *info);
  const auto say = [&](const char* name, const auto& field) {
    if (!info) return findings.absent({}, name, info.error(), kInfo);
    findings.say({}, name, field(*info), kInfo);
  };
  const auto text_or_none = [](const std::string& value, const char* what) -> Seen<std::string> {
    if (!value.empty()) return value;
    return unseen(Absence::unsupported, std::string("this kernel doesn't tell ") + what);
  };
  say("cpu.model", [&](const CpuInfo& i) { return text_or_none(i.model, "the model"); });
  say("cpu.microcode", [&](const CpuInfo& i) { return text_or_none(i.microcode, "the microcode"); });
  say("cpu.guest", [](const CpuInfo& i) { return told(i.guest, "whether a hypervisor is there"); });
  say("cpu.sockets", [](const CpuInfo& i) { return told(i.sockets, "the packages"); });
  say("cpu.cores", [](const CpuInfo& i) { return told(i.cores, "the cores"); });
  say("cpu.threads", [](const CpuInfo& i) { return Seen<std::int64_t>(i.threads); });
}

void read_numa(Host& host, Findings& findings) {
  for (const auto& [file, name] : {std::pair("/sys/devices/system/node/online", "numa.nodes"),
                                   std::pair("/sys/devices/system/node/has_cpu", "numa.cpu-nodes")})
    findings.say({}, name, host.line(file).and_then([](const std::string& list) { return count_in_list(list); }), file);
}

// The folder of each CPU's frequency policy: cpufreq/policyN, or cpuN/cpufreq where a tree has kept only that.
Seen<TextList> policy_folders(Host& host) {
  TextList found;
  for (const std::string& entry : host.names(kCpus + "/cpufreq").value_or(TextList()))
    if (entry.starts_with("policy")) found.push_back("cpufreq/" + entry);
  if (!found.empty()) return found;
  const auto entries = host.names(kCpus);
  if (!entries) return tl::unexpected(entries.error());
  for (const std::string& entry : *entries)
    if (host.exists(kCpus + "/" + entry + "/cpufreq/scaling_governor")) found.push_back(entry + "/cpufreq");
  if (found.empty()) return tl::unexpected(host.none("no frequency policy under " + kCpus));
  return found;
}

// One attribute of every policy. There may be one a CPU, so only what is distinct is recorded.
Seen<TextList> distinct(Host& host, const TextList& policies, const std::string& attribute) {
  std::set<std::string> values;
  for (const std::string& policy : policies) {
    const auto value = host.text(kCpus + "/" + policy + "/" + attribute, 4096, false);
    if (!value) return tl::unexpected(value.error());
    values.emplace(text::trim(*value));
  }
  host.note(fmt::format("excerpt {} of {} policies, {} and on", attribute, policies.size(), policies.front()),
            fmt::format("{}\n", fmt::join(values, "\n")));
  return TextList(values.begin(), values.end());
}

void read_frequency(Host& host, Findings& findings) {
  const auto policies = policy_folders(host);
  for (const auto& [name, attribute] :
       {std::pair("cpu.governors", "scaling_governor"), std::pair("cpu.frequency-drivers", "scaling_driver"),
        std::pair("cpu.energy-preferences", "energy_performance_preference")})
    findings.say({}, name,
                 policies.and_then([&, file = attribute](const TextList& all) { return distinct(host, all, file); }),
                 kCpus + "/cpufreq/*/" + attribute);
}

void read_vulnerabilities(Host& host, Findings& findings) {
  const std::string folder = kCpus + "/vulnerabilities";
  const auto names = host.names(folder);
  for (const std::string& name : names.value_or(TextList())) {
    const std::string file = folder + "/" + name;
    findings.say(Subject().child("vulnerability", name), "vulnerability.state", host.line(file), file);
  }
  findings.say({}, "cpu.vulnerabilities", names, folder);
}

void read(Host& host, Findings& findings) {
  read_info(host, findings);
  read_numa(host, findings);
  findings.say({}, "cpu.smt", host.line(kCpus + "/smt/control"), kCpus + "/smt/control");
  read_frequency(host, findings);
  read_vulnerabilities(host, findings);
}

}  // namespace

extern const Reader cpu = {"cpu", "processors, NUMA, frequency governors and CPU flaws", std::chrono::seconds(5),
                           kEmits, read};

}  // namespace assay::node::facts
