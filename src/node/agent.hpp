// The agent: reads requests on one descriptor, runs readers, and says what they saw on another (see protocol.hpp). Each
// reader runs in a child process, a few at once; a child that hangs is killed at its reader's limit and one that
// crashes is told as such, and the others go on. The agent itself keeps nothing but the lines in flight.
#pragma once

#include "node/reader.hpp"

namespace assay::node {

// Serves until the end of input; returns the exit status.
int serve(int in, int out, const std::vector<const Reader*>& known = readers());

}  // namespace assay::node
