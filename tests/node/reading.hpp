// A reader run over a folder tree, in this process.
#pragma once

#include <string>
#include <vector>

#include "evidence/snapshot.hpp"
#include "node/reader.hpp"
#include "testing.hpp"

namespace assay::testing {

// Everything the reader says of the tree, under the node's subject "" — plus the transcript of what it read.
struct Reading {
  std::vector<Observation> observations;
  std::string transcript;

  // nullptr if it wasn't said. Subjects are relative: "", "gpu/0".
  const Observation* find(const std::string& subject, std::string_view name) const;
  // The value as text ("<absent reason>" for an absence, "<nothing>" if it wasn't said).
  std::string text(const std::string& subject, std::string_view name) const;
};

Reading read_tree(const std::string& reader, const std::string& root);
// On this running machine.
Reading read_live(const std::string& reader);

}  // namespace assay::testing
