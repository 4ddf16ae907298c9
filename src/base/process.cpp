#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace assay::process {

namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int read = -1;
  int write = -1;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return failure({Error::Kind::environment, "a pipe", errno_words(errno), "pipe2", "raise the limit of open files"});
  return Pipe{ends[0], ends[1]};
}

std::vector<std::string> plain_environment() {
  std::vector<std::string> entries{"LC_ALL=C"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("LC_") && !text.starts_with("LANG")) entries.emplace_back(text);
  }
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// stdin_fd, stdout_fd, stderr_fd become the child's 0, 1, 2.
Result<int> spawn(const std::vector<std::string>& argv, int stdin_fd, int stdout_fd, int stderr_fd) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, stdin_fd, 0);
  posix_spawn_file_actions_adddup2(&actions, stdout_fd, 1);
  posix_spawn_file_actions_adddup2(&actions, stderr_fd, 2);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);

  std::vector<std::string> arguments = argv;
  std::vector<std::string> environment = plain_environment();
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, argv.front().c_str(), &actions, &attributes, pointers(arguments).data(),
                                 pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return pid;
  auto refused = failure({Error::Kind::environment, "the program " + argv.front(), errno_words(error), "posix_spawn",
                          "install it or put it in PATH"});
  errno = error;
  return refused;
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int fd : descriptors)
    if (fd >= 0) close(fd);
}

int decode_status(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

// Keeps at most `limit` bytes and reads the rest away, so that the child never blocks on a full pipe.
bool drain(int fd, std::string& kept, std::size_t limit, bool& cut) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(fd, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  const std::size_t take = std::min<std::size_t>(static_cast<std::size_t>(count), limit - kept.size());
  kept.append(buffer.data(), take);
  cut = cut || take < static_cast<std::size_t>(count);
  return true;
}

}  // namespace

Result<Child> start(const std::vector<std::string>& argv) {
  std::array<Pipe, 3> pipes;
  auto& [in, out, err] = pipes;
  for (Pipe& each : pipes) {
    const auto made = make_pipe();
    if (!made) {
      const int cause = errno;
      close_all({in.read, in.write, out.read, out.write});
      errno = cause;
      return failure(made.error());
    }
    each = *made;
  }
  const auto pid = spawn(argv, in.read, out.write, err.write);
  const int cause = errno;
  close_all({in.read, out.write, err.write});
  if (pid) return Child{*pid, in.write, out.read, err.read};
  close_all({in.write, out.read, err.read});
  errno = cause;
  return failure(pid.error());
}

Ending::Ending(int pid, std::chrono::milliseconds patience, std::chrono::milliseconds grace)
    : pid_(pid), ask_(Clock::now() + patience), kill_(ask_ + grace) {}

bool Ending::over() {
  if (over_) return true;
  const auto now = Clock::now();
  int status = 0;
  const pid_t reaped = waitpid(pid_, &status, WNOHANG);
  if (reaped != 0 || now >= kill_) kill(-pid_, SIGKILL);
  if (!asked_ && reaped == 0 && now >= ask_) {
    kill(-pid_, SIGTERM);
    asked_ = true;
  }
  over_ = reaped != 0 || now >= kill_ + std::chrono::seconds(1);
  if (over_) status_ = reaped > 0 ? decode_status(status) : 128 + SIGKILL;
  return over_;
}

int stop(const Child& child, std::chrono::milliseconds grace) {
  Ending ending(child.pid, std::chrono::milliseconds(0), grace);
  while (!ending.over()) poll(nullptr, 0, 2);
  return ending.status();
}

Result<Output> run(const std::vector<std::string>& argv, Limits limits) {
  auto child = start(argv);
  if (!child) return failure(child.error());
  close(child->in);
  Output output;
  std::array<pollfd, 3> streams{{{child->out, POLLIN, 0}, {child->err, POLLIN, 0}, {limits.stop_fd, POLLIN, 0}}};
  const auto deadline = Clock::now() + limits.time;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || streams[2].revents != 0) {
      output.timed_out = true;
      break;
    }
    if (poll(streams.data(), streams.size(), static_cast<int>(left)) < 0 && errno != EINTR) break;
    if (streams[0].revents != 0 && !drain(child->out, output.out, limits.output, output.cut)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !drain(child->err, output.err, limits.output, output.cut)) streams[1].fd = -1;
  }
  int status = 0;
  // A program may close its streams and run on: it still has what is left of its time.
  pid_t reaped = 0;
  while (!output.timed_out && (reaped = waitpid(child->pid, &status, WNOHANG)) == 0) {
    poll(&streams[2], 1, 1);
    if (Clock::now() >= deadline || streams[2].revents != 0) output.timed_out = true;
  }
  const int cause = errno;
  output.status = output.timed_out ? stop(*child, std::chrono::milliseconds(0)) : decode_status(status);
  close_all({child->out, child->err});
  if (reaped >= 0) return output;
  errno = cause;
  return failure({Error::Kind::environment, "the end of " + argv.front(), errno_words(cause), "waitpid",
                  "start assay with SIGCHLD at its default"});
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const auto end = rest.find(':');
    std::string candidate = std::string(rest.substr(0, end)) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace assay::process
