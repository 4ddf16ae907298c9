#include "advisory/feed.hpp"

#include <gtest/gtest.h>

namespace assay::advisory {

namespace {

// Behind the text lies what a reader must not take for a part of it.
struct Padded {
  explicit Padded(std::string_view text) : bytes(std::string(text) + std::string(kPadding, '"')), size(text.size()) {}
  Document document(const std::string& name) const { return {name, std::string_view(bytes).substr(0, size)}; }
  std::string bytes;
  std::size_t size;
};

void add(Batch& all, Batch one) {
  const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(all.advisories, one.advisories);
  append(all.exploited, one.exploited);
  append(all.cycles, one.cycles);
  append(all.refused, one.refused);
  all.ranges += one.ranges;
  all.elsewhere += one.elsewhere;
}

const Format* recognized(const Document& document) {
  const Format* found = nullptr;
  for (const Format* format : all_formats())
    if (format->recognizes(document)) {
      EXPECT_EQ(found, nullptr) << document.name << " is both " << found->name << " and " << format->name;
      found = format;
    }
  return found;
}

}  // namespace

const Format* format_of(const std::string& text, const std::string& name) {
  const Padded padded(text);
  return recognized(padded.document(name));
}

Result<Batch> read_as(std::string_view format, const std::string& text, const std::string& name) {
  const Padded padded(text);
  for (const Format* one : all_formats())
    if (one->name == format) return one->read(padded.document(name));
  return failure({Error::Kind::usage, "a format", std::string(format), "", ""});
}

std::filesystem::path feed(const std::string& name) {
  const auto path = std::filesystem::path(ASSAY_SOURCE_DIR).parent_path() / "shared/feeds" / name;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

Batch read_all(const std::filesystem::path& path) {
  Batch all;
  const auto take = [&](const Document& document) {
    const Format* format = recognized(document);
    const auto batch = format ? format->read(document) : Result<Batch>(failure({}));
    if (batch)
      add(all, *batch);
    else
      all.refused.push_back({document.name, "", "", batch.error().message()});
    return true;
  };
  const auto walked = each_document(path, {}, take, [&](Refusal refusal) { all.refused.push_back(refusal); });
  EXPECT_TRUE(walked) << walked.error().message();
  return all;
}

std::string spelled(const std::vector<Range>& ranges) {
  std::string all;
  for (const Range& range : ranges)
    all +=
        (all.empty() ? "" : " ") + range.introduced + ".." + (range.last.empty() ? "" : "=") + range.last + range.fixed;
  return all;
}

const Advisory* advisory(const Batch& batch, std::string_view id) {
  for (const Advisory& one : batch.advisories)
    if (one.id == id) return &one;
  return nullptr;
}

const Affected* product(const Advisory* advisory, std::string_view ecosystem, std::string_view package) {
  if (!advisory) return nullptr;
  for (const Affected& one : advisory->affected)
    if (one.ecosystem == ecosystem && one.package == package) return &one;
  return nullptr;
}

}  // namespace assay::advisory
