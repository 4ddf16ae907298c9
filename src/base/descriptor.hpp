// What every holder of a file descriptor needs.
#pragma once

#include <string_view>

namespace assay {

// Waits for room. False if it can't be written, or nobody reads any more: errno tells.
bool write_all(int fd, std::string_view bytes);
// Leaves -1 there.
void close_if_open(int& fd);

}  // namespace assay
