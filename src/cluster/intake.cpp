#include "cluster/intake.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/now.hpp"
#include "base/text.hpp"

namespace assay::cluster {

namespace {

constexpr std::size_t kMostBytes = 256u << 20;  // from one host in one session
constexpr std::size_t kMostBadLines = 10'000;
constexpr std::size_t kMostNoise = 16u << 10;
constexpr std::size_t kMostObservations = 100'000;  // of one reader

}  // namespace

Intake::Intake(Subject host, std::set<std::string> wanted, const node::Vocabulary& vocabulary)
    : host_(std::move(host)), wanted_(std::move(wanted)), vocabulary_(&vocabulary) {}

std::span<const node::Emits> Intake::emits_of(const std::string& reader) const {
  const auto found = vocabulary_->find(reader);
  return found == vocabulary_->end() ? std::span<const node::Emits>() : found->second;
}

void Intake::feed(std::string_view bytes) {
  bytes_ += bytes.size();
  if (bytes_ > kMostBytes) return refuse(fmt::format("it sent more than {} MiB", kMostBytes >> 20));
  while (!bytes.empty() && state_ != State::refused) {
    const auto end = bytes.find('\n');
    const auto piece = bytes.substr(0, end);
    if (!skipping_ && pending_.size() + piece.size() > node::kLongestLine) {
      noise(fmt::format("[a line of more than {} bytes]", node::kLongestLine));
      pending_.clear();
      skipping_ = true;
    }
    if (!skipping_) pending_ += piece;
    if (end == std::string_view::npos) return;
    if (!skipping_) line(pending_);
    pending_.clear();
    skipping_ = false;
    bytes.remove_prefix(end + 1);
  }
}

void Intake::line(std::string_view text) {
  if (text::trim(text).empty()) return;
  auto message = node::decode(text);
  if (!message) return noise(text);
  std::visit([this](auto& held) { accept(std::move(held)); }, *message);
}

// Logins greet, shells warn, and hostile hosts babble: the beginning is kept, for whoever asks why nothing came.
void Intake::noise(std::string_view text) {
  if (noise_.size() < kMostNoise) noise_.append(text.substr(0, kMostNoise - noise_.size())).append("\n");
  if (++bad_lines_ > kMostBadLines) refuse(fmt::format("it sent more than {} lines that mean nothing", kMostBadLines));
}

void Intake::refuse(std::string why) {
  if (state_ == State::refused) return;
  state_ = State::refused;
  why_ = std::move(why);
}

void Intake::accept(const node::Hello& hello) {
  if (state_ != State::starting && state_ != State::needing) return;
  if (hello.protocol != node::kProtocol)
    return refuse(fmt::format("its agent speaks protocol {}, and this assay {}", hello.protocol, node::kProtocol));
  state_ = State::ready;
  host_facts_.push_back(own("agent.version", Value(hello.agent)));
  host_facts_.push_back(own("agent.uid", Value(std::int64_t{hello.uid})));
}

void Intake::accept(const node::Need& need) {
  if (state_ != State::starting) return;
  if (need.arch.empty())
    return refuse("no folder there is writable and allows execution (/tmp, /dev/shm, /run, $HOME)");
  state_ = State::needing;
  arch_ = need.arch;
}

// The answer left the host between our asking and its arrival here: half of that time is how sure we can be.
void Intake::accept(const node::Clock& clock) {
  if (requested_ == 0 || clock.time <= 0) return;
  const std::int64_t arrived = now_ns();
  const double middle = static_cast<double>(requested_) + static_cast<double>(arrived - requested_) / 2;
  host_facts_.push_back(own("clock.offset-from-master", Value((static_cast<double>(clock.time) - middle) / 1e9), "s"));
  host_facts_.push_back(own("clock.offset-uncertainty", Value(static_cast<double>(arrived - requested_) / 2e9), "s"));
  requested_ = 0;
}

void Intake::accept(node::Raw raw) {
  if (!wanted_.contains(raw.reader)) return;
  StepResult& step = open_[raw.reader];
  if (step.raw.size() + raw.bytes.size() > 2 * node::kMostRaw) {
    step.detail = fmt::format("more than {} bytes of raw output", 2 * node::kMostRaw);
    return;
  }
  step.raw.append("== ").append(raw.heading).append("\n").append(raw.bytes);
  if (!raw.bytes.ends_with('\n')) step.raw += '\n';
}

void Intake::accept(node::Sighting sighting) {
  if (node::declared(emits_of(sighting.reader), sighting.observation.name) == nullptr)
    return noise(fmt::format("[{} said {}, which it has not declared]", sighting.reader, sighting.observation.name));
  if (!wanted_.contains(sighting.reader)) return;
  StepResult& step = open_[sighting.reader];
  if (step.observations.size() >= kMostObservations) {
    step.detail = fmt::format("more than {} observations", kMostObservations);
    return;
  }
  const auto subject = Subject::parse(host_.join(sighting.observation.subject).path());
  if (!subject) return noise(fmt::format("[{} spoke of a subject too deep or too long]", sighting.reader));
  sighting.observation.subject = *subject;
  step.observations.push_back(std::move(sighting.observation));
}

void Intake::accept(const node::Done& done) {
  if (!wanted_.contains(done.reader)) return;
  StepResult& step = open_[done.reader];
  if (!step.detail.empty()) {  // past a bound: a part is not taken for the whole
    step.observations.clear();
    return close_step(done.reader, StepState::done,
                      {Absence::malformed, fmt::format("the reader {} sent {}", done.reader, step.detail)});
  }
  if (done.state == "ok") return close_step(done.reader, StepState::done, {});
  const bool late = done.state == "timeout";
  // A reader that hung or crashed did end: asking again would only hang again, so resume leaves it be.
  close_step(done.reader, StepState::done,
             {late ? Absence::timeout : Absence::malformed,
              fmt::format("the reader {} {}: {}", done.reader, late ? "timed out" : "crashed", done.detail)});
}

void Intake::accept(const node::Finished&) {
  if (state_ != State::ready) return;
  state_ = State::finished;
  for (const std::string& reader : std::set<std::string>(wanted_))
    close_step(reader, StepState::failed,
               {Absence::malformed, "the agent finished without a word of the reader " + reader});
  record_host(StepState::done, Value(true));
}

// A step that ended badly says so for every name of the node itself that it should have said: a check then knows why it
// has nothing, and nobody mistakes silence for absence.
void Intake::close_step(const std::string& id, StepState state, const Absent& why) {
  StepResult step = std::move(open_[id]);
  open_.erase(id);
  step.key = {host_.path(), id};
  step.state = state;
  step.detail = why.detail;
  if (!why.detail.empty()) {
    for (const node::Emits& emits : emits_of(id)) {
      const bool said = std::any_of(step.observations.begin(), step.observations.end(),
                                    [&](const Observation& o) { return o.name == emits.name && o.subject == host_; });
      if (emits.subject.empty() && !emits.name.ends_with('*') && !said)
        step.observations.push_back(own(std::string(emits.name), why));
    }
  }
  wanted_.erase(id);
  ended_.push_back(std::move(step));
}

void Intake::record_host(StepState state, std::variant<Value, Absent> answered) {
  StepResult step;
  step.key = {host_.path(), "agent"};
  step.state = state;
  if (const Absent* absent = std::get_if<Absent>(&answered)) step.detail = absent->detail;
  step.observations = std::move(host_facts_);
  step.observations.push_back(own("agent.answered", std::move(answered)));
  step.raw = std::move(noise_);
  ended_.push_back(std::move(step));
}

void Intake::end(const Absent& why) {
  if (state_ == State::finished) return;
  const Absent reason = state_ == State::refused ? Absent{Absence::malformed, why_} : why;
  // A host that isn't there says nothing of what it lacks: only a reader that looked may call a thing missing.
  const Absent unasked{reason.reason == Absence::missing ? Absence::timeout : reason.reason, reason.detail};
  for (const std::string& reader : std::set<std::string>(wanted_)) close_step(reader, StepState::failed, unasked);
  record_host(StepState::failed, reason);
  state_ = State::finished;
}

Observation Intake::own(std::string name, std::variant<Value, Absent> seen, std::string unit) const {
  return {0, host_, std::move(name), std::move(seen), std::move(unit), now_ns(), "assay", {}};
}

std::vector<StepResult> Intake::take() { return std::exchange(ended_, {}); }

}  // namespace assay::cluster
