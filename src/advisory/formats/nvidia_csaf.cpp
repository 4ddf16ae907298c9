// NVIDIA's security bulletins, CSAF 2.0. The product tree holds, under each platform ("Linux(R535)"), rows of products
// with a free text in the place of a version; a vulnerability names the rows that are affected and the rows that are
// mended. The rows of one driver product on Linux are its release lines, and are told as such.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "advisory/format.hpp"
#include "advisory/formats/nvidia_text_detail.hpp"
#include "advisory/json.hpp"
#include "base/text.hpp"
#include "version/order.hpp"

namespace assay::advisory::formats {

namespace {

// The largest bulletin of four years has 200 rows. What is far beyond isn't one, and would cost by its square.
constexpr std::size_t kMostRows = 2'000;
constexpr std::size_t kMostVulnerabilities = 500;

struct Row {
  std::string id;
  std::string platform;  // "linux(r535)"
  std::string product;   // "tesla"
  std::string text;
};

bool is_elsewhere(const Row& row) {
  return text::starts_with_any(row.platform, {"windows", "android", "azure"}) ||
         row.product.find("shield") != std::string::npos;
}

void read_rows(json::Element branches, const std::string& platform, std::vector<Row>& rows) {
  for (const json::Element branch : json::list(branches, "branches")) {
    if (rows.size() > kMostRows) return;
    const std::string_view category = json::text(branch, "category"), name = json::text(branch, "name");
    if (category == "product_version") {
      const json::Element product = json::member(branch, "product");
      rows.push_back({std::string(json::text(product, "product_id")), platform, text::lower(text::trim(name)),
                      std::string(json::text(product, "name"))});
    }
    read_rows(branch, category == "architecture" ? text::lower(text::trim(name)) : platform, rows);
  }
}

// "535" of "linux(r535)"; empty for any other platform, vGPU's too.
std::string_view driver_line(std::string_view platform) {
  if (!platform.starts_with("linux(r") || !platform.ends_with(")")) return {};
  const auto digits = platform.substr(7, platform.size() - 8);
  return text::integer(digits) ? digits : std::string_view();
}

// The lines of one driver product that a vulnerability affects.
struct Driver {
  std::vector<std::string> fixed;     // mended versions
  std::vector<std::string> hopeless;  // lines without any
  std::vector<std::string> unread;    // lines of which the text couldn't be read
};

class Reader {
 public:
  Reader(const Document& document, json::Element root) : document_(document), root_(root) {
    read_rows(json::member(root, "product_tree"), "", rows_);
  }

  // Empty: it may be read.
  std::string too_much() const {
    std::set<std::string_view> ids;
    for (const Row& row : rows_)
      if (!ids.insert(row.id).second) return "each product id once, not \"" + text::to_utf8(row.id, 80) + "\" twice";
    if (rows_.size() > kMostRows) return "at most " + std::to_string(kMostRows) + " rows of products";
    const auto vulnerabilities = json::list(root_, "vulnerabilities");
    return vulnerabilities.size() > kMostVulnerabilities
               ? "at most " + std::to_string(kMostVulnerabilities) + " vulnerabilities"
               : "";
  }

  Batch read() {
    const json::Element about = json::member(root_, "document");
    const json::Element tracking = json::member(about, "tracking");
    number_ = json::text(tracking, "id");
    published_ = json::date(json::text(tracking, "initial_release_date"));
    modified_ = json::date(json::text(tracking, "current_release_date"));
    for (const json::Element vulnerability : json::list(root_, "vulnerabilities")) read_one(vulnerability);
    return std::move(batch_);
  }

 private:
  static std::set<std::string_view> ids(json::Element vulnerability, std::string_view status) {
    std::set<std::string_view> found;
    for (const json::Element id : json::list(json::member(vulnerability, "product_status"), status))
      found.insert(json::text(id));
    return found;
  }

  void read_one(json::Element vulnerability) {
    const std::string_view cve = json::text(vulnerability, "cve");
    if (!cve.starts_with("CVE-")) return refuse("", cve, "a vulnerability with its CVE");
    Advisory advisory;
    advisory.id = "nvidia-" + number_ + "/" + std::string(cve);
    advisory.aliases = {std::string(cve)};
    advisory.title = title_of(vulnerability);
    advisory.source = "nvidia";
    advisory.url = "https://nvidia.custhelp.com/app/answers/detail/a_id/" + number_;
    advisory.published = published_;
    advisory.modified = modified_;
    read_score(vulnerability, advisory);
    read_products(ids(vulnerability, "known_affected"), ids(vulnerability, "fixed"), advisory.affected);
    if (!advisory.affected.empty()) batch_.advisories.push_back(std::move(advisory));
  }

