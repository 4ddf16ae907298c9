// Archives and compressed files, the kind by the first byte, under small bounds: no document is larger than its bound,
// all together not larger than theirs, and each has its padding behind it.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "advisory/unpack.hpp"
#include "base/descriptor.hpp"

namespace advisory = assay::advisory;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using Kind = advisory::Kind;
  constexpr std::array kKinds = {Kind::zip,      Kind::tar,  Kind::tar_gzip, Kind::tar_xz, Kind::tar_bzip2,
                                 Kind::tar_zstd, Kind::gzip, Kind::xz,       Kind::bzip2,  Kind::zstd};
  if (size == 0) return 0;
  static const int fd = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (::ftruncate(fd, 0) != 0 || ::lseek(fd, 0, SEEK_SET) != 0) std::abort();
  if (!assay::write_all(fd, {reinterpret_cast<const char*>(data) + 1, size - 1}) || ::lseek(fd, 0, SEEK_SET) != 0)
    std::abort();

  const advisory::Bounds bounds = {.document = 1 << 16, .unpacked = 1 << 18, .documents = 100};
  std::uint64_t all = 0, documents = 0;
  std::string padding;
  advisory::unpack(
      {fd, "fuzz", kKinds[data[0] % kKinds.size()]}, bounds,
      [&](const advisory::Document& document) {
        padding.assign(document.text.data() + document.text.size(), advisory::kPadding);
        all += document.text.size();
        ++documents;
        return document.text.size() <= bounds.document ? true : (std::abort(), false);
      },
      [](const advisory::Refusal& refusal) {
        if (refusal.why.empty() || refusal.document.empty()) std::abort();
      });
  if (all > bounds.unpacked || documents > bounds.documents) std::abort();
  return 0;
}
