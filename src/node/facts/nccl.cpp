// What NCCL is told by this machine, place by place: its configuration files, the environment that logins and jobs get,
// and the environment of this very session. Which place wins is judged later.
#include <fmt/format.h>

#include "base/text.hpp"
#include "node/facts/nccl_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"nccl.conf", "", "", "settings of /etc/nccl.conf, as NCCL reads it"},
    {"nccl.user-conf", "", "", "settings of this user's NCCL_CONF_FILE or ~/.nccl.conf"},
    {"nccl.environment", "", "", "NCCL_* and RCCL_* in the environment of this session"},
    {"nccl.system-environment", "", "", "NCCL_* and RCCL_* in /etc/environment"},
    {"nccl.profile", "", "", "NCCL_* and RCCL_* that /etc/profile and /etc/profile.d set for logins"},
};

Seen<Record> parsed(Host& host, const std::string& file, Record (*parse)(std::string_view)) {
  return host.text(file).map([&](const std::string& text) { return parse(text); });
}

Seen<std::string> user_conf(Host& host) {
  if (const auto file = host.environment("NCCL_CONF_FILE"); file && !file->empty()) return *file;
  return host.environment("HOME").map([](const std::string& home) { return home + "/.nccl.conf"; });
}

// Unrecorded but for our own variables: an environment may hold secrets.
Seen<Record> session(Host& host) {
  if (!host.live()) return unseen(Absence::unsupported, "a folder tree has no environment");
  auto settings = host.text("/proc/self/environ", 1u << 20, false).map([](const std::string& bytes) {
    return nccl::parse_environ(bytes);
  });
  if (settings) host.note("NCCL_* of the environment", to_text(Value(*settings)) + "\n");
  return settings;
}

Seen<Record> profile(Host& host) {
  std::vector<std::string> files = {"/etc/profile"};
  const auto names = host.names("/etc/profile.d");
  if (!names && names.error().reason != Absence::missing) return tl::unexpected(names.error());
  for (const std::string& name : names.value_or(std::vector<std::string>()))
    if (name.ends_with(".sh")) files.push_back("/etc/profile.d/" + name);
  Record settings;
  for (const std::string& file : files) {
    const auto found = parsed(host, file, nccl::parse_shell);
    if (!found && found.error().reason != Absence::missing) return tl::unexpected(found.error());
    for (const auto& [name, value] : found.value_or(Record())) settings[name] = value;
  }
  return settings;
}

void read(Host& host, Findings& findings) {
  findings.say({}, "nccl.conf", parsed(host, "/etc/nccl.conf", nccl::parse_conf), "/etc/nccl.conf");
  const auto file = user_conf(host);
  findings.say({}, "nccl.user-conf",
               file.and_then([&](const std::string& path) { return parsed(host, path, nccl::parse_conf); }),
               file.value_or("~/.nccl.conf"));
  findings.say({}, "nccl.environment", session(host), "/proc/self/environ");
  findings.say({}, "nccl.system-environment", parsed(host, "/etc/environment", nccl::parse_shell), "/etc/environment");
  findings.say({}, "nccl.profile", profile(host), "/etc/profile.d");
}

}  // namespace

extern const Reader nccl = {"nccl", "settings of NCCL", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
