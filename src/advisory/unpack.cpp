#include "advisory/unpack.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/text.hpp"

namespace assay::advisory {

namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 16> kSuffixes = {{{".zip", Kind::zip},
                                                                          {".tar", Kind::tar},
                                                                          {".tar.gz", Kind::tar_gzip},
                                                                          {".tgz", Kind::tar_gzip},
                                                                          {".tar.xz", Kind::tar_xz},
                                                                          {".tar.bz2", Kind::tar_bzip2},
                                                                          {".tar.zst", Kind::tar_zstd},
                                                                          {".json", Kind::plain},
                                                                          {".yaml", Kind::plain},
                                                                          {".yml", Kind::plain},
                                                                          {".xml", Kind::plain},
                                                                          {".md", Kind::plain},
                                                                          {".gz", Kind::gzip},
                                                                          {".xz", Kind::xz},
                                                                          {".bz2", Kind::bzip2},
                                                                          {".zst", Kind::zstd}}};

// Of repositories that feeds are published in.
constexpr std::array<std::string_view, 6> kNoDocuments = {"readme",          "license",  "contributing",
                                                          "code_of_conduct", "security", "changelog"};

struct Reader {
  archive* handle = archive_read_new();
  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { archive_read_free(handle); }
  std::string words() const {
    const char* said = archive_error_string(handle);
    return said ? text::to_utf8(said, 200) : "nothing readable";
  }
};

int filter_of(Kind kind) {
  switch (kind) {
    case Kind::tar_gzip:
    case Kind::gzip: return ARCHIVE_FILTER_GZIP;
    case Kind::tar_xz:
    case Kind::xz: return ARCHIVE_FILTER_XZ;
    case Kind::tar_bzip2:
    case Kind::bzip2: return ARCHIVE_FILTER_BZIP2;
    case Kind::tar_zstd:
    case Kind::zstd: return ARCHIVE_FILTER_ZSTD;
    default: return ARCHIVE_FILTER_NONE;
  }
}

bool single(Kind kind) { return kind == Kind::gzip || kind == Kind::xz || kind == Kind::bzip2 || kind == Kind::zstd; }

bool open(const Reader& reader, const Packed& packed) {
  archive* handle = reader.handle;
  if (packed.kind == Kind::zip)
    archive_read_support_format_zip(handle);
  else if (single(packed.kind))
    archive_read_support_format_raw(handle);
  else
    archive_read_support_format_tar(handle);
  // Naming the filter keeps libarchive from looking for more of them below it.
  if (archive_read_append_filter(handle, filter_of(packed.kind)) < ARCHIVE_WARN) return false;
  return archive_read_open_fd(handle, packed.fd, 1 << 16) >= ARCHIVE_WARN;
}

class Unpacking {
 public:
  Unpacking(const Packed& packed, const Bounds& bounds, const Take& take, const Refuse& refuse)
      : packed_(packed), bounds_(bounds), take_(take), refuse_(refuse) {}

  bool run();

 private:
  enum class Next { on, end, stop };

  Next member(archive_entry* entry);
  Next document(const std::string& name);
  std::string name_of(archive_entry* entry) const;
  Next refused(const std::string& name, std::string came, std::string why, Next next) {
    refuse_({name, "", std::move(came), std::move(why)});
    return next;
  }
  Next over_total() {
    return refused(packed_.name, "more", fmt::format("at most {} bytes unpacked", bounds_.unpacked), Next::end);
  }

