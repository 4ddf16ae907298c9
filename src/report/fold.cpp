#include "report/fold.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/hostlist.hpp"

namespace assay::report {

Subject host_of(const Subject& subject) {
  for (const std::string_view kind : {"node", "login"})
    if (Subject host = subject.enclosing(kind); !host.empty()) return host;
  return subject.enclosing("cluster");
}

namespace {

struct Spoken {
  std::string host;  // empty: the cluster
  std::string part;  // "gpu ", "hca mlx5_0 port ": all but the last id
  std::string id;
};

Spoken spoken(const Subject& subject) {
  const Subject host = host_of(subject);
  Spoken result;
  if (host.kind() != "cluster") result.host = host.id();
  if (subject == host) return result;
  result.id = subject.id();
  result.part = fmt::format("{} ", subject.kind());
  for (Subject at = subject.parent(); !at.empty() && at != host; at = at.parent())
    result.part = fmt::format("{} {} {}", at.kind(), at.id(), result.part);
  return result;
}

std::string joined(const std::string& host, const std::string& parts) {
  if (host.empty()) return parts.empty() ? "cluster" : parts;
  return parts.empty() ? host : fmt::format("{} {}", host, parts);
}

}  // namespace

std::string words_of(const Subject& subject) {
  const Spoken words = spoken(subject);
  return joined(words.host, words.part + words.id);
}

std::string fold_subjects(const std::vector<Subject>& subjects) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> parts;  // host → part → ids
  for (const Subject& subject : subjects) {
    const Spoken words = spoken(subject);
    auto& ids = parts[words.host][words.part];
    if (!words.part.empty()) ids.push_back(words.id);
  }
  std::map<std::string, std::vector<std::string>> hosts;  // what is said of it → hosts
  for (const auto& [host, kinds] : parts) {
    std::string said;
    for (const auto& [part, ids] : kinds)
      if (!part.empty()) said += (said.empty() ? "" : " and ") + part + hostlist::fold(ids);
    hosts[said].push_back(host);
  }
  std::set<std::string, bool (*)(const std::string&, const std::string&)> texts(hostlist::folded_less);
  for (const auto& [said, names] : hosts) {
    std::vector<std::string> named;
    for (const std::string& name : names)
      if (name.empty())
        texts.insert(joined("", said));
      else
        named.push_back(name);
    if (!named.empty()) texts.insert(joined(hostlist::fold(named), said));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace assay::report
