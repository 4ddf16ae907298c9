#include "evidence/artifacts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>
#include <zstd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace assay::artifacts {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kLargest = 256u << 20;

fs::path path_of(const fs::path& folder, const std::string& sha) { return folder / sha.substr(0, 2) / (sha + ".zst"); }

tl::unexpected<Error> cannot_write(const fs::path& file, int error) {
  return failure({Error::Kind::environment, "to write an artifact", errno_words(error), file.string(),
                  "free some space or make the folder writable, then go on with --resume"});
}

// A file that is wholly there under its name, or not there at all.
Result<void> write_durably(const fs::path& file, const std::string& bytes) {
  const fs::path partial = file.string() + fmt::format(".{}.part", getpid());
  const int fd = open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return cannot_write(partial, errno);
  const ssize_t written = write(fd, bytes.data(), bytes.size());
  const bool whole = written == static_cast<ssize_t>(bytes.size()) && fdatasync(fd) == 0;
  const int error = written >= 0 && static_cast<std::size_t>(written) < bytes.size() ? ENOSPC : errno;
  close(fd);
  if (!whole || std::rename(partial.c_str(), file.c_str()) != 0) {
    unlink(partial.c_str());
    return cannot_write(file, whole ? errno : error);
  }
  return {};
}

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

Result<std::string> put(const fs::path& folder, std::string_view bytes) {
  std::string sha = sha256(bytes);
  const fs::path file = path_of(folder, sha);
  std::error_code error;
  if (fs::exists(file, error)) return sha;
  fs::create_directories(file.parent_path(), error);
  if (error) return cannot_write(file.parent_path(), error.value());
  if (auto written = write_durably(file, compress(bytes)); !written) return failure(written.error());
  return sha;
}

Result<std::string> get(const fs::path& folder, const std::string& sha) {
  const fs::path file = path_of(folder, sha);
  const auto refuse = [&](std::string came) {
    return failure({Error::Kind::usage, "the artifact " + sha, std::move(came), file.string(),
                    "the run folder was changed or is not whole"});
  };
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return refuse("no such file");
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
