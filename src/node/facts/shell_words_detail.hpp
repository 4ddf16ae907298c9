// A shell script taken apart into simple commands, without running any of it: words with their quotes taken off, and
// the operator that ends each command. What is substituted ($X, $(…), `…`) stays as it is written. Comments,
// redirections and here-documents are left out. Any text is read; one that no shell would take gives some words all the
// same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::node::shell {

struct Command {
  std::vector<std::string> words;
  std::string end;  // "\n", ";", "&", "&&", "|", "||", "(", ")"; empty at the end of the text
};

std::vector<Command> commands(std::string_view text);

}  // namespace assay::node::shell