  const Packed& packed_;
  const Bounds& bounds_;
  const Take& take_;
  const Refuse& refuse_;
  Reader reader_;
  std::uint64_t members_ = 0;
  std::uint64_t unpacked_ = 0;
  std::string text_;
};

bool Unpacking::run() {
  if (!open(reader_, packed_)) return refused(packed_.name, reader_.words(), "an archive", Next::end) != Next::stop;
  for (;;) {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(reader_.handle, &entry);
    if (result == ARCHIVE_EOF) return true;
    if (result < ARCHIVE_WARN)
      return refused(packed_.name, reader_.words(), "a whole archive of the kind that its name says", Next::end) !=
             Next::stop;
    if (++members_ > bounds_.documents)
      return refused(packed_.name, "more", fmt::format("at most {} members", bounds_.documents), Next::end) !=
             Next::stop;
    const Next next = member(entry);
    if (next != Next::on) return next == Next::end;
  }
}

std::string Unpacking::name_of(archive_entry* entry) const {
  if (single(packed_.kind)) return packed_.name;
  const char* told = archive_entry_pathname_utf8(entry);
  if (!told) told = archive_entry_pathname(entry);
  return packed_.name + "!" + (told ? text::to_utf8(told, 300) : fmt::format("member {}", members_));
}

Unpacking::Next Unpacking::member(archive_entry* entry) {
  const std::string name = name_of(entry);
  const std::uint64_t declared = archive_entry_size_is_set(entry)
                                     ? static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0))
                                     : 0;
  // What is passed over is counted too, as a tar's stream must be unpacked to get behind it.
  if (declared > bounds_.unpacked - unpacked_) return over_total();
  const Kind kind = single(packed_.kind) ? Kind::plain : kind_of(name);
  if (kind != Kind::plain || archive_entry_filetype(entry) == AE_IFDIR) {
    unpacked_ += declared;
    if (kind == Kind::none || archive_entry_filetype(entry) == AE_IFDIR) return Next::on;
    return refused(name, "an archive inside one", "a document: unpack it first", Next::on);
  }
  if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) {
    unpacked_ += declared;
    return refused(name, "a link or a device", "a file", Next::on);
  }
  if (declared > bounds_.document) {
    unpacked_ += declared;
    return refused(name, fmt::format("{} bytes", declared),
                   fmt::format("a document of at most {} bytes", bounds_.document), Next::on);
  }
  text_.clear();
  text_.reserve(static_cast<std::size_t>(declared) + kPadding);
  return document(name);
}

Unpacking::Next Unpacking::document(const std::string& name) {
  std::array<char, 1 << 16> block;
  for (;;) {
    const la_ssize_t got = archive_read_data(reader_.handle, block.data(), block.size());
    if (got == 0) break;
    if (got < 0) {
      const bool over = got == ARCHIVE_FATAL;
      return refused(name, reader_.words(), "a member that can be unpacked", over ? Next::end : Next::on);
    }
    unpacked_ += static_cast<std::uint64_t>(got);
    if (unpacked_ > bounds_.unpacked) return over_total();
    // The rest isn't skipped, as that would unpack it: an archive that lies about a size ends here.
    if (text_.size() + static_cast<std::size_t>(got) > bounds_.document)
      return refused(name, "a larger one, and the archive isn't read on",
                     fmt::format("a document of at most {} bytes", bounds_.document), Next::end);
    text_.append(block.data(), static_cast<std::size_t>(got));
  }
  const std::size_t size = text_.size();
  text_.resize(size + kPadding);
  return take_({name, std::string_view(text_).substr(0, size)}) ? Next::on : Next::stop;
}

bool named_otherwise(std::string_view name) {
  const std::string base = text::lower(name.substr(name.find_last_of("/!") + 1));
  for (const std::string_view start : kNoDocuments)
    if (base.starts_with(start) && base.ends_with(".md")) return true;
  return false;
}

}  // namespace

Kind kind_of(std::string_view name) {
  const std::string lower = text::lower(name);
  if (named_otherwise(name)) return Kind::none;
  // The first that fits: .tar.gz stands before .gz.
  for (const auto& [suffix, kind] : kSuffixes)
    if (lower.ends_with(suffix)) return kind;
  return Kind::none;
}

bool unpack(const Packed& packed, const Bounds& bounds, const Take& take, const Refuse& refuse) {
  return Unpacking(packed, bounds, take, refuse).run();
}

}  // namespace assay::advisory
