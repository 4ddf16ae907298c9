#include "node/agent.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <optional>
#include <set>

#include "base/descriptor.hpp"
#include "base/now.hpp"
#include "base/text.hpp"
#include "node/frame.hpp"
#include "node/orphans.hpp"
#include "node/protocol.hpp"
#include "node/reader.hpp"
#include "node/redact.hpp"
#include "node/version.hpp"

namespace assay::node {

namespace {

using Steady = std::chrono::steady_clock;
constexpr std::size_t kAtOnce = 4;
constexpr int kTick = 5;                                 // ms between looks at a child whose end can't be polled for
constexpr auto kEndOfOrphans = std::chrono::seconds(1);  // what dies at all dies sooner

bool write_line(int fd, const std::string& line) { return write_all(fd, line + "\n"); }

// ---- the child's side: one reader, its lines into a pipe

class Transcript {
 public:
  Transcript(std::string reader, int fd) : reader_(std::move(reader)), fd_(fd) {}

  void operator()(std::string_view heading, std::string_view bytes) {
    const std::string clean = redact(bytes);
    std::string_view rest = clean;
    do {
      const auto piece = rest.substr(0, std::min(kRawPiece, kMostRaw - std::min(kMostRaw, sent_)));
      if (piece.empty() && !rest.empty()) return;  // enough: what is past the bound isn't kept
      write_line(fd_, encode(Message(Raw{reader_, text::to_utf8(heading, 2000), std::string(piece)})));
      sent_ += piece.size();
      rest.remove_prefix(piece.size());
    } while (!rest.empty());
  }

 private:
  std::string reader_;
  int fd_;
  std::size_t sent_ = 0;
};

[[noreturn]] void run_reader(const Reader& reader, const std::string& root, int fd) {
  Host host(root, Transcript(std::string(reader.id), fd), Host::holds_of(root));
  Findings findings(reader.emits, [&](Observation observation) {
    write_line(fd, encode(Message(Sighting{std::string(reader.id), std::move(observation)})));
  });
  reader.read(host, findings);
  _exit(0);
}

// ---- the parent's side

// To the master; lines are framed where it asked for it (see frame.hpp).
class Out {
 public:
  explicit Out(int fd) : fd_(fd), framed_(std::getenv("ASSAY_FRAMES") != nullptr) {}

  // Whole lines, each with its end; false if nobody listens any more.
  bool lines(std::string_view whole) {
    if (!framed_) return write_all(fd_, whole);
    std::string framed;
    for (const std::string_view line : text::lines(whole)) framed += frame(line);
    return write_all(fd_, framed);
  }
  void say(const Message& message) { lines(encode(message) + "\n"); }

 private:
  int fd_;
  bool framed_;
};

struct Running {
  const Reader* reader = nullptr;
  pid_t pid = -1;
  int fd = -1;  // -1 once its pipe has ended
  Steady::time_point deadline;
  std::string tail;  // an unfinished line
};

class Round {
 public:
  Round(const Collect& request, Out& out, const std::vector<const Reader*>& known) : request_(request), out_(out) {
    for (const Reader* reader : known)
      if (request.readers.empty() ||
          std::find(request.readers.begin(), request.readers.end(), reader->id) != request.readers.end())
        waiting_.push_back(reader);
  }

  void run() {
    while (!waiting_.empty() || !running_.empty()) {
      while (running_.size() < kAtOnce && !waiting_.empty()) launch();
      wait_for_lines();
    }
    const auto deadline = Steady::now() + kEndOfOrphans;
    while (!end_orphans({}) && Steady::now() < deadline) poll(nullptr, 0, kTick);
  }

 private:
  void launch() {
    const Reader* reader = waiting_.front();
    waiting_.pop_front();
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return tell_done(*reader, "crashed", errno_words(errno));
    const pid_t pid = fork();
    if (pid < 0) {
      close(ends[0]);
      close(ends[1]);
      return tell_done(*reader, "crashed", errno_words(errno));
    }
    if (pid == 0) {
      setsid();  // its programs are known by it, whatever group they are in
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      run_reader(*reader, request_.root, ends[1]);
    }
    close(ends[1]);
    running_.push_back({reader, pid, ends[0], Steady::now() + reader->limit, {}});
  }

