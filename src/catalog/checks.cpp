#include "catalog/checks.hpp"

#include <algorithm>
#include <array>

#include "catalog/yaml.hpp"

namespace assay::catalog {

namespace {

namespace fs = std::filesystem;

std::string one_of(Mapping& from, const std::string& key, std::initializer_list<std::string_view> allowed) {
  std::string value = from.text(key);
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    std::string words;
    for (const std::string_view each : allowed) words.append(words.empty() ? "" : ", ").append(each);
    from.refuse(key, "one of " + words, value);
  }
  return value;
}

// "node", "slurm-node". A kind that no subject can have would judge nothing and say so of nobody.
bool is_kind(std::string_view kind) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto fits = [&](char c) { return lower(c) || (c >= '0' && c <= '9') || c == '-'; };
  return !kind.empty() && lower(kind.front()) && kind.back() != '-' && kind.find("--") == std::string_view::npos &&
         std::all_of(kind.begin(), kind.end(), fits);
}

Condition parse_condition(Mapping& from) {
  Condition condition;
  condition.observation = from.text_or("observation", "");
  condition.one_of = from.list("equals");
  if (condition.one_of.empty()) condition.one_of = from.list("one_of");
  condition.none_of = from.list("none_of");
  condition.at_least = from.number("at_least");
  condition.at_most = from.number("at_most");
  condition.no_bits = from.integer("no_bits");
  const bool range = condition.at_least || condition.at_most;
  if (!condition.one_of.empty() + !condition.none_of.empty() + range + condition.no_bits.has_value() != 1)
    from.refuse("equals", "exactly one of equals, one_of, none_of, at_least/at_most, no_bits",
                "another number of them");
  return condition;
}

std::optional<Condition> parse_condition_at(Mapping& rule, const std::string& key) {
  auto nested = rule.mapping(key);
  if (!nested) return std::nullopt;
  Condition condition = parse_condition(*nested);
  rule.adopt(*nested);
  return condition;
}

std::optional<Status> parse_status_at(Mapping& from, const std::string& key) {
  if (!from.has(key)) return std::nullopt;
  const auto status = status_from(from.text(key));
  if (!status) from.refuse(key, status.error().expected, status.error().came);
  return status ? std::optional(*status) : std::nullopt;
}

Rule parse_rule(Mapping& from) {
  Rule rule;
  rule.for_each = from.text("for_each");
  if (!is_kind(rule.for_each))
    from.refuse("for_each", "a kind of subject in lower-case words joined by \"-\" (node, host, cluster, gpu)",
                rule.for_each);
  rule.observation = from.text("observation");
  rule.applies = parse_condition_at(from, "applies");
  rule.warn = parse_condition_at(from, "warn");
  if (auto pass = parse_condition_at(from, "pass"))
    rule.pass = *pass;
  else
    from.refuse("pass", "a condition", "none");
  rule.otherwise = parse_status_at(from, "otherwise").value_or(Status::fail);
  rule.missing = parse_status_at(from, "missing");
  if (rule.otherwise != Status::fail && rule.otherwise != Status::warn)
    from.refuse("otherwise", "fail or warn", "a milder one");
  return rule;
}

// Each table is read once, however many checks name it.
Result<void> attach_tables(std::vector<Check>& checks, const fs::path& folder) {
  std::map<std::string, std::shared_ptr<const Table>, std::less<>> loaded;
  for (Check& check : checks) {
    for (const std::string& name : check.needs) {
      auto& table = loaded[name];
      if (table == nullptr) {
        auto read = load_table(folder, name);
        if (!read) return failure(read.error());
        table = std::make_shared<const Table>(std::move(*read));
      }
      check.tables.emplace(name, table);
    }
  }
  return {};
}

}  // namespace

Result<Check> parse_check(const std::string& id, const std::string& yaml, const std::string& where) {
  const auto node = parse_yaml(yaml, where);
  if (!node) return failure(node.error());
  Mapping from(*node, where);
  Check check;
  check.id = id;
  check.criterion = id.substr(0, id.find('.'));
  check.title = from.text("title");
  check.item = from.text("item");
  check.phase = one_of(from, "phase", {"audit", "performance", "reliability", "drill"});
  check.severity = one_of(from, "severity", {"critical", "high", "medium", "low"});
  check.privilege = from.text("privilege");
  check.scope = one_of(from, "scope", {"host", "node", "cluster"});
  check.expected = from.text("expected");
  check.why = from.text("why");
  check.fix = from.text("fix");
  check.references = from.list("references");
  if (check.references.empty()) from.refuse("references", "at least one reference", "none");
  if (!check.item.starts_with(check.criterion + "."))
    from.refuse("item", "an item of the criterion " + check.criterion, check.item);
  check.needs = from.list("tables");
  if (auto nested = from.mapping("rule")) {
    check.rule = parse_rule(*nested);
    from.adopt(*nested);
  }
  if (auto finished = from.finish(); !finished) return failure(finished.error());
  return check;
}

Result<std::vector<Check>> load_checks(const fs::path& folder) {
  std::vector<Check> checks;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() != ".yaml") continue;
    const auto text = read_file(entry.path());
    if (!text) return failure(text.error());
    const std::string id = entry.path().parent_path().filename().string() + "." + entry.path().stem().string();
    auto check = parse_check(id, *text, entry.path().string());
    if (!check) return failure(check.error());
    checks.push_back(std::move(*check));
  }
  if (error || checks.empty())
    return failure({Error::Kind::usage, "a folder of checks", error ? error.message() : "none in it", folder.string(),
                    "install assay's data folder, or set ASSAY_DATA to it"});
  if (auto attached = attach_tables(checks, folder.parent_path() / "tables"); !attached)
    return failure(attached.error());
  std::sort(checks.begin(), checks.end(), [](const Check& a, const Check& b) { return a.id < b.id; });
  return checks;
}

}  // namespace assay::catalog
