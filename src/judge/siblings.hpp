// Parts of the cluster that ought to be alike, GPUs or adapters of one model, compared with each other wherever they
// are. What most of them have (majority.hpp) is the reference; where no value has more than half, nobody is odd and the
// difference is a warning on each.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/check.hpp"

namespace assay::judge {

// Values by the subjects that have them, to find who differs.
class Siblings {
 public:
  void add(const Subject& subject, std::string value, const Observation* observation);
  // Some that belong to them, but didn't tell their value.
  void add_silent(std::size_t count) { silent_ += count; }

  struct Member {
    Subject subject;
    std::string value;
    const Observation* observation;
  };
  const std::vector<Member>& members() const { return members_; }
  std::size_t all() const { return members_.size() + silent_; }
  bool uniform() const { return counts_.size() <= 1; }
  // The value that most of all have; empty if there is none.
  std::string majority() const;
  // "570.86.15 on 3, 550.54.15 on 1"
  std::string tally() const;

 private:
  std::vector<Member> members_;
  std::map<std::string, std::size_t> counts_;
  std::size_t silent_ = 0;
};

// Siblings by their model. One whose model wasn't seen may be of any.
class Models {
 public:
  Siblings& of(const std::string& model) { return by_model_[model]; }
  // One that didn't tell its value; nothing as its model if not even that.
  void add_silent(const std::optional<std::string>& model);
  // A node that didn't tell which it has: it may have as many as the node that told the most, of any model.
  void add_silent_node() { ++silent_nodes_; }

  // All models, once the silent ones are counted in.
  const std::map<std::string, Siblings>& all();

  // A verdict on every member: `what` is compared ("memory"), `shown` says a value as it is to be read.
  using Shown = std::function<std::string(const std::string& value)>;
  void judge(Judgement& judgement, std::string_view what, const Shown& shown);

 private:
  std::map<std::string, Siblings> by_model_;
  std::size_t most_of_a_node() const;

  std::size_t of_any_model_ = 0;
  std::size_t silent_nodes_ = 0;
};

}  // namespace assay::judge
