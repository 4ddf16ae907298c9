// Ctrl-C and its like, as a descriptor that becomes readable: what waits for nodes can wait for it too.
#pragma once

namespace assay::app {

// SIGINT, SIGTERM and SIGHUP from now on. The second of them ends us the hard way; nothing recorded is lost by it.
// -1 if there is no descriptor to be had.
int watch_stop_signals();

}  // namespace assay::app
