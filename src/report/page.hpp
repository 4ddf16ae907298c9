// The files of web/report, compiled in by CMake: the page works wherever the program does.
#pragma once

#include <string_view>

namespace assay::report::page {

extern const std::string_view kTemplate;
extern const std::string_view kStyle;
extern const std::string_view kScript;  // all .js files, in the order that src/CMakeLists.txt names

}  // namespace assay::report::page
