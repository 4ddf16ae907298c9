#include "testing.hpp"

#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay::testing {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "assay-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::string& name, std::string_view content) const {
  const fs::path file = path_ / fs::path(name).relative_path();
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
}

void TemporaryFolder::link(const std::string& name, const std::string& target) const {
  const fs::path file = path_ / fs::path(name).relative_path();
  fs::create_directories(file.parent_path());
  fs::create_symlink(target, file);
}

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(stream)), {});
}

fs::path samples() {
  const fs::path folder = fs::path(ASSAY_SOURCE_DIR).parent_path() / "shared" / "samples";
  return fs::exists(folder) ? folder : fs::path();
}

Observation seen(const std::string& subject, const std::string& name, Value value, const std::string& unit) {
  static std::int64_t next = 1;
  return {next++, Subject::parse(subject).value(), name, std::move(value), unit, 0, "test", {}};
}

Observation unseen(const std::string& subject, const std::string& name, Absence reason, const std::string& detail) {
  static std::int64_t next = 1'000'000;
  return {next++, Subject::parse(subject).value(), name, Absent{reason, detail}, {}, 0, "test", {}};
}

}  // namespace assay::testing
