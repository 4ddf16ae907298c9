#include "cluster/labeled.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/descriptor.hpp"
#include "base/hostlist.hpp"
#include "base/text.hpp"

namespace assay::cluster {

namespace {

// srun's lines are at most 1,024 bytes and a label; more is none of its doing.
constexpr std::size_t kLongestPiece = 64u << 10;

// An end that nobody reads any more is closed.
void pass_on(int& fd, std::string_view bytes) {
  if (fd >= 0 && !write_all(fd, bytes)) close_if_open(fd);
}

}  // namespace

Labeled unlabel(std::string_view line) {
  // Labels are right-aligned to one width: " 3: x" beside "12: y".
  const auto colon = line.find(": ");
  if (colon == std::string_view::npos || colon > 10) return {-1, line};
  const auto number = text::integer(text::trim(line.substr(0, colon)));
  if (!number || *number < 0 || *number > 1'000'000) return {-1, line};
  return {static_cast<int>(*number), line.substr(colon + 2)};
}

std::vector<int> ended_tasks(std::string_view line) {
  constexpr std::string_view kStart = "srun: error: ";
  if (!line.starts_with(kStart)) return {};
  auto at = line.find(": task");
  if (at == std::string_view::npos) return {};
  auto rest = line.substr(at + 6);
  if (rest.starts_with("s")) rest.remove_prefix(1);
  rest = text::trim(rest.substr(0, rest.find(':')));
  // "2,4-5" reads as a host list once it is in brackets.
  const auto names = hostlist::expand("[" + std::string(rest) + "]");
  std::vector<int> tasks;
  if (names)
    for (const std::string& name : *names)
      if (const auto number = text::integer(name)) tasks.push_back(static_cast<int>(*number));
  return tasks;
}

Result<std::unique_ptr<Sorter>> Sorter::start(int srun_out, int srun_err, std::size_t tasks) {
  std::unique_ptr<Sorter> sorter(new Sorter());
  sorter->out_.fd = srun_out;
  sorter->err_.fd = srun_err;
  const auto make_pipe = [](int& to_read, int& to_write) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    to_read = ends[0];
    to_write = ends[1];
    return true;
  };
  sorter->streams_.resize(tasks, -1);
  sorter->tasks_.resize(tasks);
  bool made = make_pipe(sorter->words_, sorter->words_to_);
  for (std::size_t i = 0; made && i < tasks; ++i) made = make_pipe(sorter->streams_[i], sorter->tasks_[i].to);
  if (!made)
    return failure({Error::Kind::environment, "a pipe for every node", errno_words(errno), "pipe2",
                    "raise the limit of open files (ulimit -n)"});
  sorter->thread_ = std::thread([self = sorter.get()] { self->run(); });
  return sorter;
}

Sorter::~Sorter() {
  if (thread_.joinable()) thread_.join();
  for (int& stream : streams_) close_if_open(stream);
  for (Task& task : tasks_) close_if_open(task.to);
  for (int* fd : {&words_, &words_to_, &out_.fd, &err_.fd}) close_if_open(*fd);
}

void Sorter::run() {
  while (out_.fd >= 0 || err_.fd >= 0) {
    std::array<pollfd, 2> polled{{{out_.fd, POLLIN, 0}, {err_.fd, POLLIN, 0}}};
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) break;
    // Output first: what a task printed comes before the word that it ended.
    if (polled[0].revents != 0 && !read_lines(out_, &Sorter::take_output)) close_if_open(out_.fd);
    if (polled[1].revents != 0 && !read_lines(err_, &Sorter::take_word)) close_if_open(err_.fd);
  }
  close_if_open(words_to_);
  for (std::size_t task = 0; task < tasks_.size(); ++task) close_task(task);
}

// False at the end of the stream.
bool Sorter::read_lines(Source& source, void (Sorter::*take)(std::string_view)) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(source.fd, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count > 0) source.pending.append(buffer.data(), static_cast<std::size_t>(count));
  std::string_view rest = source.pending;
  for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    (this->*take)(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  if (!rest.empty() && (count <= 0 || rest.size() > kLongestPiece)) {
    (this->*take)(rest);
    rest = {};
  }
  source.pending.erase(0, source.pending.size() - rest.size());
  return count > 0;
}

void Sorter::take_output(std::string_view line) {
  const Labeled labeled = unlabel(line);
  const auto task = static_cast<std::size_t>(labeled.task);
  if (labeled.task < 0 || task >= tasks_.size()) return;
  tasks_[task].unframer.feed(labeled.rest, [&](std::string_view whole) { pass_on(tasks_[task].to, whole); });
}

void Sorter::take_word(std::string_view line) {
  pass_on(words_to_, std::string(line) + "\n");
  for (const int task : ended_tasks(line)) close_task(static_cast<std::size_t>(task));
}

void Sorter::close_task(std::size_t task) {
  if (task < tasks_.size()) close_if_open(tasks_[task].to);
}

}  // namespace assay::cluster
