// A folder of small one-line files, as sysfs has them. Hundreds are read for one machine, so they go into the
// transcript as one piece a folder ("name: line") instead of one a file.
#pragma once

#include <string>
#include <string_view>

#include "node/host.hpp"

namespace assay::node {

class Folder {
 public:
  Folder(Host& host, std::string path) : host_(host), path_(std::move(path)) {}
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // Trimmed. An empty file says nothing: it is missing, not an empty value.
  Seen<std::string> line(const std::string& name);
  Seen<std::int64_t> decimal(const std::string& name);
  // With or without 0x in front.
  Seen<std::int64_t> hexadecimal(const std::string& name);

  const std::string& path() const { return path_; }
  std::string at(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  Host& host_;
  std::string path_;
  std::string transcript_;
};

}  // namespace assay::node
