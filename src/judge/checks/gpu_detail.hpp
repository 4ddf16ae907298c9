// What checks on GPUs share: which nodes have any, each GPU in turn, and values compared between siblings.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "judge/check.hpp"

namespace assay::judge::gpu {

// Calls `each` for every GPU of every node. A node without GPUs is not applicable, one whose GPUs couldn't be counted
// unknown, and so is one of which fewer were seen than its driver counts.
void for_each(const Snapshot& snapshot, Judgement& judgement,
              const std::function<void(const Subject& node, const Subject& gpu)>& each);

// Calls `each` for every node that has GPUs; the others as above.
void for_each_node(const Snapshot& snapshot, Judgement& judgement, const std::function<void(const Subject&)>& each);

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
  // The value that most of all have (judge/majority.hpp); empty if there is none.
  std::string majority() const;
  // "570.86.15 on 3, 550.54.15 on 1"
  std::string tally() const;

 private:
  std::vector<Member> members_;
  std::map<std::string, std::size_t> counts_;
  std::size_t silent_ = 0;
};

// One value of each node with GPUs, compared over the cluster: the odd nodes fail; without a majority the
// difference is a warning on the cluster.
void judge_uniform(const Snapshot& snapshot, Judgement& judgement, std::string_view observation, std::string_view what);

// The row of gpu-generations for a product name, by its whole words; nullptr if none of them is known.
const Record* generation_of(const catalog::Table& generations, std::string_view product);

}  // namespace assay::judge::gpu
