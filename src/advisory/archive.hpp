// The documents of a feed: files of a folder, members of a zip or tar archive, or one file, one after another and never
// all in memory. Nothing that is asked for can make it eat the machine: a document, an archive's unpacked size and a
// folder's number of files are bounded, and what is over a bound is refused with words. Links and devices aren't
// followed; names with ".." are only names, as nothing is written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "advisory/format.hpp"
#include "base/error.hpp"

namespace assay::advisory {

struct Bounds {
  // Bytes. Debian's security tracker, the largest known, is 70 MB; a hostile list of zeros costs twelve times its size.
  std::uint64_t document = 128ull << 20;
  std::uint64_t unpacked = 8ull << 30;  // bytes of all members of one archive
  std::uint64_t documents = 2'000'000;  // files or members
};

using Take = std::function<bool(const Document&)>;
using Refuse = std::function<void(Refusal)>;

// Each document goes to `take`, valid until it returns; what is no document of any feed by its name (README, .git) is
// passed over. `refuse` gets those over a bound, unreadable, or of a broken archive. `take` returns false to stop.
Result<void> each_document(const std::filesystem::path& path, const Bounds& bounds, const Take& take,
                           const Refuse& refuse);

}  // namespace assay::advisory
