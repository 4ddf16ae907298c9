// What NCCL is told by this machine, place by place: its configuration files, the environment that logins and jobs get,
// and the environment of this very session. Which place wins is judged later.
#include <functional>
#include <optional>
#include <tuple>

#include "node/facts/nccl_detail.hpp"
#include "node/facts/nccl_shell_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

using nccl::parse_environment;
using nccl::parse_pam_env;
using nccl::ShellReader;
using nccl::ShellSettings;

constexpr Emits kEmits[] = {
    {"nccl.conf", "", "", "settings of /etc/nccl.conf, as NCCL reads it"},
    {"nccl.user-conf", "", "", "settings of this user's NCCL_CONF_FILE or ~/.nccl.conf"},
    {"nccl.environment", "", "", "NCCL_* and RCCL_* in the environment of this session"},
    {"nccl.system-environment", "", "", "NCCL_* and RCCL_* in /etc/environment, pam_env.conf and environment.d"},
    {"nccl.profile", "", "", "NCCL_* and RCCL_* that the shells' files in /etc and /etc/profile.d export for logins"},
    {"nccl.profile-conditional", "", "", "those that these files export under a condition, which isn't evaluated"},
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

// Those of a folder's files that end so, in their order; none if there is no such folder.
Seen<std::vector<std::string>> files_in(Host& host, const std::string& folder, std::string_view ending) {
  const auto names = host.names(folder);
  std::vector<std::string> files;
  if (!names && names.error().reason != Absence::missing) return tl::unexpected(names.error());
  for (const std::string& name : names.value_or(std::vector<std::string>()))
    if (name.ends_with(ending)) files.push_back(folder + "/" + name);
  return files;
}

// Hands each file that is there to `take`; a file that is there and can't be read is what stands in the way.
std::optional<Absent> each_text(Host& host, const std::vector<std::string>& files,
                                const std::function<void(const std::string& text)>& take) {
  for (const std::string& file : files) {
    const auto text = host.text(file);
    if (text) {
      take(*text);
    } else if (text.error().reason != Absence::missing) {
      return text.error();
    }
  }
  return std::nullopt;
}

// Logins read the one family or the other, by their shell; both are read here as one.
Seen<ShellSettings> profile(Host& host) {
  ShellReader reader;
  using Dialect = ShellReader::Dialect;
  for (const auto& [dialect, ending, first] :
       {std::tuple(Dialect::sh, ".sh", std::vector<std::string>{"/etc/profile", "/etc/bash.bashrc", "/etc/bashrc"}),
        {Dialect::csh, ".csh", {"/etc/csh.cshrc", "/etc/csh.login"}}}) {
    auto files = files_in(host, "/etc/profile.d", ending);
    if (!files) return tl::unexpected(files.error());
    files->insert(files->begin(), first.begin(), first.end());
    if (const auto why =
            each_text(host, *files, [&, how = dialect](const std::string& text) { reader.read(text, how); }))
      return tl::unexpected(*why);
  }
  return reader.settings();
}

// What PAM and systemd give every session.
Seen<Record> system_environment(Host& host) {
  auto files = files_in(host, "/etc/environment.d", ".conf");
  if (!files) return tl::unexpected(files.error());
  Record settings;
  const auto add = [&](const Record& more) {
    for (const auto& [name, value] : more) settings[name] = value;
  };
  if (const auto why = each_text(host, *files, [&](const std::string& text) { add(parse_environment(text)); }))
    return tl::unexpected(*why);
  if (const auto why =
          each_text(host, {"/etc/security/pam_env.conf"}, [&](const std::string& text) { add(parse_pam_env(text)); }))
    return tl::unexpected(*why);
  const auto plain = parsed(host, "/etc/environment", parse_environment);
  if (!plain && plain.error().reason != Absence::missing) return plain;
  add(plain.value_or(Record()));
  return settings;
}

void read(Host& host, Findings& findings) {
  findings.say({}, "nccl.conf", parsed(host, "/etc/nccl.conf", nccl::parse_conf), "/etc/nccl.conf");
  const auto file = user_conf(host);
  findings.say({}, "nccl.user-conf",
               file.and_then([&](const std::string& path) { return parsed(host, path, nccl::parse_conf); }),
               file.value_or("~/.nccl.conf"));
  findings.say({}, "nccl.environment", session(host), "/proc/self/environ");
  findings.say({}, "nccl.system-environment", system_environment(host), "/etc/environment");
  const auto scripts = profile(host);
  findings.say({}, "nccl.profile", scripts.map([](const ShellSettings& s) { return s.sure; }), "/etc/profile.d");
  findings.say({}, "nccl.profile-conditional", scripts.map([](const ShellSettings& s) { return s.conditional; }),
               "/etc/profile.d");
}

}  // namespace

extern const Reader nccl = {"nccl", "settings of NCCL", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
