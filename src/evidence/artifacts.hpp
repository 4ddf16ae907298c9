// Raw output, compressed with zstd and named by its SHA-256: the same output of a hundred nodes is kept once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace assay::artifacts {

std::string sha256(std::string_view bytes);  // 64 hex digits

// Writes each under `folder` unless it is there already; durable when it returns. Gives the SHA-256 of each. Together
// they cost the disk little more than one alone: all are written before the first is waited for.
Result<std::vector<std::string>> put(const std::filesystem::path& folder, const std::vector<std::string_view>& each);
Result<std::string> put(const std::filesystem::path& folder, std::string_view bytes);
// Reads it back, and refuses what doesn't match its name.
bool holds(const std::filesystem::path& folder, const std::string& sha);
Result<std::string> get(const std::filesystem::path& folder, const std::string& sha256);

}  // namespace assay::artifacts
