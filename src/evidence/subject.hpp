// What is spoken of, as a path of kind/id pairs: cluster/acme/node/n1/gpu/0. An agent names its own parts only
// ("gpu/0", "" for itself); whoever started it puts the node's name in front, so that no node can speak of another.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace assay {

class Subject {
 public:
  Subject() = default;  // the empty path: an agent's own node

  // Strict: kinds are [a-z][a-z0-9-]*, ids are [A-Za-z0-9._:@+=,~-] and %XX; at most 512 bytes and 8 pairs.
  static Result<Subject> parse(std::string_view path);

  // Any text is a fine id: what the grammar doesn't hold is percent-encoded (/home becomes %2Fhome), and an id of more
  // than 120 bytes is cut.
  Subject child(std::string_view kind, std::string_view id) const;
  // This path followed by a relative one.
  Subject join(const Subject& relative) const;

  const std::string& path() const { return path_; }
  bool empty() const { return path_.empty(); }
  // Of the last pair; the id is decoded again.
  std::string_view kind() const;
  std::string id() const;
  Subject parent() const;
  // Is this subject `other`, or a part of it?
  bool within(const Subject& other) const;
  // The nearest enclosing subject (or itself) of a kind, or an empty one.
  Subject enclosing(std::string_view kind) const;

  auto operator<=>(const Subject&) const = default;

 private:
  explicit Subject(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace assay
