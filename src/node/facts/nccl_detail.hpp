// NCCL's settings as the places that can hold them spell them. Pure: text in, settings out.
//
//   parse_conf         nccl.conf as NCCL's own setEnvFile reads it: up to the first '=' is the name, the rest the
//   value,
//                      nothing is trimmed, a line that begins with '#' or has no '=' says nothing, the first of two
//                      wins. "NCCL_ALGO = Ring" therefore sets a variable whose name ends in a blank: no setting of
//                      NCCL.
//   parse_environ      /proc/self/environ: entries that end in NUL
//   parse_shell        what a shell script under /etc/profile.d sets or exports, and /etc/environment, which looks the
//                      same; conditions around assignments aren't evaluated; the last of two wins
#pragma once

#include <string_view>

#include "evidence/observation.hpp"

namespace assay::node::nccl {

Record parse_conf(std::string_view text);
// These two keep NCCL_* and RCCL_* alone: the rest is nobody's business, and may be secret.
Record parse_environ(std::string_view bytes);
Record parse_shell(std::string_view text);

}  // namespace assay::node::nccl
