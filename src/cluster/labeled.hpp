// The streams of many tasks out of the one of `srun --label`: lines that begin with "12: " belong to task 12, and srun
// itself writes the label, so a task can't speak for another. A thread does the sorting, for the session wants a
// descriptor per node. srun's own words on stderr ("srun: error: n3: task 2: Killed") say which tasks have ended: their
// stream is closed then, so that a dead node isn't waited for.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "node/frame.hpp"

namespace assay::cluster {

// "12: rest" → {12, "rest"}; task -1 if there is no label.
struct Labeled {
  int task = -1;
  std::string_view rest;
};
Labeled unlabel(std::string_view line);

// "srun: error: n3: tasks 2,4-5: Killed" → {2,4,5}; empty for any other line.
std::vector<int> ended_tasks(std::string_view line);

class Sorter {
 public:
  // Takes over srun's descriptors. One stream per task is made; take_stream() hands out their reading ends, once.
  static Result<std::unique_ptr<Sorter>> start(int srun_out, int srun_err, std::size_t tasks);
  Sorter(const Sorter&) = delete;
  Sorter& operator=(const Sorter&) = delete;
  ~Sorter();  // waits for the thread, which ends with srun

  int take_stream(std::size_t task) { return std::exchange(streams_[task], -1); }
  int take_words() { return std::exchange(words_, -1); }  // srun's own words and the tasks' stderr

 private:
  struct Source {
    int fd = -1;
    std::string pending;
    bool skipping = false;
  };
  struct Task {
    int to = -1;
    node::Unframer unframer;
  };

  Sorter() = default;
  void run();
  bool read_lines(Source& source, void (Sorter::*take)(std::string_view));
  void take_output(std::string_view line);
  void take_word(std::string_view line);
  void close_task(std::size_t task);

  std::vector<int> streams_;
  int words_ = -1;
  std::vector<Task> tasks_;
  int words_to_ = -1;
  Source out_;
  Source err_;
  std::thread thread_;
};

}  // namespace assay::cluster
