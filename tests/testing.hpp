// What most tests need: a folder tree that stands for a machine, a reader run over it, a snapshot written by hand, and
// one check judged by itself.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/observation.hpp"
#include "evidence/verdict.hpp"

namespace assay::testing {

// A folder under the system's temporary one, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string string() const { return path_.string(); }
  // Writes a file below it, making the folders above the file; `name` may begin with "/".
  void write(const std::string& name, std::string_view content) const;
  void link(const std::string& name, const std::string& target) const;

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& file);

// "" unless ../shared/samples (real captures, beside the checkout) is there; such tests skip with GTEST_SKIP.
std::filesystem::path samples();

Observation seen(const std::string& subject, const std::string& name, Value value, const std::string& unit = {});
Observation unseen(const std::string& subject, const std::string& name, Absence reason, const std::string& detail = {});

}  // namespace assay::testing
