#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay {

std::string base64_encode(std::string_view bytes);
// Strict RFC 4648 with padding; nothing for anything else.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace assay
