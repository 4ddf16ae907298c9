#include "app/paths.hpp"

#include <cstdlib>

namespace assay::app {

namespace {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

fs::path first_of(const char* variable, std::initializer_list<fs::path> candidates) {
  if (const char* told = std::getenv(variable); told != nullptr && *told != '\0') return told;
  std::error_code error;
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate, error)) return candidate;
  return *candidates.begin();
}

}  // namespace

fs::path data_folder() {
  const fs::path here = program_folder();
  return first_of("ASSAY_DATA", {here / "../share/assay/data", fs::path(ASSAY_SOURCE_DATA)});
}

fs::path agents_folder() {
  const fs::path here = program_folder();
  return first_of("ASSAY_AGENTS", {here / "../libexec/assay/agents", here / "agents"});
}

}  // namespace assay::app
