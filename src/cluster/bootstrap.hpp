// How the agent gets onto a node: over the same stdin that later carries requests, so that ssh, srun and the local case
// are one way, nothing is copied beforehand, and a mixed cluster is served in one go.
//
//   master → SIZE, and SIZE bytes of script          the one command that is started there reads and runs it
//
//   master → boot SUM_X86_64 SUM_AARCH64 FOLDER     look first at FOLDER/ARCH/assay-agent, if its SHA-256 is right
//
//   node   → {"type":"need","arch":"aarch64"}       it isn't there
//
//   master → agent aarch64 SIZE                     then SIZE bytes; nodes of another architecture read past them
//
// The script that does this on the node is a constant: no data is ever put into a shell line. It goes the same way as
// all else, because ssh hands its command to the user's login shell there, and what csh, fish and sh read alike is one
// line in single quotes with no "!" and no backslash. The agent is written into
// a file that has lost its name already (made by mktemp in the first place that allows execution), and is started
// through its descriptor: however anything ends, nothing stays behind. Members of one srun share one stdin, so a frame
// may come after a request has been sent: the request is then sent again, and agents that served it ignore it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace assay::cluster {

struct AgentBinary {
  std::filesystem::path file;
  std::string sha256;
  std::string bytes;
};

class AgentSet {
 public:
  // `folder` holds ARCH/assay-agent for each architecture there is; at least this machine's must be there.
  static Result<AgentSet> load(const std::filesystem::path& folder);

  std::string boot() const;  // the script and the boot line
  bool has(const std::string& arch) const { return binaries_.contains(arch); }
  std::string frame(const std::string& arch) const;  // the heading line and the bytes

 private:
  std::filesystem::path folder_;
  std::map<std::string, AgentBinary> binaries_;
};

// Reads the script and runs it; ready for a launcher.
std::vector<std::string> bootstrap_command();
// For launchers that hand one string to a remote shell (ssh): the same, quoted.
std::string bootstrap_command_line();

}  // namespace assay::cluster
