#include "advisory/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <fstream>

#include "testing.hpp"

namespace assay::advisory {
namespace {

namespace fs = std::filesystem;

struct Seen {
  std::vector<std::string> names;
  std::vector<std::string> texts;
  std::vector<Refusal> refused;
  std::string padding;
  std::string why() const {
    std::string all;
    for (const Refusal& one : refused) all += one.document + ": " + one.why + ", got " + one.came + "\n";
    return all;
  }
};

Seen seen_of(const fs::path& path, const Bounds& bounds = {}, std::size_t stop_after = SIZE_MAX) {
  Seen seen;
  const auto take = [&](const Document& document) {
    // Readable, as a sanitizer would tell.
    for (std::size_t i = 0; i < kPadding; ++i) seen.padding += document.text.data()[document.text.size() + i];
    seen.names.push_back(document.name);
    seen.texts.emplace_back(document.text.substr(0, 100));
    return seen.names.size() < stop_after;
  };
  const auto walked =
      each_document(path, bounds, take, [&](Refusal refusal) { seen.refused.push_back(std::move(refusal)); });
  EXPECT_TRUE(walked) << walked.error().message();
  return seen;
}

struct Member {
  std::string name;
  std::string content;
  unsigned type = AE_IFREG;
};

// By the name's end: zip, tar, tar.gz, tar.xz, tar.zst, tar.bz2; or one compressed file.
void pack(const fs::path& path, const std::vector<Member>& members) {
  archive* out = archive_write_new();
  const std::string name = path.string();
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  if (ends(".zip"))
    archive_write_set_format_zip(out);
  else if (name.find(".tar") != std::string::npos)
    archive_write_set_format_pax_restricted(out);
  else
    archive_write_set_format_raw(out);
  if (ends("gz")) archive_write_add_filter_gzip(out);
  if (ends("xz")) archive_write_add_filter_xz(out);
  if (ends("zst")) archive_write_add_filter_zstd(out);
  if (ends("bz2")) archive_write_add_filter_bzip2(out);
  ASSERT_EQ(archive_write_open_filename(out, path.c_str()), ARCHIVE_OK);
  for (const Member& member : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_filetype(entry, member.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(member.content.size()));
    if (member.type == AE_IFLNK) archive_entry_set_symlink(entry, "/etc/passwd");
    ASSERT_EQ(archive_write_header(out, entry), ARCHIVE_OK) << archive_error_string(out);
    archive_write_data(out, member.content.data(), member.content.size());
    archive_entry_free(entry);
  }
  ASSERT_EQ(archive_write_close(out), ARCHIVE_OK) << archive_error_string(out);
  archive_write_free(out);
}

constexpr auto kArchives = {"a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.tar.zst", "a.tar.bz2"};

TEST(Archive, FoldersGoInOrderAndPassOverWhatIsNoFeed) {
  const testing::TemporaryFolder folder;
  for (const auto* name : {"b/2.json", "b/1.json", "a.yaml", "c.xml", "README.md", "b/LICENSE.md", ".git/x.json",
                           "picture.png", "product.md"})
    folder.write(name, name);
  const Seen seen = seen_of(folder.path());
  const std::string root = folder.string() + "/";
  EXPECT_EQ(seen.names, (std::vector<std::string>{root + "a.yaml", root + "b/1.json", root + "b/2.json", root + "c.xml",
                                                  root + "product.md"}));
  EXPECT_EQ(seen.texts[1], "b/1.json");
  EXPECT_EQ(seen.why(), "");
}

TEST(Archive, AFileThatIsNamedMayHaveAnyName) {
  const testing::TemporaryFolder folder;
  folder.write("json", "{}");  // as Debian's tracker calls it
  EXPECT_EQ(seen_of(folder.path() / "json").texts, std::vector<std::string>{"{}"});
  EXPECT_TRUE(seen_of(folder.path()).texts.empty());
}

TEST(Archive, ANameThatIsNotThereIsAnError) {
  EXPECT_FALSE(each_document(
      "/nonexistent/x", {}, [](const Document&) { return true; }, [](Refusal) {}));
}

TEST(Archive, LinksAndSpecialFilesAreNotFollowed) {
  const testing::TemporaryFolder folder;
  folder.link("link.json", "/etc/passwd");
  folder.link("loop", folder.string());
  ASSERT_EQ(::mkfifo((folder.path() / "pipe.json").c_str(), 0600), 0);
  const Seen seen = seen_of(folder.path());
  EXPECT_TRUE(seen.names.empty());
  EXPECT_EQ(seen.refused.size(), 2) << seen.why();
  EXPECT_EQ(seen_of(folder.path() / "pipe.json").refused.size(), 1);  // doesn't wait for a writer
  EXPECT_EQ(seen_of("/dev/zero").refused.size(), 1);
}

TEST(Archive, EveryKindOfArchiveIsReadMemberByMember) {
  for (const auto* name : kArchives) {
    const testing::TemporaryFolder folder;
    const fs::path path = folder.path() / name;
    if (path.extension() == ".tgz") {
      pack(folder.path() / "x.tar.gz", {{"d/1.json", "one"}, {"2.json", "two"}});
      fs::rename(folder.path() / "x.tar.gz", path);
    } else {
      pack(path, {{"d/", "", AE_IFDIR}, {"d/1.json", "one"}, {"README.md", "no"}, {"2.json", "two"}});
    }
    const Seen seen = seen_of(path);
    EXPECT_EQ(seen.names, (std::vector<std::string>{path.string() + "!d/1.json", path.string() + "!2.json"})) << name;
    EXPECT_EQ(seen.texts, (std::vector<std::string>{"one", "two"})) << name;
    EXPECT_EQ(seen.why(), "") << name;
  }
}

TEST(Archive, OneCompressedFileIsOneDocument) {
  for (const auto* name : {"x.json.gz", "x.xml.bz2", "x.json.xz", "x.json.zst"}) {
    const testing::TemporaryFolder folder;
    pack(folder.path() / name, {{"data", "{\"a\": 1}"}});
    EXPECT_EQ(seen_of(folder.path()).texts, std::vector<std::string>{"{\"a\": 1}"}) << name;
  }
}

TEST(Archive, ArchivesInArchivesAreNotEntered) {
  const testing::TemporaryFolder folder;
  for (const auto* inner : {"in.zip", "in.tar.gz", "in.json.gz"}) {
    pack(folder.path() / inner, {{"x.json", "{}"}});
    pack(folder.path() / "out.tar", {{inner, testing::read_file(folder.path() / inner)}, {"y.json", "{}"}});
    const Seen seen = seen_of(folder.path() / "out.tar");
    EXPECT_EQ(seen.names.size(), 1);
    EXPECT_EQ(seen.refused.size(), 1) << seen.why();
  }
}

TEST(Archive, OnlyTheFilterOfTheNameIsUndone) {
  const testing::TemporaryFolder folder;
  pack(folder.path() / "x.json.gz", {{"data", "{}"}});
  pack(folder.path() / "y.json.gz", {{"data", testing::read_file(folder.path() / "x.json.gz")}});
  const Seen seen = seen_of(folder.path() / "y.json.gz");
  ASSERT_EQ(seen.texts.size(), 1);
  EXPECT_EQ(seen.texts[0].substr(0, 2), "\x1f\x8b");
}

TEST(Archive, LinksInArchivesAreRefused) {
  const testing::TemporaryFolder folder;
  pack(folder.path() / "a.tar", {{"link.json", "", AE_IFLNK}, {"../../etc/x.json", "{}"}});
  const Seen seen = seen_of(folder.path());
  EXPECT_EQ(seen.names.size(), 1);  // a name is only a name
  EXPECT_EQ(seen.refused.size(), 1) << seen.why();
}

TEST(Archive, AHugeFileIsRefusedUnread) {
  const testing::TemporaryFolder folder;
  folder.write("x.json", "");
  fs::resize_file(folder.path() / "x.json", 10ull << 30);  // one line of 10 GB, of which none is on the disk
  const Seen seen = seen_of(folder.path());
  EXPECT_TRUE(seen.names.empty());
  EXPECT_EQ(seen.refused.size(), 1);
}

TEST(Archive, ADocumentOverItsBoundIsRefusedAndOthersAreRead) {
  const testing::TemporaryFolder folder;
  for (const auto* name : {"a.tar", "a.zip"}) {
    pack(folder.path() / name, {{"1.json", "{}"}, {"2.json", std::string(2000, ' ')}, {"3.json", "{}"}});
    const Seen seen = seen_of(folder.path() / name, {.document = 1000});
    EXPECT_EQ(seen.names.size(), 2) << name;
    EXPECT_EQ(seen.refused.size(), 1) << name;
  }
}

TEST(Archive, WhatUnpacksToMoreThanItsBoundEnds) {
  const testing::TemporaryFolder folder;
  pack(folder.path() / "x.json.gz", {{"data", std::string(10 << 20, '0')}});
  const Seen bomb = seen_of(folder.path() / "x.json.gz", {.document = 1 << 20});
  EXPECT_TRUE(bomb.names.empty());
  EXPECT_EQ(bomb.refused.size(), 1) << bomb.why();

  std::vector<Member> many;
  for (int i = 0; i < 20; ++i) many.push_back({std::to_string(i) + ".json", std::string(1000, '0')});
  for (const auto* name : {"a.zip", "a.tar.gz"}) {
    pack(folder.path() / name, many);
    const Seen seen = seen_of(folder.path() / name, {.unpacked = 10'500});
    EXPECT_EQ(seen.names.size(), 10) << name;
    EXPECT_EQ(seen.refused.size(), 1) << name << seen.why();
  }
}

// The member's declared size says 2 bytes; it unpacks to a million.
TEST(Archive, AZipThatLiesAboutASizeIsCutOff) {
  const testing::TemporaryFolder folder;
  const fs::path path = folder.path() / "a.zip";
  pack(path, {{"1.json", std::string(1'000'000, '0')}});
  std::string bytes = testing::read_file(path);
  for (std::size_t i = 0; i + 4 <= bytes.size(); ++i)  // wherever the true size stands
    if (bytes.compare(i, 4, std::string("\x40\x42\x0f\x00", 4)) == 0) bytes.replace(i, 4, std::string("\x02\0\0\0", 4));
  folder.write("a.zip", bytes);
  const Seen seen = seen_of(path, {.document = 100'000});
  EXPECT_TRUE(seen.names.empty() || seen.texts[0].size() <= 2) << seen.why();
  EXPECT_FALSE(seen.refused.empty());
}

TEST(Archive, TooManyFilesAreRefused) {
  const testing::TemporaryFolder folder;
  std::vector<Member> many;
  for (int i = 0; i < 8; ++i) {
    folder.write("f/" + std::to_string(i) + ".json", "{}");
    many.push_back({std::to_string(i) + ".json", "{}"});
  }
  pack(folder.path() / "a.zip", many);
  for (const auto* name : {"f", "a.zip"}) {
    const Seen seen = seen_of(folder.path() / name, {.documents = 5});
    EXPECT_EQ(seen.names.size(), 5) << name;
    EXPECT_EQ(seen.refused.size(), 1) << name;
  }
}

TEST(Archive, FoldersTooDeepAreRefused) {
  const testing::TemporaryFolder folder;
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "d/";
  folder.write(deep + "x.json", "{}");
  const Seen seen = seen_of(folder.path());
  EXPECT_TRUE(seen.names.empty());
  EXPECT_EQ(seen.refused.size(), 1);
}

TEST(Archive, BrokenOnesAreRefusedWithWords) {
  for (const auto* name : kArchives) {
    const testing::TemporaryFolder folder;
    folder.write(name, "this is no archive, whatever its name says; and it is long enough to be looked at");
    EXPECT_EQ(seen_of(folder.path()).refused.size(), 1) << name;
    folder.write(name, "");
    EXPECT_TRUE(seen_of(folder.path()).names.empty()) << name;
  }
}

TEST(Archive, ACutArchiveIsNeverReadAsWhole) {
  for (const auto* name : {"a.zip", "a.tar", "a.tar.gz", "a.tar.xz", "a.tar.zst", "a.tar.bz2", "x.json.gz"}) {
    const testing::TemporaryFolder folder;
    std::string noise;
    for (std::uint32_t i = 0, x = 1; i < 40'000; ++i) noise += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
    pack(folder.path() / name, {{"1.json", noise}});
    std::string bytes = testing::read_file(folder.path() / name);
    folder.write(name, bytes.substr(0, bytes.size() / 2));
    const Seen seen = seen_of(folder.path());
    EXPECT_TRUE(seen.names.empty()) << name;
    EXPECT_FALSE(seen.refused.empty()) << name;
  }
}

TEST(Archive, StopsWhenToldTo) {
  const testing::TemporaryFolder folder;
  folder.write("f/1.json", "{}");
  folder.write("f/2.json", "{}");
  pack(folder.path() / "a.zip", {{"1.json", "{}"}, {"2.json", "{}"}});
  for (const auto* name : {"f", "a.zip"}) EXPECT_EQ(seen_of(folder.path() / name, {}, 1).names.size(), 1) << name;
}

}  // namespace
}  // namespace assay::advisory
