// Where assay's own files lie: beside the program in a build, under the prefix once installed, or where ASSAY_DATA and
// ASSAY_AGENTS say.
#pragma once

#include <filesystem>

namespace assay::app {

std::filesystem::path data_folder();    // holds checks/, rubrics/
std::filesystem::path agents_folder();  // holds ARCH/assay-agent

}  // namespace assay::app
