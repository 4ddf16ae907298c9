#include "cluster/crew.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/descriptor.hpp"
#include "base/now.hpp"

namespace assay::cluster {

namespace {

using std::chrono::milliseconds;
constexpr std::size_t kMostWords = 16u << 10;
// One request serves all members of a party; those that are a little late shouldn't be asked with a clock question that
// has been waiting for them.
constexpr milliseconds kGathering{1000};
// Between the end of a member's stream and the end of the process, if the one comes of the other.
constexpr milliseconds kFarewell{500};
// For the process to end by itself at the end of its input, before it is told to.
constexpr milliseconds kPatience{500};

std::string request_for(const std::vector<Work>& work, const std::string& root) {
  std::set<std::string> readers;
  for (const Work& each : work) readers.insert(each.readers.begin(), each.readers.end());
  return node::encode(node::Collect{1, root, {readers.begin(), readers.end()}}) + "\n";
}

}  // namespace

Crew::Crew(Party party, const std::vector<Work>& work, Launcher& launcher, const AgentSet& agents,
           const SessionOptions& options)
    : party_(std::move(party)), launcher_(launcher), agents_(agents), options_(options) {
  for (std::size_t i = 0; i < work.size(); ++i) {
    fcntl(party_.members[i].out, F_SETFL, O_NONBLOCK);
    seats_.push_back({Intake(work[i].host, work[i].readers, options.vocabulary), party_.members[i].out, {}, {}, false});
  }
  fcntl(party_.child.in, F_SETFL, O_NONBLOCK);
  fcntl(party_.child.err, F_SETFL, O_NONBLOCK);
  request_ = request_for(work, options.root);
  to_write_ = agents_.boot();
}

Crew::~Crew() {
  stop();
  for (; !over_; tick()) poll(nullptr, 0, 2);
  close_if_open(party_.child.out);
  close_if_open(party_.child.err);
}

void Crew::add_to(std::vector<pollfd>& polled) {
  polled.push_back({to_write_.empty() ? -1 : party_.child.in, POLLOUT, 0});
  polled.push_back({party_.child.err, POLLIN, 0});
  for (const Seat& seat : seats_) polled.push_back({seat.out, POLLIN, 0});
}

void Crew::serve(const pollfd* entry) {
  if (entry[0].revents != 0) write_some();
  if (entry[1].revents != 0) read_words();
  for (std::size_t i = 0; i < seats_.size(); ++i)
    if (entry[2 + i].revents != 0) read_member(seats_[i]);
  if (!ending_) answer_needs();
}

void Crew::write_some() {
  const ssize_t count = write(party_.child.in, to_write_.data(), to_write_.size());
  if (count > 0) to_write_.erase(0, static_cast<std::size_t>(count));
  if (count < 0 && errno != EAGAIN && errno != EINTR) {
    close_if_open(party_.child.in);  // nobody reads any more: the process's end will tell why
    to_write_.clear();
  }
}

void Crew::read_words() {
  std::array<char, 4096> buffer;
  const ssize_t count = read(party_.child.err, buffer.data(), buffer.size());
  if (count > 0 && words_.size() < kMostWords) words_.append(buffer.data(), static_cast<std::size_t>(count));
  if (count == 0) close_if_open(party_.child.err);
}

void Crew::read_member(Seat& seat) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(seat.out, buffer.data(), buffer.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    seat.closed = Steady::now();
    return close_if_open(seat.out);
  }
  if (seat.first_word == Steady::time_point{}) seat.first_word = Steady::now();
  if (seat.ended) return;
  seat.intake.feed(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  const auto state = seat.intake.state();
  if (state == Intake::State::ready && first_hello_ == Steady::time_point{}) first_hello_ = Steady::now();
  if (state == Intake::State::refused) end_seat(seat, {Absence::malformed, seat.intake.why()});
  if (state == Intake::State::finished) seat.ended = true;
}

// A member that is being sent its agent isn't there yet: asked now, its clock would be late by the sending.
bool Crew::all_are_there() const {
  return std::all_of(seats_.begin(), seats_.end(), [](const Seat& seat) {
    const auto state = seat.intake.state();
    return seat.ended || (state != Intake::State::starting && state != Intake::State::needing);
  });
}

void Crew::answer_needs() {
  for (Seat& seat : seats_) {
    if (seat.ended || seat.intake.state() != Intake::State::needing) continue;
    const std::string& arch = seat.intake.arch();
    if (!agents_.has(arch)) {
      end_seat(seat, {Absence::unsupported, fmt::format("there is no agent for its architecture {}", arch)});
    } else if (frames_sent_.insert(arch).second) {
      to_write_ += agents_.frame(arch);
      if (request_sent_) send_request(true);
    }
  }
  const bool gathered =
      all_are_there() || (first_hello_ != Steady::time_point{} && Steady::now() - first_hello_ > kGathering);
  if (!request_sent_ && gathered) send_request(false);
}

void Crew::send_request(bool again) {
  to_write_ += request_;
  for (Seat& seat : seats_)
    if (!again || seat.intake.state() != Intake::State::ready) seat.intake.requested(now_ns());
  request_sent_ = true;
}

void Crew::end_seat(Seat& seat, const Absent& why) {
  if (seat.ended) return;
  seat.intake.end(why);
  seat.ended = true;
}

void Crew::watch_process() {
  if (exited_ || waitpid(party_.child.pid, &status_, WNOHANG) == 0) return;
  exited_ = true;
  status_ = WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
}

void Crew::tick() {
  if (ending_) over_ = over_ || ending_->over();
  if (ending_ || over_) return;
  answer_needs();
  const auto now = Steady::now();
  for (Seat& seat : seats_) {
    const bool spoke = seat.first_word != Steady::time_point{};
    if (!spoke && now - started_ > launcher_.start_limit())
      end_seat(seat, {Absence::timeout, fmt::format("no word within {} s", launcher_.start_limit().count())});
    if (spoke && now - seat.first_word > options_.host_limit)
      end_seat(seat, {Absence::timeout, fmt::format("no end within {} s", options_.host_limit.count())});
  }
  watch_process();
  // One of several has ended alone. If they all have, the process is about to end too and to say why.
  if (!exited_ && seats_.size() > 1)
    for (std::size_t i = 0; i < seats_.size(); ++i)
      if (seats_[i].out < 0 && now - seats_[i].closed > kFarewell)
        end_seat(seats_[i], {Absence::missing, launcher_.explain_member(party_.members[i].node, words_)});
  const bool all_ended = std::all_of(seats_.begin(), seats_.end(), [](const Seat& seat) { return seat.ended; });
  const bool all_closed = std::all_of(seats_.begin(), seats_.end(), [](const Seat& seat) { return seat.out < 0; });
  if (!all_ended && exited_ && (all_closed || party_.child.err < 0)) {
    for (Seat& seat : seats_)
      if (seat.out >= 0) read_member(seat);  // what it said last
    for (Seat& seat : seats_) end_seat(seat, {Absence::missing, launcher_.explain(status_, words_)});
  }
  if (std::all_of(seats_.begin(), seats_.end(), [](const Seat& seat) { return seat.ended; })) stop();
}

void Crew::stop() {
  if (ending_ || over_) return;
  to_write_.clear();
  close_if_open(party_.child.in);                     // the agents end by themselves at the end of their input
  for (Seat& seat : seats_) close_if_open(seat.out);  // nor must anything wait for us to read on
  if (exited_) {
    over_ = true;
  } else {
    ending_.emplace(party_.child.pid, kPatience, launcher_.grace());
  }
}

std::vector<StepResult> Crew::take() {
  std::vector<StepResult> steps;
  for (Seat& seat : seats_) {
    auto ended = seat.intake.take();
    std::move(ended.begin(), ended.end(), std::back_inserter(steps));
  }
  return steps;
}

}  // namespace assay::cluster