  static std::string title_of(json::Element vulnerability) {
    for (const json::Element note : json::list(vulnerability, "notes"))
      if (json::text(note, "category") == "summary") {
        const std::string_view words = json::text(note, "text");
        return text::to_utf8(words.substr(0, words.find(". ")), 200);
      }
    return "no description";
  }

  static void read_score(json::Element vulnerability, Advisory& advisory) {
    for (const json::Element score : json::list(vulnerability, "scores"))
      for (const char* version : {"cvss_v4", "cvss_v3"}) {
        const json::Element cvss = json::member(score, version);
        if (!cvss.is_object() || !advisory.vector.empty()) continue;
        advisory.vector = json::text(cvss, "vectorString").substr(0, 200);
        advisory.severity = severity_from(json::text(cvss, "baseSeverity"));
        if (advisory.severity == Severity::unknown)
          advisory.severity = severity_of_score(json::number(cvss, "baseScore", -1));
      }
  }

  // Rows of one product on one platform stand together: each affected one before what mends it.
  void read_products(const std::set<std::string_view>& affected, const std::set<std::string_view>& fixed,
                     std::vector<Affected>& out) {
    std::map<std::string, Driver> drivers;  // by product: its lines in one
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (!affected.contains(row.id)) continue;
      count(row);
      std::vector<const Row*> mends = mends_of(i, affected, fixed);
      for (const Row* mend : mends) count(*mend);
      if (is_elsewhere(row)) continue;
      if (row.product.empty()) {
        refuse_row(row, "a product's name");
        continue;
      }
      if (!driver_line(row.platform).empty())
        add_driver_line(row, mends, drivers[row.product]);
      else
        add_product(row, mends, out);
    }
    for (const auto& [product, driver] : drivers) add_driver(product, driver, spared_lines(product, affected), out);
  }

  // Lines of the product that this bulletin has rows of, and that aren't affected by this vulnerability.
  std::vector<std::string> spared_lines(const std::string& product, const std::set<std::string_view>& affected) const {
    std::set<std::string> all, hit;
    for (const Row& row : rows_) {
      const std::string line(driver_line(row.platform));
      if (row.product != product || line.empty()) continue;
      all.insert(line);
      if (affected.contains(row.id)) hit.insert(line);
    }
    std::vector<std::string> spared;
    std::set_difference(all.begin(), all.end(), hit.begin(), hit.end(), std::back_inserter(spared));
    return spared;
  }

