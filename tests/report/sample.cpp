#include "sample.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace assay::testing {

namespace {

using catalog::Check;

constexpr std::int64_t kTime = 1'796'000'000'000'000'000;

template <class T>
T need(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

Check check(std::string id, std::string item, std::string severity, std::string title, std::string expected,
            std::string why, std::string fix) {
  Check made;
  made.criterion = id.substr(0, id.find('.'));
  made.item = made.criterion + "." + item;
  made.id = std::move(id);
  made.title = std::move(title);
  made.phase = "audit";
  made.severity = std::move(severity);
  made.privilege = "none";
  made.scope = "node";
  made.expected = std::move(expected);
  made.why = std::move(why);
  made.fix = std::move(fix);
  made.references = {"https://docs.kernel.org/PCI/pci.html"};
  return made;
}

// One thing that a check says, of a node or a part of it, and the values it rests on.
struct Said {
  std::string check, part;  // part: "" for the node, "gpu/0"
  Status status;
  std::string measured, why;
  std::string reader, name;
  std::variant<Value, Absent> seen;
  std::string raw;
};

std::string long_text() {
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += fmt::format("[{:5}.{:06}] pcieport 0000:00:1c.0: probing line {}\n", i, i * 7, i);
  return text;
}

std::vector<Said> kernel_and_pci(int node, bool sound) {
  std::vector<Said> said;
  const bool old = !sound && (node == 2 || node == 3);
  said.push_back(
      {"security.kernel-running-is-installed", "", old ? Status::fail : Status::pass,
       old ? "5.15.0-97-generic" : "5.15.0-113-generic",
       old ? "kernel 5.15.0-113-generic is installed but 5.15.0-97-generic is running"
           : "the newest installed kernel is running",
       "os", "kernel.running", Value(std::string(old ? "5.15.0-97-generic" : "5.15.0-113-generic")),
       "== file /etc/os-release\nNAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\n== uname\nLinux 5.15.0-97-generic x86_64\n"});
  const bool redirects = !sound && node == 1;
  said.push_back({"networking.acs-off-between-gpu-and-nic", "pci/0000:1a:00.0", redirects ? Status::fail : Status::pass,
                  redirects ? "SrcValid+ ReqRedir+ CmpltRedir+" : "SrcValid- ReqRedir- CmpltRedir-",
                  redirects ? "the switch above GPU 0 and mlx5_0 sends their traffic through the root complex"
                            : "GPU 0 and mlx5_0 reach each other below their switch",
                  "pci", "pci.acs", Value(TextList{"SrcValid+", "ReqRedir+", "CmpltRedir+"}),
                  "== config 0000:1a:00.0\n00: b5 11 33 87 07 04 10 00\n" + long_text()});
  said.push_back({"orchestration.transparent-huge-pages", "", !sound && node != 3 ? Status::warn : Status::pass,
                  node != 3 ? "always" : "madvise",
                  node != 3 ? "transparent huge pages are always on" : "applications ask for huge pages themselves",
                  "memory", "memory.thp", Value(std::string(node != 3 ? "always" : "madvise")),
                  "== file /sys/kernel/mm/transparent_hugepage/enabled\n[always] madvise never\n"});
  return said;
}

std::vector<Said> gpus(int node, bool sound) {
  std::vector<Said> said;
  for (int gpu = 0; gpu < 8; ++gpu) {
    const std::string part = fmt::format("gpu/{}", gpu);
    if (!sound && node == 3) {
      said.push_back({"reliability.gpu-row-remap-clean", part, Status::unknown, "",
                      "gpu.row-remap-pending could not be seen (timeout: the reader timed out after 20 s)", "gpu",
                      "gpu.row-remap-pending", Absent{Absence::timeout, "the reader gpu timed out: after 20 s"}, ""});
      continue;
    }
    const bool pending = !sound && node == 2 && gpu == 5;
    said.push_back({"reliability.gpu-row-remap-clean", part, pending ? Status::fail : Status::pass,
                    pending ? "1 pending" : "0 pending",
                    pending ? "GPU 5 waits for a reset to remap a failed memory row" : "no row waits to be remapped",
                    "gpu", "gpu.row-remap-pending", Value(pending),
                    "== nvml\nnvmlDeviceGetRemappedRows(5) = 3 1 1 0\n"});
  }
  return said;
}

std::vector<Said> others(int node, bool sound) {
  std::vector<Said> said;
  const bool shut = sound;
  said.push_back(
      {"security.ipmi-closed", "", shut ? Status::pass : Status::unknown, shut ? "0600 root root" : "",
       shut ? "only root may open /dev/ipmi0" : "device.mode could not be seen (permission: stat /dev/ipmi0)",
       "devices", "device.mode",
       shut ? std::variant<Value, Absent>(Value(std::int64_t{0600}))
            : std::variant<Value, Absent>(Absent{Absence::permission, "stat /dev/ipmi0: Permission denied"}),
       ""});
  said.push_back({"networking.nccl-not-forced", "", Status::pass, "none",
                  "no NCCL_ALGO, NCCL_PROTO or NCCL_MIN_NCHANNELS", "nccl", "nccl.forced", Value(TextList{}),
                  "== environment\n(none)\n"});
  said.push_back({"storage.home-shared", "", Status::pass, "10.0.0.5:/home nfs4", "the same source on every node",
                  "mounts", "mount.source", Value(std::string("10.0.0.5:/home")),
                  "== file /proc/self/mountinfo\n36 35 0:41 / /home rw - nfs4 10.0.0.5:/home rw\n"});
  said.push_back({"networking.ib-port-rate", "hca/mlx5_0/port/1", Status::not_applicable, "",
                  "the node has no InfiniBand", "infiniband", "infiniband.port-count", Value(std::int64_t{0}), ""});
  said.push_back({"reliability.clock-skew", "", Status::pass, fmt::format("{} ms", node), "clocks agree within 5 ms",
                  "clock", "clock.offset", Value(node / 1000.0), ""});
  return said;
}

std::vector<Said> all_said(int node, bool sound) {
  auto said = kernel_and_pci(node, sound);
  for (auto* more : {&gpus, &others})
    for (Said& one : more(node, sound)) said.push_back(std::move(one));
  return said;
}

// The steps of one host that answered.
std::vector<StepResult> steps_of(const Subject& host, const std::vector<Said>& said, const SampleOptions& options) {
  std::map<std::string, StepResult> steps;
  for (const Said& one : said) {
    StepResult& step = steps[one.reader];
    step.key = {host.path(), one.reader};
    const Subject subject = host.join(need(Subject::parse(one.part)));
    auto seen = one.seen;
    if (auto* absent = std::get_if<Absent>(&seen)) {
      if (absent->reason == Absence::timeout) step.detail = absent->detail + options.spice;
      absent->detail += options.spice;
    } else if (auto* text = std::get_if<std::string>(&std::get<Value>(seen))) {
      *text += options.spice;
    } else if (auto* list = std::get_if<TextList>(&std::get<Value>(seen)); list != nullptr && !options.spice.empty()) {
      list->push_back(options.spice);
    }
    step.observations.push_back(
        {0, subject, one.name, seen, "", kTime, one.reader + ": " + one.name + options.spice, ""});
    if (step.raw.empty() && !one.raw.empty()) step.raw = one.raw + options.spice;
  }
  std::vector<StepResult> result;
  for (auto& [reader, step] : steps) result.push_back(std::move(step));
  result.push_back({{host.path(), "agent"},
                    StepState::done,
                    "",
                    {{0, host, "agent.answered", Value(true), "", kTime, "assay", ""}},
                    ""});
  return result;
}

StepResult silent(const Subject& host, const std::string& spice) {
  const std::string detail = "ssh: connect to host n4 port 22: Connection timed out" + spice;
  return {{host.path(), "agent"},
          StepState::failed,
          detail,
          {{0, host, "agent.answered", Absent{Absence::timeout, detail}, "", kTime, "assay", ""}},
          ""};
}

}  // namespace

std::vector<Check> sample_checks(const std::string& spice) {
  std::vector<Check> checks{
      check("networking.acs-off-between-gpu-and-nic", "acs-off", "critical", "ACS is off between GPU and NIC",
            "no request or completion redirect on switches that join a GPU and a NIC (NVIDIA, GPUDirect RDMA guide)",
            "With ACS on, GPU and NIC can't talk below their switch: every byte goes up to the CPU and down again, and "
            "collectives run at a fraction of the fabric's rate.",
            "Turn ACS off on the switch ports in firmware, or by setpci at boot."),
      check("networking.ib-port-rate", "ib-rate", "high", "InfiniBand ports run at their full rate",
            "the rate that the adapter is made for", "A port that came up at a lower rate slows every job on the node.",
            "Reseat or replace the cable."),
      check("networking.nccl-not-forced", "nccl-not-forced", "medium", "NCCL chooses algorithm and protocol by itself",
            "no NCCL_ALGO, NCCL_PROTO or NCCL_MIN_NCHANNELS in the environment (NCCL user guide)",
            "Forced choices are right for one size and wrong for all others.", "Remove them from the environment."),
      check("orchestration.transparent-huge-pages", "sane-defaults", "low",
            "Transparent huge pages are left to applications", "madvise or never",
            "Always-on huge pages make the kernel compact memory at bad moments.",
            "Boot with transparent_hugepage=madvise."),
      check("reliability.clock-skew", "clocks", "medium", "Clocks of the nodes agree", "within 5 ms of each other",
            "Logs of a failed job can't be put in order otherwise.", "Run chrony on every node."),
      check("reliability.gpu-row-remap-clean", "gpu-health", "high", "No GPU waits to remap a memory row",
            "no pending and no failed row remap (NVIDIA GPU memory error management)",
            "A row that failed stays in use until the GPU is reset; the next error may end a job.",
            "Drain the node and reset the GPU."),
      check("security.ipmi-closed", "bmc-unreachable", "critical", "The BMC's host interface is closed to users",
            "no /dev/ipmi0, or root alone may open it",
            "Who can speak to the BMC can change firmware and outlive the tenancy.", "Remove the ipmi_devintf module."),
      check("security.kernel-running-is-installed", "kernel-running-is-installed", "high",
            "The newest installed kernel is the one that runs", "the newest kernel under /lib/modules is running",
            "A kernel that was updated but not booted protects nobody; its holes stay open until the reboot.",
            "Drain the node and reboot it into the installed kernel."),
      check("storage.home-shared", "home", "high", "Home is the same file system on every node",
            "one source for /home on all nodes", "Jobs that find another home than the login node's fail in odd ways.",
            "Mount the same export everywhere."),
  };
  for (Check& one : checks)
    for (std::string* text : {&one.title, &one.expected, &one.why, &one.fix}) *text += spice;
  return checks;
}

void write_sample(const std::filesystem::path& folder, const SampleOptions& options) {
  const Subject cluster = Subject().child("cluster", "acme" + options.spice);
  nlohmann::json plan = nlohmann::json::array();
  std::vector<StepResult> steps;
  std::vector<std::pair<Subject, std::vector<Said>>> hosts;
  for (int node = 1; node <= options.nodes; ++node) {
    const Subject host = cluster.child("node", fmt::format("n{}", node) + options.spice);
    plan.push_back({{"node", fmt::format("n{}", node)}, {"path", host.path()}, {"unreachable", ""}, {"login", false}});
    if (node == 4 && !options.sound) {
      steps.push_back(silent(host, options.spice));
      hosts.emplace_back(host, std::vector<Said>{});
      continue;
    }
    hosts.emplace_back(host, all_said(node, options.sound));
    for (StepResult& step : steps_of(host, hosts.back().second, options)) steps.push_back(std::move(step));
  }
  Store store =
      need(Store::create(folder, {{"assay.version", "0.1.0"},
                                  {"cluster", cluster.path()},
                                  {"started", "2026-12-01T03:00:00Z"},
                                  {"ended", "2026-12-01T03:00:14Z"},
                                  {"target", "ssh n1,n2,n3,n4" + options.spice},
                                  {"plan.json", plan.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)}}));
  if (const auto done = store.record(steps); !done) throw std::runtime_error(done.error().message());
  std::map<std::pair<std::string, std::string>, std::int64_t> ids;
  for (const Observation& o : need(store.observations())) ids[{o.subject.path(), o.name}] = o.id;
  std::vector<Verdict> verdicts;
  std::map<std::string, Check> texts;
  for (const Check& one : sample_checks(options.spice)) texts.emplace(one.id, one);
  for (const auto& [host, said] : hosts) {
    if (said.empty())
      for (const auto& [id, text] : texts)
        verdicts.push_back({id,
                            host,
                            Status::unknown,
                            "",
                            text.expected,
                            "the node did not answer" + options.spice,
                            "",
                            {ids.at({host.path(), "agent.answered"})}});
    for (const Said& one : said) {
      const Subject subject = host.join(need(Subject::parse(one.part)));
      const bool short_of = one.status == Status::fail || one.status == Status::warn;
      verdicts.push_back({one.check,
                          subject,
                          one.status,
                          one.measured + (one.measured.empty() ? "" : options.spice),
                          texts.at(one.check).expected,
                          one.why + options.spice,
                          short_of ? texts.at(one.check).fix : "",
                          {ids.at({subject.path(), one.name})}});
    }
  }
  if (const auto done = store.set_verdicts(verdicts); !done) throw std::runtime_error(done.error().message());
}

