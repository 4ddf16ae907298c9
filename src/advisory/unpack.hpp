// Archives and compressed files, member by member through libarchive: sizes are checked as declared and again as they
// come, so that one that unpacks to more than it says is refused before it fills memory. Archives inside archives
// aren't entered. What packs it is told by the name alone, and only that is undone, once: no chain of filters that
// libarchive would otherwise follow. The only header of libarchive's users here.
#pragma once

#include <string>
#include <string_view>

#include "advisory/archive.hpp"

namespace assay::advisory {

enum class Kind { none, plain, zip, tar, tar_gzip, tar_xz, tar_bzip2, tar_zstd, gzip, xz, bzip2, zstd };

// By the name's end; none for what is no document of any feed: README.md, a picture.
Kind kind_of(std::string_view name);

struct Packed {
  int fd;            // of a regular file
  std::string name;  // for words
  Kind kind;         // neither none nor plain
};

// False: `take` said to stop.
bool unpack(const Packed& packed, const Bounds& bounds, const Take& take, const Refuse& refuse);

}  // namespace assay::advisory
