#include "cluster/bootstrap.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <iterator>

#include "evidence/artifacts.hpp"

namespace assay::cluster {

namespace {

namespace fs = std::filesystem;

constexpr const char* kScript =
#include "cluster/bootstrap_script.inc"
    ;

// head -c takes no byte too many, and the shell's own read none past its line.
constexpr const char* kLoader = R"sh(read -r size && eval "$(head -c "$size")")sh";

Result<AgentBinary> load_binary(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return failure(
        {Error::Kind::environment, "the agent", errno_words(errno), file.string(), "build or install assay again"});
  std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  std::string sha = artifacts::sha256(bytes);
  return AgentBinary{file, std::move(sha), std::move(bytes)};
}

}  // namespace

Result<AgentSet> AgentSet::load(const fs::path& folder) {
  AgentSet set;
  std::error_code error;
  set.folder_ = fs::canonical(folder, error);
  for (const char* arch : {"x86_64", "aarch64"}) {
    const fs::path file = folder / arch / "assay-agent";
    if (!fs::exists(file, error)) continue;
    auto binary = load_binary(file);
    if (!binary) return failure(binary.error());
    set.binaries_.emplace(arch, std::move(*binary));
  }
  if (set.binaries_.empty())
    return failure({Error::Kind::environment, "an agent in ARCH/assay-agent", "none", folder.string(),
                    "build or install assay again, or set ASSAY_AGENTS to the folder"});
  return set;
}

std::string AgentSet::boot() const {
  const auto sum = [&](const char* arch) {
    const auto found = binaries_.find(arch);
    return found == binaries_.end() ? std::string("none") : found->second.sha256;
  };
  return fmt::format("{}\n{}boot {} {} {}\n", std::string_view(kScript).size(), kScript, sum("x86_64"), sum("aarch64"),
                     folder_.string());
}

std::string AgentSet::frame(const std::string& arch) const {
  const std::string& bytes = binaries_.at(arch).bytes;
  return fmt::format("agent {} {}\n", arch, bytes.size()) + bytes;
}

std::vector<std::string> bootstrap_command() { return {"/bin/sh", "-c", kLoader}; }

std::string bootstrap_command_line() { return fmt::format("exec /bin/sh -c '{}'", kLoader); }

}  // namespace assay::cluster