rating::Rating sample_rating(const SampleOptions& options) {
  const auto item = [&](std::string id, std::string title, const char* how, Status status, double seen,
                        std::vector<std::string> checks) {
    return rating::ItemScore{std::move(id),
                             title + options.spice,
                             {how},
                             false,
                             1,
                             {seen / 2, 1},
                             status,
                             seen,
                             std::move(checks),
                             "two of three nodes" + options.spice};
  };
  struct Row {
    const char *id, *title;
    double weight, low, high, seen;
  };
  const std::vector<Row> rows{{"security", "Security", 18, .38, .86, .41},
                              {"lifecycle", "Lifecycle", 8, 0, 1, 0},
                              {"orchestration", "Orchestration", 14, .58, .9, .6},
                              {"storage", "Storage", 10, .7, .95, .7},
                              {"networking", "Networking", 14, .22, .74, .55},
                              {"reliability", "Reliability", 14, .4, .88, .5},
                              {"monitoring", "Monitoring", 8, 0, 1, 0},
                              {"pricing", "Pricing", 6, 0, 1, 0},
                              {"partnerships", "Partnerships", 3, 0, 1, 0},
                              {"availability", "Availability", 5, 0, 1, 0}};
  const bool sound = options.sound;
  rating::Rating rating;
  for (const Row& row : rows) {
    std::vector<rating::ItemScore> items;
    for (const Check& one : sample_checks(options.spice))
      if (one.criterion == row.id)
        items.push_back(item(one.item, one.title, "audit", Status::fail, row.seen, {one.id}));
    items.push_back(item(std::string(row.id) + ".told", "What the provider tells", "asked", Status::unknown, 0, {}));
    rating.criteria.push_back(
        {row.id, row.title + options.spice, row.weight, true, {row.low, row.high}, row.seen, std::move(items)});
  }
  rating.rubric = "managed-cluster/1";
  rating.summary = "words" + options.spice;
  rating.tier = sound ? "Gold" : "";
  rating.tier_low = sound ? "Gold" : "Underperforming";
  rating.tier_high = sound ? "Platinum" : "Silver";
  rating.score = sound ? rating::Interval{.83, .95} : rating::Interval{.31, .78};
  rating.seen = sound ? .88 : .34;
  rating.minimum = .6;
  rating.gates = {{"attested",
                   {"security.attestation-soc2"},
                   sound ? Status::pass : Status::unknown,
                   "nobody outside has looked at how the provider keeps customers' data" + options.spice},
                  {"gpudirect",
                   {"networking.acs-off"},
                   sound ? Status::pass : Status::fail,
                   "traffic between GPU and NIC goes through the CPU" + options.spice}};
  rating.closes = {
      {"security.attestation-soc2", "A SOC 2 report is there" + options.spice, "document",
       "ask the provider and keep the document", .02, true},
      {"security.bmc-unreachable", "The BMC can't be reached" + options.spice, "root", "run as root", .03, false}};
  return rating;
}

report::Report sample_report(const std::filesystem::path& folder, const SampleOptions& options) {
  write_sample(folder, options);
  const Store store = need(Store::open_for_reading(folder));
  return need(report::gather(store, Snapshot(need(store.observations())), sample_checks(options.spice),
                             need(store.verdicts()), sample_rating(options)));
}

}  // namespace assay::testing
