#include "node/host.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/text.hpp"

namespace assay::node {

namespace {

constexpr int kMostLinks = 40;
constexpr std::size_t kMostNames = 65536;

Absence reason_of(int error) {
  switch (error) {
    case EACCES:
    case EPERM: return Absence::permission;
    case ENOENT:
    case ENOTDIR:
    case ENXIO:
    case ENODEV: return Absence::missing;
    case EOPNOTSUPP:
    case EINVAL:
    case ENOSYS: return Absence::unsupported;
    case ETIMEDOUT:
    case EAGAIN: return Absence::timeout;
    default: return Absence::malformed;
  }
}

// The folder that a running kernel (or its programs) fills and a copy of a disk leaves empty; "" for any other path.
std::string_view filled_while_running(std::string_view path) {
  for (const std::string_view folder : {"/proc", "/sys", "/dev", "/run"})
    if (path == folder || (path.starts_with(folder) && path[folder.size()] == '/')) return folder;
  return {};
}

bool empty_folder(const std::string& path) {
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return true;
  int entries = 0;
  while (entries <= 2 && readdir(folder) != nullptr) ++entries;  // . and .. count
  closedir(folder);
  return entries <= 2;
}

// Only a program that isn't there is missing. A script whose interpreter isn't there gives the same ENOENT.
tl::unexpected<Absent> unstarted(const std::string& program, int cause, const Error& error) {
  if (cause == ENOENT && process::find_program(program).empty())
    return unseen(Absence::missing, program + " is not in PATH");
  return unseen(cause == EACCES || cause == EPERM ? Absence::permission : Absence::malformed, error.message());
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

char type_letter(mode_t mode) {
  if (S_ISDIR(mode)) return 'd';
  if (S_ISLNK(mode)) return 'l';
  if (S_ISCHR(mode)) return 'c';
  if (S_ISBLK(mode)) return 'b';
  if (S_ISFIFO(mode)) return 'p';
  if (S_ISSOCK(mode)) return 's';
  return '-';
}

}  // namespace

Host::Holds Host::holds_of(const std::string& root) {
  if (root == "/") return Holds::whole;
  const auto has = [&](const char* path) { return access((root + path).c_str(), F_OK) == 0; };
  const bool programs = !empty_folder(root + "/usr/bin") || !empty_folder(root + "/bin");
  return programs && has("/etc/passwd") && !has("/sos_commands") ? Holds::whole : Holds::part;
}

Host::Host(std::string root, Record record, Holds holds)
    : root_(std::move(root)), record_(std::move(record)), holds_(holds) {
  while (root_.size() > 1 && root_.back() == '/') root_.pop_back();
}

tl::unexpected<Absent> Host::refused(std::string_view verb, const std::string& path, int error) const {
  const auto folder = filled_while_running(path);
  if (!live() && !folder.empty() && empty_folder(root_ + std::string(folder)))
    return unseen(Absence::unsupported, fmt::format("{} {}: this folder tree has no {}", verb, path, folder));
  const std::string detail = fmt::format("{} {}: {}", verb, path, errno_words(error));
  const Absence reason = reason_of(error);
  return tl::unexpected(reason == Absence::missing ? none(detail) : Absent{reason, detail});
}

Absent Host::none(std::string detail) const {
  if (holds_ == Holds::whole) return {Absence::missing, std::move(detail)};
  return {Absence::unsupported, detail + " (this folder tree holds only a part of a machine)"};
}

void Host::note(std::string_view heading, std::string_view bytes) {
  if (record_) record_(heading, bytes);
}

// The path in our own file system, with symlinks followed by hand so that an absolute one stays inside the root.
Seen<std::string> Host::inside(const std::string& path, bool follow_last) const {
  if (live()) return path;
  std::vector<std::string> pending;  // reversed: the next component is the last
  const auto push = [&](std::string_view rest) {
    const auto parts = text::split(rest, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
      if (!part->empty() && *part != ".") pending.emplace_back(*part);
  };
  push(path);
  std::vector<std::string> reached;
  const auto joined = [&] { return root_ + (reached.empty() ? "" : fmt::format("/{}", fmt::join(reached, "/"))); };
  for (int links = 0; !pending.empty();) {
    const std::string part = std::move(pending.back());
    pending.pop_back();
    if (part == "..") {
      if (!reached.empty()) reached.pop_back();
      continue;
    }
    reached.push_back(part);
    if (pending.empty() && !follow_last) break;
    std::array<char, PATH_MAX> target;
    const ssize_t length = readlink(joined().c_str(), target.data(), target.size());
    if (length < 0) continue;  // not a link, or not there: the open that follows will say which
    if (++links > kMostLinks) return unseen(Absence::malformed, "more than 40 symlinks at " + path);
    const std::string_view to(target.data(), static_cast<std::size_t>(length));
    if (to.starts_with('/')) {
      reached.clear();
    } else {
      reached.pop_back();
    }
    push(to);
  }
  return joined();
}

Seen<std::string> Host::text(const std::string& path, std::size_t limit, bool recorded) {
  const auto real_path = inside(path);
  if (!real_path) return real_path;
  const Descriptor file(open(real_path->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) return refused("open", path, errno);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return refused("stat", path, errno);
  if (!S_ISREG(status.st_mode)) return unseen(Absence::malformed, path + " is not a regular file");
  std::string content;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return refused("read", path, errno);
    if (count == 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(count));
    if (content.size() > limit)
      return unseen(Absence::malformed, fmt::format("{} is larger than {} bytes", path, limit));
  }
  if (recorded) note("file " + path, content);
  return content;
}

Seen<std::string> Host::line(const std::string& path) {
  return text(path, 64u << 10).map([](const std::string& content) { return std::string(text::trim(content)); });
}

Seen<std::int64_t> Host::integer(const std::string& path, int base) {
  return line(path).and_then([&](const std::string& content) -> Seen<std::int64_t> {
    const auto value = text::integer(content, base);
    if (!value)
      return unseen(Absence::malformed, fmt::format("{} holds \"{}\", not an integer", path, content.substr(0, 60)));
    return *value;
  });
}

Seen<std::string> Host::stream(const std::string& path, std::size_t limit, bool recorded) {
  const auto real_path = inside(path);
  if (!real_path) return real_path;
  const Descriptor file(open(real_path->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) return refused("open", path, errno);
  std::string content;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EPIPE)) continue;  // EPIPE: records were overwritten while we read
    if (count < 0 && errno != EAGAIN) return refused("read", path, errno);
    if (count <= 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(count));
    if (content.size() > 2 * limit) content.erase(0, content.size() - limit);
  }
  if (content.size() > limit) content.erase(0, content.size() - limit);
  if (recorded) note("stream " + path, content);
  return content;
}

Seen<std::vector<std::string>> Host::names(const std::string& path, bool recorded) {
  const auto real_path = inside(path);
  if (!real_path) return tl::unexpected(real_path.error());
  DIR* folder = opendir(real_path->c_str());
  if (folder == nullptr) return refused("list", path, errno);
  std::vector<std::string> found;
  errno = 0;
  for (const dirent* entry = readdir(folder); entry != nullptr && found.size() < kMostNames; entry = readdir(folder)) {
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") found.emplace_back(name);
  }
  const int error = errno;
  closedir(folder);
  if (error != 0) return refused("list", path, error);
  std::sort(found.begin(), found.end(), text::natural_less);
  if (recorded) note("folder " + path, fmt::format("{}\n", fmt::join(found, "\n")));
  return found;
}

Seen<std::string> Host::link(const std::string& path, bool recorded) {
  const auto real_path = inside(path, false);
  if (!real_path) return real_path;
  std::array<char, PATH_MAX> target;
  const ssize_t length = readlink(real_path->c_str(), target.data(), target.size());
  if (length < 0) return refused("readlink", path, errno);
  std::string to(target.data(), static_cast<std::size_t>(length));
  if (recorded) note("link " + path, to + "\n");
  return to;
}

Seen<std::string> Host::real(const std::string& path) {
  if (live()) {
    std::array<char, PATH_MAX> resolved;
    if (realpath(path.c_str(), resolved.data()) == nullptr) return refused("resolve", path, errno);
    note("real path " + path, std::string(resolved.data()) + "\n");
    return std::string(resolved.data());
  }
  const auto resolved = inside(path);
  if (!resolved) return resolved;
  if (access(resolved->c_str(), F_OK) != 0) return refused("resolve", path, errno);
  std::string from_root = resolved->substr(root_.size());
  note("real path " + path, from_root + "\n");
  return from_root.empty() ? "/" : from_root;
}

Seen<FileStatus> Host::status(const std::string& path) {
  const auto real_path = inside(path);
  if (!real_path) return tl::unexpected(real_path.error());
  struct stat status {};
  if (stat(real_path->c_str(), &status) != 0) return refused("stat", path, errno);
  const FileStatus found{type_letter(status.st_mode), static_cast<std::uint32_t>(status.st_mode & 07777), status.st_uid,
                         status.st_gid, static_cast<std::int64_t>(status.st_size)};
  note("status " + path,
       fmt::format("{} {:04o} uid {} gid {} size {}\n", found.type, found.mode, found.uid, found.gid, found.size));
  return found;
}

bool Host::exists(const std::string& path) {
  const auto real_path = inside(path);
  return real_path && access(real_path->c_str(), F_OK) == 0;
}

Seen<process::Output> Host::run(const std::vector<std::string>& argv, process::Limits limits, bool recorded) {
  const std::string command = fmt::format("{}", fmt::join(argv, " "));
  if (!live()) return unseen(Absence::unsupported, "a folder tree can't run " + command);
  auto output = process::run(argv, limits);
  if (!output) return unstarted(argv.front(), errno, output.error());
  note(fmt::format("command {} (exit {}{})", command, output->status,
                   output->timed_out ? ", ended at its time limit" : ""),
       (recorded ? output->out : fmt::format("({} bytes)\n", output->out.size())) +
           (output->err.empty() ? "" : "\n-- stderr --\n" + output->err));
  if (output->timed_out)
    return unseen(Absence::timeout, fmt::format("{} gave no answer in {} ms", command, limits.time.count()));
  if (output->cut)
    return unseen(Absence::malformed, fmt::format("{} printed more than {} bytes", command, limits.output));
  return *output;
}

Seen<std::string> Host::output(const std::vector<std::string>& argv, process::Limits limits, bool recorded) {
  return run(argv, limits, recorded).and_then([&](const process::Output& output) -> Seen<std::string> {
    if (output.status == 0) return output.out;
    const auto words = text::trim(output.err.empty() ? output.out : output.err);
    return unseen(Absence::malformed, fmt::format("{} ended with {}: {}", fmt::join(argv, " "), output.status,
                                                  text::to_utf8(words.substr(0, words.find('\n')), 200)));
  });
}

Seen<std::string> Host::environment(const std::string& name) {
  if (!live()) return unseen(Absence::unsupported, "a folder tree has no environment");
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return unseen(Absence::missing, name + " is not set");
  note("environment " + name, std::string(value) + "\n");
  return std::string(value);
}

Seen<std::string> Host::ask(const std::string& what, const std::function<Seen<std::string>()>& call) {
  if (!live()) return unseen(Absence::unsupported, "a folder tree can't tell " + what);
  auto answer = call();
  note("answer " + what,
       answer ? *answer + "\n" : fmt::format("{}: {}\n", name_of(answer.error().reason), answer.error().detail));
  return answer;
}

}  // namespace assay::node
