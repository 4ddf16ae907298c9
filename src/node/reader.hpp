// A reader sees one kind of fact and says it as observations. One file under facts/ is one reader: it defines
//
//   const Reader assay::node::facts::NAME = {"name", "what it sees", limit, kEmits, read};
//
// with NAME the file's name, and nothing else anywhere knows of it: CMake lists the folder. A reader runs in a process
// of its own, so it may hang or crash and costs only itself.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "node/host.hpp"
#include "node/vocabulary.hpp"

namespace assay::node {

// Where a reader says what it saw. Subjects are relative to the node.
class Findings {
 public:
  using Sink = std::function<void(Observation)>;
  Findings(std::span<const Emits> vocabulary, Sink sink) : vocabulary_(vocabulary), sink_(std::move(sink)) {}

  // `from` is the file or command it was read from. The unit is the one declared for the name.
  void see(const Subject& subject, std::string_view name, Value value, std::string_view from);
  void absent(const Subject& subject, std::string_view name, const Absent& why, std::string_view from = {});

  // Whichever of the two applies.
  template <class T>
  void say(const Subject& subject, std::string_view name, const Seen<T>& seen, std::string_view from) {
    if (seen) {
      see(subject, name, Value(*seen), from);
    } else {
      absent(subject, name, seen.error(), from);
    }
  }

 private:
  void send(const Subject& subject, std::string_view name, std::variant<Value, Absent> seen, std::string_view from);
  std::span<const Emits> vocabulary_;
  Sink sink_;
};

struct Reader {
  std::string_view id;    // kebab-case
  std::string_view what;  // one line
  std::chrono::milliseconds limit;
  std::span<const Emits> emits;
  void (*read)(Host& host, Findings& findings);
};

// nullptr if there is no such reader.
const Reader* find_reader(std::string_view id);

// All readers, in the order of their names. Made by CMake from facts/*.cpp.
const std::vector<const Reader*>& readers();
// What they may say.
Vocabulary vocabulary();

}  // namespace assay::node
