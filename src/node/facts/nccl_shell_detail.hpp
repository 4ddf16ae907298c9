// What a login's shell scripts hand to every program as NCCL's settings. Nothing is run: an assignment counts if it is
// exported, before or after; one that stands under a condition, in a loop, a function or behind && may be in force or
// not, and is told apart. Of two assignments the last wins.
#pragma once

#include <string_view>

#include "evidence/observation.hpp"

namespace assay::node::nccl {

struct ShellSettings {
  Record sure;
  Record conditional;
};

// NCCL_* and RCCL_* alone: the rest is nobody's business, and may be secret.
class ShellReader {
 public:
  enum class Dialect { sh, csh };
  // Scripts in the order in which a login reads them.
  void read(std::string_view script, Dialect dialect);
  ShellSettings settings() const;

 private:
  struct Variable {
    std::string sure, conditional;
    bool has_sure = false, has_conditional = false;
    bool exported = false, perhaps_exported = false;
  };
  class Script;
  std::map<std::string, Variable, std::less<>> variables_;
  bool export_all_ = false;          // set -a
  bool perhaps_export_all_ = false;  // set -a under a condition
};

// Lines of NAME=VALUE without a shell around them: /etc/environment, environment.d.
Record parse_environment(std::string_view text);
// pam_env.conf: NAME DEFAULT=value OVERRIDE=value.
Record parse_pam_env(std::string_view text);

}  // namespace assay::node::nccl
