// Secrets never leave the node: the value of anything that is named like a password, token or key is taken out of raw
// output and of observations before they are sent. Names are matched, values aren't guessed at.
#pragma once

#include <string>
#include <string_view>

namespace assay::node {

// Line by line: `Name=value`, `name: value`, `"name": "value"` with a secret's name, Authorization headers, URLs with
// user:password@, and the bodies of PEM private keys.
std::string redact(std::string_view text);
// The value of a field whose name is known.
std::string redact_field(std::string_view name, std::string_view value);

}  // namespace assay::node
