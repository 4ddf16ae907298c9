// Which mounts on several nodes are one and the same export. The source's name tells it, and where names differ (one
// export may be reached by several addresses, or by a name and an address) the top folder's inode and change time do.
// A server that doesn't answer tells neither inode nor time: then two names may be one export or two, and that is
// neither the same nor a difference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/check.hpp"

namespace assay::judge {

struct Export {
  Reading<std::string> type, source, identity;

  std::string words() const;  // "nfs4 10.0.0.5:/home"
};

// Exports sorted into groups; those of one group were seen to be the same. Since some tell no identity, a group takes
// in whoever is the same as any of its members.
class ExportGroups {
 public:
  explicit ExportGroups(std::vector<Export> exports);

  std::size_t size() const { return members_.size(); }
  std::size_t count(std::size_t group) const { return members_[group].size(); }
  // The group of the export with that index.
  std::size_t of(std::size_t index) const { return group_of_[index]; }
  // The group that most of `all` (majority.hpp) are in.
  std::optional<std::size_t> most(std::size_t all) const;
  // Seen to be different, rather than not to be compared.
  bool apart(std::size_t group, std::size_t other) const;
  bool any_apart() const;
  std::string words(std::size_t group) const { return exports_[members_[group].front()].words(); }

 private:
  std::vector<Export> exports_;
  std::vector<std::vector<std::size_t>> members_;
  std::vector<std::size_t> group_of_;
};

}  // namespace assay::judge
