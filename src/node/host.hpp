// The one door between a reader and the machine it looks at. Every read is bounded, never blocks on a FIFO or a device,
// and goes into the transcript: the raw output that observations are later traced to. With a root prefix other than "/"
// a folder tree stands for the machine (an unpacked sosreport, a mounted image): symlinks resolve inside it, and what
// only a running machine can tell (commands, system calls, the environment, a /proc, /sys, /dev or /run that the tree
// has nothing of) is absent as "unsupported", and so is all that isn't in a tree that holds only a part of a machine:
// "missing" is kept for what the machine itself lacks.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"
#include "evidence/seen.hpp"

namespace assay::node {

struct FileStatus {
  char type = '-';         // '-' file, 'd', 'l', 'c', 'b', 'p', 's' as ls prints them
  std::uint32_t mode = 0;  // permission bits, 07777
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::int64_t size = 0;
};

class Host {
 public:
  // What was read, as it came: a heading ("== file /proc/meminfo") and the bytes.
  using Record = std::function<void(std::string_view heading, std::string_view bytes)>;

  // How much of the machine is under the root.
  enum class Holds {
    whole,  // what isn't there isn't on the machine
    part,   // what isn't there may be on it: an unpacked sosreport, some copied folders
  };
  // A tree with programs and users is taken for a whole disk, unless it is a sosreport.
  static Holds holds_of(const std::string& root);

  Host(std::string root, Record record, Holds holds = Holds::whole);

  // Is this the running machine, rather than a folder that stands for one?
  bool live() const { return root_ == "/"; }
  bool whole() const { return holds_ == Holds::whole; }

  // A regular file's whole content; more than `limit` bytes is malformed. `recorded` false keeps a large file's bytes
  // out of the transcript: the reader then records its own excerpt with note().
  Seen<std::string> text(const std::string& path, std::size_t limit = 1u << 20, bool recorded = true);
  // A one-line file, trimmed: what sysfs attributes are.
  Seen<std::string> line(const std::string& path);
  Seen<std::int64_t> integer(const std::string& path, int base = 10);
  // Everything that can be read now without waiting, from a character device or a file, oldest records first
  // (/dev/kmsg): at most `limit` bytes, the newest kept. `recorded` as in text().
  Seen<std::string> stream(const std::string& path, std::size_t limit = 4u << 20, bool recorded = true);
  // Entries of a folder without . and .., in natural order, at most 65536. `recorded` as in text().
  Seen<std::vector<std::string>> names(const std::string& path, bool recorded = true);
  Seen<std::string> link(const std::string& path, bool recorded = true);  // a symlink's target as written
  Seen<std::string> real(const std::string& path);   // with all symlinks resolved, as seen from inside the root
  Seen<FileStatus> status(const std::string& path);  // of what the path leads to
  bool exists(const std::string& path);

  // A program's output. Not started under a root prefix. A non-zero status is still an answer. `recorded` false keeps
  // its stdout out of the transcript.
  Seen<process::Output> run(const std::vector<std::string>& argv, process::Limits limits = {}, bool recorded = true);
  // run(), where only status 0 will do: its stdout.
  Seen<std::string> output(const std::vector<std::string>& argv, process::Limits limits = {}, bool recorded = true);
  Seen<std::string> environment(const std::string& name);
  // Only on the running machine: `call` is a system call or library answer that no file tells; `what` names it.
  Seen<std::string> ask(const std::string& what, const std::function<Seen<std::string>()>& call);

  // What a reader has looked for everywhere and not found: missing, or "unsupported" where only a part could be looked
  // at.
  Absent none(std::string detail) const;

  // Puts an excerpt or a library's answers into the transcript.
  void note(std::string_view heading, std::string_view bytes);

 private:
  Seen<std::string> inside(const std::string& path, bool follow_last = true) const;
  tl::unexpected<Absent> refused(std::string_view verb, const std::string& path, int error) const;

  std::string root_;
  Record record_;
  Holds holds_;
};

}  // namespace assay::node
