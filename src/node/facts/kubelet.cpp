// The kubelet's own doors: who it lets in without a name, and its read-only port. Flags of the running process win over
// its config file, as they do for the kubelet itself.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/text.hpp"
#include "node/facts/processes_detail.hpp"
#include "node/facts/yaml_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"kubelet.present", "", "", "does a kubelet run, or has it a config file here?"},
    {"kubelet.config", "", "", "its config file"},
    {"kubelet.anonymous-auth", "", "", "are requests without credentials let in?"},
    {"kubelet.authorization-mode", "", "", "Webhook, or AlwaysAllow: everybody let in may do everything"},
    {"kubelet.read-only-port", "", "1", "port that tells everything about pods to anybody; 0 is off"},
};

constexpr auto kDefaultConfig = "/var/lib/kubelet/config.yaml";

using Words = std::map<std::string, std::string>;

// "--read-only-port=0" and "--read-only-port", "0" alike.
Words flags_of(std::string_view command_line) {
  Words flags;
  const auto arguments = text::split(command_line, '\0');
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with("--")) continue;
    const auto flag = arguments[i].substr(2);
    const auto equals = flag.find('=');
    if (equals != std::string_view::npos) {
      flags[std::string(flag.substr(0, equals))] = flag.substr(equals + 1);
    } else {
      const bool has_value = i + 1 < arguments.size() && !arguments[i + 1].empty() && arguments[i + 1][0] != '-';
      flags[std::string(flag)] = has_value ? std::string(arguments[i + 1]) : "true";
    }
  }
  return flags;
}

// Anybody may call a process "kubelet"; whoever unpacked a folder tree owns all of it.
bool trusted(Host& host, const Process& process) {
  const auto status = host.status(fmt::format("/proc/{}", process.pid));
  return !host.live() || (status && status->uid == 0);
}

// No flags where none runs; unseen where that can't be told: processes are hidden, or it runs inside another program.
Seen<std::optional<Words>> running_flags(Host& host) {
  const auto running = processes(host);
  if (!running && host.live()) return tl::unexpected(running.error());
  Seen<std::optional<Words>> found = std::nullopt;
  for (const Process& process : running.value_or(std::vector<Process>())) {
    const bool within = process.name.starts_with("k3s") || process.name == "kubelite";
    if (process.name != "kubelet" && !within) continue;
    if (!trusted(host, process)) {
      found = unseen(Absence::permission, fmt::format("process {} calls itself {} and is not root's: its flags are not "
                                                      "believed",
                                                      process.pid, process.name));
    } else if (within) {
      found = unseen(Absence::unsupported, process.name + " has its kubelet inside itself: its settings are not read");
    } else if (const auto line = host.text(fmt::format("/proc/{}/cmdline", process.pid))) {
      return flags_of(*line);
    } else if (line.error().reason != Absence::missing) {
      found = tl::unexpected(line.error());
    }
  }
  return found;
}

// What a flag names is read and recorded: only what looks like a kubelet's config is.
Seen<std::string> config_text(Host& host, const std::string& path) {
  for (const auto ending : {".yaml", ".yml", ".conf", ".json"})
    if (path.starts_with('/') && path.ends_with(ending)) return host.text(path);
  return unseen(Absence::malformed,
                fmt::format("--config={} is no path of a .yaml, .yml, .conf or .json file", text::to_utf8(path, 200)));
}

// A flag, or else the file's word; where neither says anything, the default of a config file (which is the safe one) or
// of bare flags (which isn't).
struct Source {
  const Words& flags;
  const Seen<Words>& file;
  bool has_file;

  Seen<std::string> get(const std::string& flag, const std::string& key, const char* with_file,
                        const char* without) const {
    if (const auto found = flags.find(flag); found != flags.end()) return found->second;
    if (!has_file) return std::string(without);
    if (!file) return tl::unexpected(file.error());
    const auto found = file->find(key);
    return found == file->end() ? std::string(with_file) : found->second;
  }
};

Seen<bool> as_bool(const std::string& word) {
  if (word == "true" || word == "false") return word == "true";
  return unseen(Absence::malformed, fmt::format("\"{}\" is neither true nor false", text::to_utf8(word, 40)));
}

Seen<std::int64_t> as_port(const std::string& word) {
  const auto port = text::integer(word);
  if (!port || *port < 0 || *port > 65535)
    return unseen(Absence::malformed, fmt::format("\"{}\" is no port", text::to_utf8(word, 40)));
  return *port;
}

// Whether there is one may be known even so: then kubelet.present has been said.
void say_none(Findings& findings, const Absent& why, bool presence_too) {
  for (const Emits& each : kEmits)
    if (presence_too || each.name != "kubelet.present") findings.absent({}, each.name, why, kDefaultConfig);
}

void read(Host& host, Findings& findings) {
  const auto running = running_flags(host);
  const Words flags = running ? running->value_or(Words()) : Words();
  const auto named = flags.find("config");
  const std::string path = named == flags.end() ? kDefaultConfig : named->second;
  const auto text = config_text(host, path);
  const bool has_file = named != flags.end() || text || text.error().reason != Absence::missing;
  if (!running && !has_file) return say_none(findings, running.error(), true);
  const bool runs = running && running->has_value();
  if (!runs && !has_file && !host.exists("/var/lib"))
    return say_none(findings, {Absence::unsupported, "this folder tree has no /var/lib"}, true);
  const bool present = runs || has_file;
  findings.see({}, "kubelet.present", present, "/proc, " + path);
  if (!present) return say_none(findings, text.error(), false);
  if (!running) return say_none(findings, running.error(), false);  // flags would win over the file
  const auto file = text.and_then([](const std::string& content) { return parse_yaml_settings(content); });
  findings.say({}, "kubelet.config", file.map([&](const Words&) { return path; }), path);
  const Source source{flags, file, has_file};
  findings.say({}, "kubelet.anonymous-auth",
               source.get("anonymous-auth", "authentication.anonymous.enabled", "false", "true").and_then(as_bool),
               path);
  findings.say({}, "kubelet.authorization-mode",
               source.get("authorization-mode", "authorization.mode", "Webhook", "AlwaysAllow"), path);
  findings.say({}, "kubelet.read-only-port",
               source.get("read-only-port", "readOnlyPort", "0", "10255").and_then(as_port), path);
}

}  // namespace

extern const Reader kubelet = {"kubelet", "the kubelet's settings", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