  void wait_for_lines() {
    std::vector<pollfd> polled;
    auto next = Steady::time_point::max();
    for (const Running& child : running_) {
      polled.push_back({child.fd, POLLIN, 0});
      next = std::min(next, child.fd < 0 ? Steady::now() + std::chrono::milliseconds(kTick) : child.deadline);
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - Steady::now()).count();
    poll(polled.data(), polled.size(), static_cast<int>(std::max<std::int64_t>(left, 0)) + 1);
    bool ended = false;
    for (std::size_t i = polled.size(); i-- > 0;) {
      Running& child = running_[i];
      if (polled[i].revents != 0 && !forward(child)) close_if_open(child.fd);
      if (!finish(child) && !expire(child)) continue;
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      ended = true;
    }
    if (ended) end_orphans(running_pids());
  }

  std::set<pid_t> running_pids() const {
    std::set<pid_t> pids;
    for (const Running& child : running_) pids.insert(child.pid);
    return pids;
  }

  // Whole lines go on as they come; false at the end.
  bool forward(Running& child) {
    std::array<char, 65536> buffer;
    const ssize_t count = read(child.fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    child.tail.append(buffer.data(), static_cast<std::size_t>(count));
    const auto end = child.tail.rfind('\n');
    if (end == std::string::npos) return true;
    if (!out_.lines(std::string_view(child.tail).substr(0, end + 1))) _exit(1);  // nobody listens any more
    child.tail.erase(0, end + 1);
    return true;
  }

  // After its last line a reader may still be held in the kernel, by a driver that closes its files: it is looked at
  // until its deadline, never waited for.
  bool finish(const Running& child) {
    if (child.fd >= 0) return false;
    int status = 0;
    const pid_t reaped = waitpid(child.pid, &status, WNOHANG);
    if (reaped == 0) return false;
    if (reaped < 0) {
      tell_done(*child.reader, "crashed", "its end was not seen: " + errno_words(errno));
    } else if (WIFSIGNALED(status)) {
      tell_done(*child.reader, "crashed", fmt::format("signal {}", WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0) {
      tell_done(*child.reader, "crashed", fmt::format("exit {}", WEXITSTATUS(status)));
    } else {
      tell_done(*child.reader, "ok", "");
    }
    return true;
  }

  bool expire(Running& child) {
    if (Steady::now() < child.deadline) return false;
    kill(child.pid, SIGKILL);  // reaped as an orphan; one stuck in the kernel stays behind
    close_if_open(child.fd);
    tell_done(*child.reader, "timeout", fmt::format("no end in {} ms", child.reader->limit.count()));
    return true;
  }

  void tell_done(const Reader& reader, const char* state, std::string detail) {
    out_.say(Done{std::string(reader.id), state, std::move(detail)});
  }

  const Collect& request_;
  Out& out_;
  std::deque<const Reader*> waiting_;
  std::vector<Running> running_;
};

// Lines of stdin. A frame "agent ARCH SIZE" with its bytes is meant for a bootstrap that shares our stdin (one
// srun feeds all its tasks alike): it is read past.
class Input {
 public:
  explicit Input(int fd) : fd_(fd) {}

  std::optional<std::string> next() {
    for (;;) {
      const auto end = skip_ == 0 ? pending_.find('\n') : std::string::npos;
      if (end == std::string::npos) {
        if (!more()) return std::nullopt;
        continue;
      }
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      if (!line.starts_with("agent ")) return line;
      const auto parts = text::words(line);
      const auto size = parts.size() == 3 ? text::integer(parts[2]) : std::nullopt;
      if (!size || *size < 0) return std::nullopt;
      skip_ = static_cast<std::size_t>(*size);
      skip_pending();
    }
  }

 private:
  bool more() {
    std::array<char, 65536> buffer;
    ssize_t count = -1;
    do count = read(fd_, buffer.data(), buffer.size());
    while (count < 0 && errno == EINTR);
    if (count <= 0 || pending_.size() > kLongestLine) return false;
    pending_.append(buffer.data(), static_cast<std::size_t>(count));
    skip_pending();
    return true;
  }

  void skip_pending() {
    const std::size_t dropped = std::min(skip_, pending_.size());
    pending_.erase(0, dropped);
    skip_ -= dropped;
  }

  int fd_;
  std::string pending_;
  std::size_t skip_ = 0;
};

std::string machine() {
  utsname name{};
  uname(&name);
  return name.machine;
}

}  // namespace

int serve(int in, int out, const std::vector<const Reader*>& known) {
  signal(SIGPIPE, SIG_IGN);
  adopt_orphans();
  Out to(out);
  to.say(Hello{kProtocol, kVersion, machine(), static_cast<long>(geteuid())});
  std::set<int> served;
  Input input(in);
  while (const auto line = input.next()) {
    const auto request = decode_request(*line);
    if (!request || !served.insert(request->id).second) continue;
    to.say(Clock{now_ns()});
    Round(*request, to, known).run();
    to.say(Finished{request->id});
  }
  return 0;
}

}  // namespace assay::node
