// Reports onto disk. A file is there whole or not at all, so that nobody reads half a report.
#pragma once

#include <filesystem>

#include "report/model.hpp"

namespace assay::report {

// FOLDER/report.json and FOLDER/report.html.
Result<void> write_reports(const Report& report, const std::filesystem::path& folder);

// One file with this content, in place of what was there.
Result<void> write_whole(const std::filesystem::path& file, const std::string& content);

}  // namespace assay::report
