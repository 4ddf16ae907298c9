// What one host sends, byte by byte, made into recorded steps. Everything here comes from a machine nobody vouches for:
// lines are bounded and parsed strictly, subjects are put under the host's own name (so it can't speak of another),
// names must be ones that the reader has declared, and what isn't understood is counted, kept as noise within bounds,
// and costs nothing but itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/store.hpp"
#include "node/protocol.hpp"
#include "node/vocabulary.hpp"

namespace assay::cluster {

class Intake {
 public:
  enum class State {
    starting,  // nothing understood yet
    needing,   // the bootstrap asked for the agent
    ready,     // the agent said hello
    finished,  // it served the request
    refused,   // it can't be worked with; why() tells
  };

  // `wanted`: the readers whose steps are still to do on this host; `vocabulary` outlives this.
  Intake(Subject host, std::set<std::string> wanted, const node::Vocabulary& vocabulary);

  void feed(std::string_view bytes);
  // The request went out at this time (ns since 1970, our clock): the agent's answer tells its clock's offset.
  void requested(std::int64_t time) { requested_ = time; }
  // No more will come. What is still wanted is recorded as failed for this reason.
  void end(const Absent& why);

  State state() const { return state_; }
  const std::string& why() const { return why_; }    // of refused
  const std::string& arch() const { return arch_; }  // of needing
  const Subject& host() const { return host_; }
  std::size_t steps_left() const { return wanted_.size(); }
  // Steps that ended since the last call.
  std::vector<StepResult> take();

 private:
  void line(std::string_view text);
  void accept(const node::Hello& hello);
  void accept(const node::Need& need);
  void accept(const node::Clock& clock);
  void accept(node::Raw raw);
  void accept(node::Sighting sighting);
  void accept(const node::Done& done);
  void accept(const node::Finished& finished);
  void noise(std::string_view text);
  void refuse(std::string why);
  void close_step(const std::string& reader, StepState state, const Absent& why);
  void record_host(StepState state, std::variant<Value, Absent> answered);
  std::span<const node::Emits> emits_of(const std::string& reader) const;
  Observation own(std::string name, std::variant<Value, Absent> seen, std::string unit = {}) const;

  Subject host_;
  std::set<std::string> wanted_;
  const node::Vocabulary* vocabulary_;
  State state_ = State::starting;
  std::string why_;
  std::string arch_;
  std::string pending_;
  bool skipping_ = false;  // the rest of an overlong line
  std::size_t bytes_ = 0;
  std::size_t bad_lines_ = 0;
  std::string noise_;
  std::int64_t requested_ = 0;
  std::vector<Observation> host_facts_;
  std::map<std::string, StepResult> open_;  // by reader
  std::vector<StepResult> ended_;
};

}  // namespace assay::cluster
