#include "evidence/artifacts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <utility>

namespace assay::artifacts {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kLargest = 256u << 20;

fs::path path_of(const fs::path& folder, const std::string& sha) { return folder / sha.substr(0, 2) / (sha + ".zst"); }

tl::unexpected<Error> cannot_write(const fs::path& file, int error) {
  return failure({Error::Kind::environment, "to write an artifact", errno_words(error), file.string(),
                  "free some space or make the folder writable, then go on with --resume"});
}

// Files that will be wholly there under their names, or not there at all.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    for (Entry& entry : entries_) {
      if (entry.fd < 0) continue;
      close(entry.fd);
      unlink(entry.partial.c_str());
    }
  }

  bool holds(const fs::path& file) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.file == file; });
  }

  Result<void> write(const fs::path& file, const std::string& bytes) {
    const fs::path partial = file.string() + fmt::format(".{}.part", getpid());
    const int fd = open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return cannot_write(partial, errno);
    entries_.push_back({file, partial, fd});
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) return cannot_write(file, errno);
    if (static_cast<std::size_t>(written) < bytes.size()) return cannot_write(file, ENOSPC);
    return {};
  }

  Result<void> settle() {
    for (Entry& entry : entries_)
      if (fdatasync(entry.fd) != 0) return cannot_write(entry.file, errno);
    for (Entry& entry : entries_) {
      if (std::rename(entry.partial.c_str(), entry.file.c_str()) != 0) return cannot_write(entry.file, errno);
      close(std::exchange(entry.fd, -1));
    }
    entries_.clear();
    return {};
  }

  // Descriptors are bounded too.
  bool full() const { return entries_.size() >= 128; }

 private:
  struct Entry {
    fs::path file;
    fs::path partial;
    int fd = -1;
  };
  std::vector<Entry> entries_;
};

std::string compress(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
  return packed;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

Result<std::vector<std::string>> put(const fs::path& folder, const std::vector<std::string_view>& each) {
  std::vector<std::string> shas;
  Batch batch;
  for (const std::string_view bytes : each) {
    shas.push_back(sha256(bytes));
    const fs::path file = path_of(folder, shas.back());
    std::error_code error;
    if (fs::exists(file, error) || batch.holds(file)) continue;
    fs::create_directories(file.parent_path(), error);
    if (error) return cannot_write(file.parent_path(), error.value());
    if (auto written = batch.write(file, compress(bytes)); !written) return failure(written.error());
    if (!batch.full()) continue;
    if (auto settled = batch.settle(); !settled) return failure(settled.error());
  }
  if (auto settled = batch.settle(); !settled) return failure(settled.error());
  return shas;
}

Result<std::string> put(const fs::path& folder, std::string_view bytes) {
  auto shas = put(folder, std::vector<std::string_view>{bytes});
  if (!shas) return failure(shas.error());
  return std::move(shas->front());
}

bool holds(const fs::path& folder, const std::string& sha) {
  std::error_code error;
  return fs::is_regular_file(path_of(folder, sha), error);
}

Result<std::string> get(const fs::path& folder, const std::string& sha) {
  const fs::path file = path_of(folder, sha);
  const auto refuse = [&](std::string came) {
    return failure({Error::Kind::usage, "the artifact " + sha, std::move(came), file.string(),
                    "the run folder was changed or is not whole"});
  };
  if (!holds(folder, sha)) return refuse("no such file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return refuse("one that can't be opened");
  const std::string packed((std::istreambuf_iterator<char>(stream)), {});
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargest)
    return refuse("no zstd frame");
  std::string bytes(size, '\0');
  const std::size_t length = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(length) != 0 || length != size || sha256(bytes) != sha)
    return refuse("other content than its name says");
  return bytes;
}

}  // namespace assay::artifacts
