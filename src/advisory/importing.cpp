#include "advisory/importing.hpp"

#include <fmt/format.h>

#include <chrono>

namespace assay::advisory {

namespace {

using Clock = std::chrono::steady_clock;

const Format* format_of(const Document& document) {
  for (const Format* format : all_formats())
    if (format->recognizes(document)) return format;
  return nullptr;
}

class Import {
 public:
  Import(Database& database, const ImportOptions& options) : database_(database), options_(options) {}

  // Whether to go on.
  bool take(const Document& document) {
    imported_.bytes += document.text.size();
    const Format* format = format_of(document);
    if (format == nullptr) {
      ++imported_.unknown_documents;
      return true;
    }
    const auto batch = format->read(document);
    if (!batch) {
      refuse({document.name, "", batch.error().came, batch.error().message()});
      return true;
    }
    auto& counts = imported_.formats[std::string(format->name)];
    ++counts.documents;
    counts.advisories += batch->advisories.size() + batch->exploited.size() + batch->cycles.size();
    counts.ranges += batch->ranges;
    counts.refused += batch->refused.size();
    counts.elsewhere += batch->elsewhere;
    for (const Refusal& refusal : batch->refused) keep(refusal);
    if (auto added = database_.add(*batch); !added) error_ = added.error();
    if (options_.shown && counts.documents % 64 == 0) options_.shown(imported_.documents());
    return !error_ && !stopped();
  }

  void refuse(Refusal refusal) {
    ++imported_.refused_documents;
    keep(refusal);
  }

  bool stopped() const { return options_.stop != nullptr && *options_.stop; }
  const std::optional<Error>& error() const { return error_; }
  Imported& imported() { return imported_; }

 private:
  void keep(const Refusal& refusal) {
    ++imported_.refusals;
    if (imported_.refused.size() < kKeptRefusals) imported_.refused.push_back(refusal);
  }

  Database& database_;
  const ImportOptions& options_;
  Imported imported_;
  std::optional<Error> error_;
};

Error nothing_read(const Imported& imported) {
  const std::string why = imported.refused.empty() ? "" : "; the first refused: " + imported.refused.front().why;
  return {
      Error::Kind::usage, "at least one document of a feed that assay reads",
      fmt::format("{} of no known format, {} refused{}", imported.unknown_documents, imported.refused_documents, why),
      "", "assay advisories import --help lists the formats"};
}

}  // namespace

std::uint64_t Imported::documents() const {
  std::uint64_t all = 0;
  for (const auto& [format, counts] : formats) all += counts.documents;
  return all;
}

Result<Imported> import_feeds(Database& database, const std::vector<std::filesystem::path>& paths,
                              const ImportOptions& options) {
  const auto begun = Clock::now();
  if (auto ready = database.begin(); !ready) return failure(ready.error());
  Import import(database, options);
  for (const auto& path : paths) {
    auto read = each_document(
        path, options.bounds, [&](const Document& document) { return import.take(document); },
        [&](Refusal refusal) { import.refuse(std::move(refusal)); });
    if (!read) return failure(read.error());
    if (import.error()) return failure(*import.error());
    if (import.stopped())
      return failure({Error::Kind::environment, "to read to the end", "a signal to stop", path.string(),
                      "import again: nothing was changed"});
  }
  Imported& imported = import.imported();
  if (imported.documents() == 0) return failure(nothing_read(imported));
  if (auto done = database.commit(options.day); !done) return failure(done.error());
  imported.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return std::move(imported);
}

}  // namespace assay::advisory
