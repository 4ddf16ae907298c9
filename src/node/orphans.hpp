// Programs that a reader left running: each is in a process group of its own, so ending the reader's group misses them.
// The agent is their reaper (PR_SET_CHILD_SUBREAPER): they become its children when the reader is gone, and are told by
// their session, which is the reader's.
#pragma once

#include <sys/types.h>

#include <set>

namespace assay::node {

// From now on orphans below this process become its children.
void adopt_orphans();

// Ends and reaps our children whose session is neither our own nor one of these readers'. True if none is left; one
// that was just killed, or is stuck in the kernel, may need another call.
bool end_orphans(const std::set<pid_t>& readers);

}  // namespace assay::node
