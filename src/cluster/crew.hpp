// One running party: its process, its members' streams, and what is still to be written to them.
#pragma once

#include <poll.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster/intake.hpp"
#include "cluster/session.hpp"

namespace assay::cluster {

class Crew {
 public:
  using Steady = std::chrono::steady_clock;

  // Takes over the party's descriptors. `work` is in the order of the party's members.
  Crew(Party party, const std::vector<Work>& work, Launcher& launcher, const AgentSet& agents,
       const SessionOptions& options);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();  // as stop(), and waits

  void add_to(std::vector<pollfd>& polled);
  // The entries that add_to() added, from `first` on.
  void serve(const pollfd* first);
  // Limits, and the process's own end.
  void tick();
  // No more is wanted: the process is ended, while whoever calls tick() goes on with others. What its members still had
  // to do is not recorded as failed.
  void stop();
  // Every member has ended, the process too; nothing more will come.
  bool over() const { return over_; }
  std::vector<StepResult> take();

 private:
  struct Seat {
    Intake intake;
    int out;
    Steady::time_point first_word{};
    Steady::time_point closed{};  // when its stream ended
    bool ended = false;
  };

  void read_member(Seat& seat);
  void read_words();
  void write_some();
  void answer_needs();
  void send_request(bool again);
  bool all_are_there() const;
  void end_seat(Seat& seat, const Absent& why);
  void watch_process();

  Party party_;
  Launcher& launcher_;
  const AgentSet& agents_;
  const SessionOptions& options_;
  std::vector<Seat> seats_;
  std::string request_;
  std::string to_write_;
  std::set<std::string> frames_sent_;
  bool request_sent_ = false;
  std::string words_;  // the process's stderr, bounded
  Steady::time_point started_ = Steady::now();
  Steady::time_point first_hello_{};
  bool exited_ = false;
  int status_ = 0;
  std::optional<process::Ending> ending_;
  bool over_ = false;
};

}  // namespace assay::cluster
