#include "advisory/archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "advisory/unpack.hpp"
#include "base/descriptor.hpp"
#include "base/text.hpp"

namespace assay::advisory {

namespace {

namespace fs = std::filesystem;

// Folders in folders; no feed comes near it.
constexpr int kDeepest = 32;

struct File {
  int fd = -1;
  struct stat status = {};
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close_if_open(fd); }
};

class Walk {
 public:
  Walk(const Bounds& bounds, const Take& take, const Refuse& refuse) : bounds_(bounds), take_(take), refuse_(refuse) {}

  // False: `take` or a bound said to stop.
  bool folder(const fs::path& path, int depth);
  // `named`: a person gave this name, so that a document may have any.
  bool file(const fs::path& path, bool named);

 private:
  bool document(File& file, const std::string& name);
  std::vector<fs::path> entries(const fs::path& path);
  bool refused(const std::string& name, std::string came, std::string why) {
    refuse_({text::to_utf8(name), "", std::move(came), std::move(why)});
    return true;
  }

  const Bounds& bounds_;
  const Take& take_;
  const Refuse& refuse_;
  std::uint64_t seen_ = 0;
};

std::vector<fs::path> Walk::entries(const fs::path& path) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::directory_iterator entry(path, error);
  // One over the bound is enough to tell that there are too many.
  for (; !error && entry != fs::directory_iterator() && seen_ + found.size() <= bounds_.documents;
       entry.increment(error))
    if (!entry->path().filename().string().starts_with('.')) found.push_back(entry->path());
  if (error) refused(path.string(), error.message(), "a folder that can be listed");
  std::sort(found.begin(), found.end());
  return found;
}

bool Walk::folder(const fs::path& path, int depth) {
  if (depth > kDeepest)
    return refused(path.string(), "a deeper one", fmt::format("at most {} folders inside one another", kDeepest));
  for (const fs::path& entry : entries(path)) {
    std::error_code error;
    const auto status = fs::symlink_status(entry, error);
    if (fs::is_directory(status)) {
      if (!folder(entry, depth + 1)) return false;
    } else if (kind_of(entry.string()) != Kind::none && !file(entry, false)) {
      return false;
    }
  }
  return true;
}

bool Walk::file(const fs::path& path, bool named) {
  const std::string name = path.string();
  if (++seen_ > bounds_.documents) {
    refused(name, "more", fmt::format("at most {} files in a folder", bounds_.documents));
    return false;
  }
  File file;
  // Not blocking, as opening a FIFO would wait for somebody to write into it.
  file.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (named ? 0 : O_NOFOLLOW));
  if (file.fd < 0) return refused(name, errno == ELOOP ? "a link" : errno_words(errno), "a file that can be read");
  if (::fstat(file.fd, &file.status) != 0 || !S_ISREG(file.status.st_mode))
    return refused(name, "a device, a pipe or a socket", "a file");
  const Kind kind = kind_of(name);
  if (kind == Kind::none || kind == Kind::plain) return document(file, name);
  return unpack({file.fd, text::to_utf8(name), kind}, bounds_, take_, refuse_);
}

bool Walk::document(File& file, const std::string& name) {
  const auto over = [&] {
    return refused(name, "a larger one", fmt::format("a document of at most {} bytes", bounds_.document));
  };
  if (static_cast<std::uint64_t>(file.status.st_size) > bounds_.document) return over();
  std::string text;
  // Its size is a hint only: it may grow while it is read, and files of /proc say 0.
  text.reserve(static_cast<std::size_t>(file.status.st_size) + kPadding);
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t got = ::read(file.fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refused(name, errno_words(errno), "a file that can be read");
    if (got == 0) break;
    if (text.size() + static_cast<std::size_t>(got) > bounds_.document) return over();
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  const std::size_t size = text.size();
  text.resize(size + kPadding);
  return take_({text::to_utf8(name), std::string_view(text).substr(0, size)});
}

}  // namespace

Result<void> each_document(const fs::path& path, const Bounds& bounds, const Take& take, const Refuse& refuse) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status))
    return failure({Error::Kind::usage, "a file or a folder of advisories",
                    error ? errno_words(error.value()) : "nothing there", path.string(), "give its path"});
  Walk walk(bounds, take, refuse);
  if (fs::is_directory(status))
    walk.folder(path, 0);
  else
    walk.file(path, true);
  return {};
}

}  // namespace assay::advisory
