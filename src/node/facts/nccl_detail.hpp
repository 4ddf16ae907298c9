// NCCL's settings as the places that can hold them spell them. Pure: text in, settings out.
//
//   parse_conf         nccl.conf as NCCL's own setEnvFile reads it: up to the first '=' is the name, the rest the
//   value,
//                      nothing is trimmed, a line that begins with '#' or has no '=' says nothing, the first of two
//                      wins. "NCCL_ALGO = Ring" therefore sets a variable whose name ends in a blank: no setting of
//                      NCCL.
//   parse_environ      /proc/self/environ: entries that end in NUL
#pragma once

#include <string_view>

#include "evidence/observation.hpp"

namespace assay::node::nccl {

Record parse_conf(std::string_view text);
// Keeps NCCL_* and RCCL_* alone: the rest is nobody's business, and may be secret.
Record parse_environ(std::string_view bytes);

}  // namespace assay::node::nccl
