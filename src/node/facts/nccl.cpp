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

// Hands each file that is there to `take`. The first that is there and can't be read is what stands in the way; it
// doesn't take away what the others say.
std::optional<Absent> each_text(Host& host, const std::vector<std::string>& files,
                                const std::function<void(const std::string& text)>& take) {
  std::optional<Absent> in_the_way;
  for (const std::string& file : files) {
    const auto text = host.text(file);
    if (text)
      take(*text);
    else if (text.error().reason != Absence::missing && !in_the_way)
      in_the_way = text.error();
  }
  return in_the_way;
}

// What was read, and what couldn't be.
struct Profile {
  ShellSettings settings;
  std::optional<Absent> in_the_way;
};

void add(Record& settings, const Record& more) {
  for (const auto& [name, value] : more) settings.emplace(name, value);
}

// Logins read the one family or the other, by their shell: what either hands on is told.
Profile profile(Host& host) {
  Profile profile;
  using Dialect = ShellReader::Dialect;
  for (const auto& [dialect, ending, first] :
       {std::tuple(Dialect::sh, ".sh",
                   std::vector<std::string>{"/etc/zshenv", "/etc/zsh/zshenv", "/etc/profile", "/etc/bash.bashrc",
                                            "/etc/bashrc", "/etc/profile.d/sh.local"}),
        {Dialect::csh, ".csh", {"/etc/csh.cshrc", "/etc/csh.login"}}}) {
    ShellReader reader;
    auto files = files_in(host, "/etc/profile.d", ending);
    if (!files && !profile.in_the_way) profile.in_the_way = files.error();
    std::vector<std::string> all = first;
    if (files) all.insert(all.end(), files->begin(), files->end());
    const auto why = each_text(host, all, [&, how = dialect](const std::string& text) { reader.read(text, how); });
    if (why && !profile.in_the_way) profile.in_the_way = *why;
    const ShellSettings settings = reader.settings();
    add(profile.settings.sure, settings.sure);
    add(profile.settings.conditional, settings.conditional);
  }
  return profile;
}

// What was found counts though something stood in the way; that nothing was found doesn't.
Seen<Record> found_or_hidden(const Record& found, const std::optional<Absent>& in_the_way) {
  if (found.empty() && in_the_way) return tl::unexpected(*in_the_way);
  return found;
}

// What PAM and systemd give every session.
Seen<Record> system_environment(Host& host) {
  std::optional<Absent> in_the_way;
  Record settings;
  const auto look = [&](const std::vector<std::string>& files, Record (*parse)(std::string_view)) {
    const auto why = each_text(host, files, [&](const std::string& text) {
      for (const auto& [name, value] : parse(text)) settings[name] = value;
    });
    if (why && !in_the_way) in_the_way = *why;
  };
  const auto files = files_in(host, "/etc/environment.d", ".conf");
  if (!files) in_the_way = files.error();
  look(files.value_or(std::vector<std::string>()), parse_environment);
  look({"/etc/security/pam_env.conf"}, parse_pam_env);
  look({"/etc/environment"}, parse_environment);
  return found_or_hidden(settings, in_the_way);
}

void read(Host& host, Findings& findings) {
  findings.say({}, "nccl.conf", parsed(host, "/etc/nccl.conf", nccl::parse_conf), "/etc/nccl.conf");
  const auto file = user_conf(host);
  findings.say({}, "nccl.user-conf",
               file.and_then([&](const std::string& path) { return parsed(host, path, nccl::parse_conf); }),
               file.value_or("~/.nccl.conf"));
  findings.say({}, "nccl.environment", session(host), "/proc/self/environ");
  findings.say({}, "nccl.system-environment", system_environment(host), "/etc/environment");
  const auto [settings, in_the_way] = profile(host);
  findings.say({}, "nccl.profile", found_or_hidden(settings.sure, in_the_way), "/etc/profile.d");
  findings.say({}, "nccl.profile-conditional", found_or_hidden(settings.conditional, in_the_way), "/etc/profile.d");
}

}  // namespace

extern const Reader nccl = {"nccl", "settings of NCCL", std::chrono::seconds(5), kEmits, read};

}  // namespace assay::node::facts
