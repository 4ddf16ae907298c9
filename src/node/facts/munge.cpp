// The keys that Slurm's daemons trust each other by, what looks like a copy of one beside it, and whether munge works.
// Only names, modes and owners are looked at: a key's content is never read, so nobody here can say of a copy whether
// it is still the key in use.
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
    {"scheduler-key.copies", "scheduler-key", "",
     "files beside it that look like copies of it; each is a scheduler-key of its own"},
    {"munge.answers", "", "", "does munged make a credential for us"},
};

constexpr const char* kMungeKey = "munge.key";
constexpr std::size_t kMostCopies = 32;

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

void say_file(Host& host, const Subject& key, const std::string& path, Findings& findings) {
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

// munge.key.bak, munge.key~, .munge.key.swp; in munge's own folder also what is only called after it (munge.old).
bool looks_like_copy(std::string_view name, std::string_view key) {
  if (name == key) return false;
  if (name.find(key) != std::string_view::npos) return true;
  const std::string lower = text::lower(name);
  return key == kMungeKey && (lower.starts_with("munge") || lower.find("key") != std::string::npos ||
                              lower.ends_with(".old") || lower.ends_with(".bak"));
}

// Copies are named by their path: a copy of one key may lie in the folder of another.
void say_copies(Host& host, const Subject& subject, const std::string& folder, const std::string& key,
                Findings& findings) {
  const auto names = host.names(folder);
  if (!names) return findings.absent(subject, "scheduler-key.copies", names.error(), folder);
  TextList copies;
  for (const std::string& name : *names) {
    if (!looks_like_copy(name, key)) continue;
    const std::string path = folder + "/" + name;
    const auto status = host.status(path);
    if (status && status->type == 'd') continue;
    if (copies.size() == kMostCopies)
      return findings.absent(subject, "scheduler-key.copies",
                             {Absence::malformed, fmt::format("{} holds more than {} copies", folder, kMostCopies)},
                             folder);
    copies.push_back(path);
    say_file(host, Subject().child("scheduler-key", path), path, findings);
  }
  findings.see(subject, "scheduler-key.copies", copies, folder);
}

void say_key(Host& host, const std::string& folder, const std::string& name, Findings& findings) {
  const Subject key = Subject().child("scheduler-key", name);
  say_file(host, key, folder + "/" + name, findings);
  say_copies(host, key, folder, name, findings);
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
  const std::string folder = conf ? conf->substr(0, conf->rfind('/')) : "/etc/slurm";
  say_key(host, "/etc/munge", kMungeKey, findings);
  for (const auto name : {"slurm.key", "slurm.jwks", "jwt_hs256.key"}) say_key(host, folder, name, findings);
  say_munged(host, findings);
}

}  // namespace

extern const Reader munge = {"munge", "the scheduler's keys and its authentication", std::chrono::seconds(10), kEmits,
                             read};

}  // namespace assay::node::facts