  std::vector<const Row*> mends_of(std::size_t at, const std::set<std::string_view>& affected,
                                   const std::set<std::string_view>& fixed) const {
    const Row& row = rows_[at];
    const auto same = [&](const Row& other) { return other.platform == row.platform && other.product == row.product; };
    std::vector<const Row*> behind, any;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!same(rows_[i])) continue;
      if (i > at && affected.contains(rows_[i].id) && !behind.empty()) break;
      if (!fixed.contains(rows_[i].id)) continue;
      any.push_back(&rows_[i]);
      if (i > at) behind.push_back(&rows_[i]);
    }
    return behind.empty() ? any : behind;
  }

  // A line that is affected and has no mend is told apart: behind the newest mended line it would look newer than all.
  void add_driver_line(const Row& row, const std::vector<const Row*>& mends, Driver& driver) {
    const std::string line(driver_line(row.platform));
    bool mended = false, unread = !affected_text(row);
    for (const Row* mend : mends) {
      const auto versions = fixed_text(*mend);
      unread = unread || !versions;
      if (!versions) continue;
      for (const std::string& version : *versions) {
        if (version::line(version::Scheme::nvidia_driver, version) != line) {
          refuse_row(*mend, "a driver of the line R" + line);
          unread = true;
          continue;
        }
        mended = true;
        if (std::find(driver.fixed.begin(), driver.fixed.end(), version) == driver.fixed.end())
          driver.fixed.push_back(version);
      }
    }
    if (!mended) (unread ? driver.unread : driver.hopeless).push_back(line);
  }

  // The lines that have a mend, those that have none, and those of which it couldn't be read, as records of their own.
  static void add_driver(const std::string& product, const Driver& driver, std::vector<std::string> spared,
                         std::vector<Affected>& out) {
    Affected record;
    record.ecosystem = "nvidia";
    record.package = product;
    record.platform = "linux";
    const auto whole_lines = [&](const std::vector<std::string>& lines) {
      std::vector<Range> ranges;
      for (const std::string& line : lines) ranges.push_back({line + ".0", "", line + ".999.99"});
      return ranges;
    };
    if (record.ranges = whole_lines(driver.hopeless); !record.ranges.empty()) out.push_back(record);
    if (record.ranges = whole_lines(driver.unread); !record.ranges.empty()) {
      record.conditions = {"mended-version=unread"};  // nothing ever shows it: it stays open
      out.push_back(record);
      record.conditions.clear();
    }
    if (driver.fixed.empty()) return;
    record.ranges.clear();
    record.fixed = driver.fixed;
    record.spared = std::move(spared);
    record.spared.insert(record.spared.end(), driver.unread.begin(), driver.unread.end());
    out.push_back(std::move(record));
  }

  void add_product(const Row& row, const std::vector<const Row*>& mends, std::vector<Affected>& out) {
    auto read = affected_text(row);
    std::vector<std::string> fixed;
    for (const Row* mend : mends)
      if (auto versions = fixed_text(*mend)) fixed.insert(fixed.end(), versions->begin(), versions->end());
    if (!read) return;
    Affected product;
    product.ecosystem = "nvidia";
    product.package = row.product;
    product.platform = row.platform;
    product.note = read->note;
    tell_versions(*read, fixed, product);
    if (read->conditions_before.empty()) {
      product.conditions = read->conditions;
      out.push_back(std::move(product));
      return;
    }
    // Older ones are affected under a condition, the others always.
    Affected always = product;
    always.introduced = read->conditions_before;
    for (Range& range : always.ranges) range.introduced = read->conditions_before;
    out.push_back(std::move(always));
    product.fixed.clear();
    product.ranges = {{"", read->conditions_before, ""}};
    product.conditions = read->conditions;
    out.push_back(std::move(product));
  }

  // The mended version ends the range, whatever end the affected text names: bulletins have said "and including" of the
  // mended one itself. Where all versions up to them are affected, mended versions are ends of lines, and several rows
  // may tell the lines of one product.
  static void tell_versions(const AffectedText& read, const std::vector<std::string>& fixed, Affected& product) {
    product.versions = read.versions;
    const bool open = std::all_of(read.ranges.begin(), read.ranges.end(),
                                  [](const Range& range) { return range.introduced.empty(); });
    if (!fixed.empty() && open && read.versions.empty()) {
      product.fixed = fixed;
      return;
    }
    product.ranges = read.ranges;
    if (fixed.size() == 1 && product.ranges.size() == 1) {
      product.ranges.front().fixed = fixed.front();
      product.ranges.front().last.clear();
    }
  }

  std::optional<AffectedText> affected_text(const Row& row) {
    auto read = read_affected(row.text, row.product);
    if (!read) {
      refuse_row(row, read.error());
      return std::nullopt;
    }
    return std::move(*read);
  }

  std::optional<std::vector<std::string>> fixed_text(const Row& row) {
    auto read = read_fixed(row.text, row.product);
    if (!read) {
      refuse_row(row, read.error());
      return std::nullopt;
    }
    return std::move(*read);
  }

  // Each row once, however many vulnerabilities name it.
  void count(const Row& row) {
    if (!counted_.insert(row.id).second) return;
    ++batch_.ranges;
    if (is_elsewhere(row)) ++batch_.elsewhere;
  }

  void refuse_row(const Row& row, std::string why) {
    if (refused_.insert(row.id).second) refuse(row.platform + " " + row.product, row.text, std::move(why));
  }

  void refuse(std::string subject, std::string_view came, std::string why) {
    batch_.refused.push_back({document_.name, std::move(subject), std::string(came.substr(0, 200)), std::move(why)});
  }

  const Document& document_;
  json::Element root_;
  std::vector<Row> rows_;
  std::set<std::string> counted_, refused_;
  std::string number_, published_, modified_;
  Batch batch_;
};

bool recognizes(const Document& document) {
  const auto head = document.text.substr(0, 1 << 16);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return has("\"csaf_version\"") && has("\"https://www.nvidia.com/security\"");
}

Result<Batch> read(const Document& document) {
  const auto parsed = json::Parsed::parse(document);
  if (!parsed) return failure(parsed.error());
  const json::Element root = parsed->root();
  const std::string_view number = json::text(json::member(json::member(root, "document"), "tracking"), "id");
  if (number.empty() || number.size() > 64 || !json::member(root, "vulnerabilities").is_array())
    return failure({Error::Kind::usage, "a bulletin with its tracking id and vulnerabilities", "none of them",
                    document.name, "get the feed again from its publisher"});
  Reader reader(document, root);
  if (const std::string bound = reader.too_much(); !bound.empty())
    return failure({Error::Kind::usage, bound, "more", document.name, "get the feed again from its publisher"});
  return reader.read();
}

}  // namespace

extern const Format nvidia_csaf = {"nvidia_csaf", "NVIDIA's security bulletins, CSAF 2.0 JSON", recognizes, read};

}  // namespace assay::advisory::formats
