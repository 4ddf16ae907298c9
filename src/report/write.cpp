#include "report/write.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/descriptor.hpp"
#include "report/html.hpp"
#include "report/json.hpp"

namespace assay::report {

namespace fs = std::filesystem;

Result<void> write_whole(const fs::path& file, const std::string& content) {
  const fs::path partial = file.string() + fmt::format(".{}.part", getpid());
  const int fd = open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  int error = fd >= 0 && write_all(fd, content) && fsync(fd) == 0 ? 0 : errno;
  if (fd >= 0) close(fd);
  if (error == 0 && std::rename(partial.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) return {};
  unlink(partial.c_str());
  return failure({Error::Kind::environment, "to write a report", errno_words(error), file.string(),
                  "free some space or make the folder writable, then run assay report on the run's folder"});
}

Result<void> write_reports(const Report& report, const fs::path& folder) {
  if (auto written = write_whole(folder / "report.json", to_json_text(report)); !written) return written;
  return write_whole(folder / "report.html", to_html(report));
}

}  // namespace assay::report
