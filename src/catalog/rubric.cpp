#include "catalog/rubric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "catalog/yaml.hpp"

namespace assay::catalog {

namespace {

constexpr std::array<std::pair<Way, std::string_view>, 6> kWays{{
    {Way::audit, "audit"},
    {Way::bench, "bench"},
    {Way::burn, "burn"},
    {Way::drill, "drill"},
    {Way::asked, "asked"},
    {Way::felt, "felt"},
}};

double number_within(Mapping& from, const std::string& key, double low, double high) {
  const auto value = from.number(key);
  if (!value || *value < low || *value > high)
    from.refuse(key, fmt::format("a number from {} to {}", low, high), value ? fmt::format("{}", *value) : "none");
  return value.value_or(low);
}

std::vector<Way> parse_ways(Mapping& from) {
  std::vector<Way> ways;
  for (const std::string& word : from.list("how")) {
    const auto known = std::find_if(kWays.begin(), kWays.end(), [&](const auto& way) { return way.second == word; });
    if (known == kWays.end())
      from.refuse("how", "audit, bench, burn, drill, asked or felt", word);
    else
      ways.push_back(known->first);
  }
  if (ways.empty()) from.refuse("how", "at least one way", "none");
  return ways;
}

std::optional<AnswerValue> parse_value(Mapping& item) {
  auto nested = item.mapping("value");
  if (!nested) return std::nullopt;
  AnswerValue value{nested->text("unit"), nested->number("at_least"), nested->number("at_most")};
  item.adopt(*nested);
  return value;
}

Item parse_item(Mapping& from, const std::string& criterion) {
  Item item;
  item.id = criterion + "." + from.text("id");
  item.title = from.text("title");
  item.how = parse_ways(from);
  if (from.has("weight")) item.weight = number_within(from, "weight", 1, 3);
  item.scheduler = from.text_or("scheduler", "");
  if (!item.scheduler.empty() && item.scheduler != "slurm" && item.scheduler != "kubernetes")
    from.refuse("scheduler", "slurm or kubernetes", item.scheduler);
  item.question = from.text_or("question", "");
  if (item.answerable() != std::any_of(item.how.begin(), item.how.end(), in_words))
    from.refuse("question", "a question exactly where the item is asked or felt", item.answerable() ? "one" : "none");
  item.value = parse_value(from);
  if (item.value && !item.answerable()) from.refuse("value", "a question to go with it", "none");
  item.not_yet = from.text_or("not_yet", "");
  return item;
}

Criterion parse_criterion(Mapping& from) {
  Criterion criterion;
  criterion.id = from.text("id");
  criterion.title = from.text("title");
  criterion.weight = number_within(from, "weight", 1, 100);
  criterion.why = from.text("why");
  for (Mapping& nested : from.mappings("items")) {
    criterion.items.push_back(parse_item(nested, criterion.id));
    from.adopt(nested);
  }
  if (criterion.items.empty()) from.refuse("items", "at least one item", "none");
  return criterion;
}

void parse_values(Mapping& from, Rubric& rubric) {
  if (auto values = from.mapping("values")) {
    rubric.pass = number_within(*values, "pass", 1, 1);
    rubric.warn = number_within(*values, "warn", 0, 1);
    rubric.fail = number_within(*values, "fail", 0, 0);
    from.adopt(*values);
  } else {
    from.refuse("values", "what pass, warn and fail are worth", "none");
  }
  rubric.claim = number_within(from, "claim", 0, 1);
  if (auto evidence = from.mapping("evidence")) {
    rubric.minimum_evidence = number_within(*evidence, "minimum", 0, 1);
    rubric.minimum_why = evidence->text("why");
    from.adopt(*evidence);
  } else {
    from.refuse("evidence", "the least share of evidence for a tier", "none");
  }
}

void parse_tiers(Mapping& from, Rubric& rubric) {
  for (Mapping& nested : from.mappings("tiers")) {
    rubric.tiers.push_back({nested.text("name"), number_within(nested, "at_least", 0, 1), nested.text("why")});
    from.adopt(nested);
  }
  const bool ordered = std::is_sorted(rubric.tiers.begin(), rubric.tiers.end(),
                                      [](const Tier& a, const Tier& b) { return a.at_least > b.at_least; });
  if (rubric.tiers.empty() || !ordered || rubric.tiers.back().at_least != 0)
    from.refuse("tiers", "tiers, best first, the last one at_least 0", "others");
  if (auto nested = from.mapping("unavailable")) {
    rubric.unavailable = {nested->text("name"), 0, nested->text("why")};
    from.adopt(*nested);
  } else {
    from.refuse("unavailable", "a tier for a provider without a cluster", "none");
  }
}

bool flag(Mapping& from, const std::string& key) {
  const std::string word = from.text_or(key, "false");
  if (word != "true" && word != "false") from.refuse(key, "true or false", word);
  return word == "true";
}

GateRule parse_gate(Mapping& from, const Rubric& rubric) {
  GateRule gate{from.text("id"), from.list("any_of"), flag(from, "always"), from.text("why")};
  if (gate.any_of.empty()) from.refuse("any_of", "at least one item", "none");
  for (const std::string& id : gate.any_of) {
    const Item* item = rubric.find(id);
    if (item == nullptr)
      from.refuse("any_of", "an item of this rubric", id);
    else if (gate.always && !item->answerable())
      from.refuse("always", "items that can be asked, for what no machine shows", id);
  }
  return gate;
}

void parse_gates(Mapping& from, Rubric& rubric) {
  std::set<std::string_view> critical;
  std::set<std::string_view> always;
  for (Mapping& nested : from.mappings("gates")) {
    rubric.gates.push_back(parse_gate(nested, rubric));
    from.adopt(nested);
  }
  for (const GateRule& gate : rubric.gates) {
    critical.insert(gate.any_of.begin(), gate.any_of.end());
    if (gate.always) always.insert(gate.any_of.begin(), gate.any_of.end());
  }
  for (Criterion& criterion : rubric.criteria)
    for (Item& item : criterion.items) {
      item.critical = critical.contains(item.id);
      item.always = always.contains(item.id);
    }
}

void refuse_twins(Mapping& from, const Rubric& rubric) {
  std::set<std::string> seen;
  for (const Criterion& criterion : rubric.criteria)
    for (const Item& item : criterion.items)
      if (!seen.insert(item.id).second) from.refuse("criteria", "each item once", item.id + " twice");
}

}  // namespace

std::string_view name_of(Way way) {
  for (const auto& [known, name] : kWays)
    if (known == way) return name;
  return "audit";
}

std::optional<Way> way_of_phase(std::string_view phase) {
  if (phase == "audit") return Way::audit;
  if (phase == "performance") return Way::bench;
  if (phase == "reliability") return Way::burn;
  if (phase == "drill") return Way::drill;
  return std::nullopt;
}

const Item* Rubric::find(std::string_view item) const {
  for (const Criterion& criterion : criteria)
    for (const Item& each : criterion.items)
      if (each.id == item) return &each;
  return nullptr;
}

Result<Rubric> parse_rubric(const std::string& yaml, const std::string& where) {
  const auto node = parse_yaml(yaml, where);
  if (!node) return failure(node.error());
  Mapping from(*node, where);
  Rubric rubric;
  rubric.id = from.text("id");
  rubric.version = from.integer("version").value_or(0);
  rubric.date = from.text("date");
  rubric.title = from.text("title");
  rubric.scope = from.text("scope");
  parse_values(from, rubric);
  parse_tiers(from, rubric);
  for (Mapping& nested : from.mappings("criteria")) {
    rubric.criteria.push_back(parse_criterion(nested));
    from.adopt(nested);
  }
  if (rubric.criteria.empty()) from.refuse("criteria", "at least one criterion", "none");
  parse_gates(from, rubric);
  refuse_twins(from, rubric);
  if (auto finished = from.finish(); !finished) return failure(finished.error());
  return rubric;
}

Result<Rubric> load_rubric(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return failure(text.error());
  return parse_rubric(*text, file.string());
}

}  // namespace assay::catalog
