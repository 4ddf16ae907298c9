// The keys that Slurm's daemons trust each other by, and whether munge works. Only modes and owners are looked at: a
// key's content is never read.
#include <fmt/format.h>

#include "base/text.hpp"
#include "node/facts/slurm_files_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"scheduler-key.mode", "scheduler-key", "", "permission bits of the key file"},
    {"scheduler-key.owner", "scheduler-key", "", "user that owns it: munge, slurm, root, or a number"},
    {"scheduler-key.group", "scheduler-key", "", "group of the file: munge, slurm, root, or a number"},
    {"scheduler-key.folder-mode", "scheduler-key", "", "permission bits of the folder it lies in"},
    {"munge.answers", "", "", "does munged make a credential for us"},
};

// Name of an id in /etc/passwd or /etc/group; the number where it has none.
std::string name_of_id(Host& host, const std::string& file, std::uint32_t id) {
  const std::string number = std::to_string(id);
  if (const auto content = host.text(file, 4u << 20, false))
    for (const std::string_view line : text::lines(*content)) {
      const auto fields = text::split(line, ':');
      if (fields.size() > 2 && fields[2] == number) return std::string(fields[0]);
    }
  return number;
}

void say_key(Host& host, const std::string& path, Findings& findings) {
  const Subject key = Subject().child("scheduler-key", path.substr(path.rfind('/') + 1));
  const auto status = host.status(path);
  if (!status) {
    for (const auto name : {"scheduler-key.mode", "scheduler-key.owner", "scheduler-key.group"})
      findings.absent(key, name, status.error(), path);
  } else {
    findings.see(key, "scheduler-key.mode", std::int64_t{status->mode}, path);
    findings.see(key, "scheduler-key.owner", name_of_id(host, "/etc/passwd", status->uid), path);
    findings.see(key, "scheduler-key.group", name_of_id(host, "/etc/group", status->gid), path);
  }
  const std::string folder = path.substr(0, path.rfind('/'));
  findings.say(key, "scheduler-key.folder-mode",
               host.status(folder).map([](const FileStatus& found) { return std::int64_t{found.mode}; }), folder);
}

void say_munged(Host& host, Findings& findings) {
  const auto answer = host.run({"munge", "-n", "-o", "/dev/null"}, {std::chrono::seconds(3), 64u << 10});
  if (answer) {
    findings.see({}, "munge.answers", answer->status == 0, "munge -n");
  } else {
    findings.absent({}, "munge.answers", answer.error(), "munge -n");
  }
}

void read(Host& host, Findings& findings) {
  const auto conf = slurm::find_conf(host);
  const std::string folder = conf ? conf->substr(0, conf->rfind('/') + 1) : "/etc/slurm/";
  say_key(host, "/etc/munge/munge.key", findings);
  for (const auto name : {"slurm.key", "slurm.jwks", "jwt_hs256.key"}) say_key(host, folder + name, findings);
  say_munged(host, findings);
}

}  // namespace

extern const Reader munge = {"munge", "the scheduler's keys and its authentication", std::chrono::seconds(10), kEmits,
                             read};

}  // namespace assay::node::facts
