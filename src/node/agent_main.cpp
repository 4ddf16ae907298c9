// assay-agent: looks at the machine it runs on, or at a folder that stands for one, and changes nothing.
//   assay-agent                 serves JSON lines on stdin and stdout until the end of input
//   assay-agent --vocabulary    prints every observation name it can say
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "node/agent.hpp"
#include "node/reader.hpp"
#include "node/version.hpp"

namespace {

int print_vocabulary() {
  for (const assay::node::Reader* reader : assay::node::readers())
    for (const assay::node::Emits& emits : reader->emits)
      std::printf("%s\t%s\t%s\t%s\t%s\n", std::string(reader->id).c_str(), std::string(emits.name).c_str(),
                  std::string(emits.subject).c_str(), std::string(emits.unit).c_str(),
                  std::string(emits.meaning).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  if (option == "--vocabulary") return print_vocabulary();
  if (option == "--version") return std::printf("assay-agent %s\n", assay::node::kVersion) < 0;
  if (!option.empty()) {
    std::fprintf(stderr, "assay-agent: expected --vocabulary, --version or nothing, got %s\n", argv[1]);
    return 2;
  }
  signal(SIGCHLD, SIG_DFL);  // ignored by whoever started us, it would hide how readers end
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);    // a reader that crashes leaves nothing on the node
  setpriority(PRIO_PROCESS, 0, 5);  // a guest on the node: its jobs come first
  return assay::node::serve(STDIN_FILENO, STDOUT_FILENO);
}
