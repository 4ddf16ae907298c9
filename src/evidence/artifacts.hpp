// Raw output, compressed with zstd and named by its SHA-256: the same output of a hundred nodes is kept once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace assay::artifacts {

std::string sha256(std::string_view bytes);  // 64 hex digits

// Writes `bytes` under `folder` unless they are there already; durable when it returns. Gives the SHA-256.
Result<std::string> put(const std::filesystem::path& folder, std::string_view bytes);
// Reads it back, and refuses what doesn't match its name.
Result<std::string> get(const std::filesystem::path& folder, const std::string& sha256);

}  // namespace assay::artifacts
