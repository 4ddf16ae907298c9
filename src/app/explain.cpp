#include "app/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/describe.hpp"

namespace assay::app {

namespace {

using catalog::Check;
using catalog::Criterion;
using catalog::Item;
using catalog::Served;
using nlohmann::ordered_json;

ordered_json begin(const char* kind) { return {{"schema", "assay.explain/1"}, {"kind", kind}}; }

const Served* find_served(const Catalogue& catalogue, const std::string& item) {
  for (const Served& served : catalogue.served)
    if (served.item->id == item) return &served;
  return nullptr;
}

std::vector<std::string> gates_of(const Catalogue& catalogue, const std::string& item) {
  std::vector<std::string> words;
  for (const catalog::GateRule& gate : catalogue.rubric.gates)
    if (std::find(gate.any_of.begin(), gate.any_of.end(), item) != gate.any_of.end())
      words.push_back(gate.id + ": " + gate.why);
  return words;
}

ordered_json explain_check(const Catalogue& catalogue, const Check& check) {
  ordered_json json = begin("check");
  json["id"] = check.id;
  json["title"] = check.title;
  json["criterion"] = check.criterion;
  json["item"] = check.item;
  const Served& served = *find_served(catalogue, check.item);
  json["item_title"] = served.item->title;
  json["item_served_by"] = served_words(served);
  if (served.item->critical) json["gates"] = gates_of(catalogue, check.item);
  json["phase"] = check.phase;
  json["severity"] = check.severity;
  json["privilege"] = check.privilege;
  json["speaks_of"] = "each " + check.scope;
  json["expected"] = check.expected;
  json["why"] = check.why;
  json["fix"] = check.fix;
  json["judged_by"] = logic_words(check);
  json["references"] = check.references;
  return json;
}

ordered_json explain_item(const Catalogue& catalogue, const Served& served) {
  const Item& item = *served.item;
  double total = 0;
  for (const Item& each : served.criterion->items) total += each.weight;
  ordered_json json = begin("item");
  json["id"] = item.id;
  json["title"] = item.title;
  json["criterion"] = served.criterion->id;
  json["known_by"] = ways_words(item);
  json["weight"] = fmt::format("{} of {} in its criterion", item.weight, total);
  if (!item.scheduler.empty()) json["scheduler"] = item.scheduler;
  if (item.critical) json["gates"] = gates_of(catalogue, item.id);
  if (item.answerable()) json["question"] = item.question;
  json["served_by"] = served_words(served);
  return json;
}

ordered_json explain_criterion(const Catalogue& catalogue, const Criterion& criterion) {
  ordered_json json = begin("criterion");
  json["id"] = criterion.id;
  json["title"] = criterion.title;
  json["weight"] = criterion.weight;
  json["why"] = criterion.why;
  json["items"] = ordered_json::array();
  for (const Served& served : catalogue.served)
    if (served.criterion == &criterion)
      json["items"].push_back(fmt::format("{}: {} [{}]", served.item->id, served.item->title, served_words(served)));
  return json;
}

// Ids that hold the wanted one's last part, or that it holds.
std::string near(const Catalogue& catalogue, const std::string& id) {
  const std::string tail = id.substr(id.find('.') + 1);
  std::vector<std::string> found;
  const auto consider = [&](const std::string& known) {
    if (!tail.empty() && known.find(tail) != std::string::npos &&
        std::find(found.begin(), found.end(), known) == found.end())
      found.push_back(known);
  };
  for (const Check& check : catalogue.checks) consider(check.id);
  for (const Served& served : catalogue.served) consider(served.item->id);
  if (found.size() > 5) found.resize(5);
  return found.empty() ? "see assay checks" : fmt::format("near it: {}", fmt::join(found, ", "));
}

std::string value_text(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

Result<ordered_json> explain(const Catalogue& catalogue, const std::string& id) {
  for (const Check& check : catalogue.checks)
    if (check.id == id) return explain_check(catalogue, check);
  if (const Served* served = find_served(catalogue, id)) return explain_item(catalogue, *served);
  for (const Criterion& criterion : catalogue.rubric.criteria)
    if (criterion.id == id) return explain_criterion(catalogue, criterion);
  return failure({Error::Kind::usage, "the id of a check, an item or a criterion", id.empty() ? "nothing" : id, "",
                  near(catalogue, id)});
}

std::string explain_text(const ordered_json& explained) {
  std::string text;
  for (const auto& [key, value] : explained.items()) {
    if (key == "schema") continue;
    std::string label = key;
    std::replace(label.begin(), label.end(), '_', ' ');
    if (!value.is_array()) {
      text += fmt::format("{:<15} {}\n", label, value_text(value));
      continue;
    }
    text += label + "\n";
    for (const auto& each : value) text += "  " + value_text(each) + "\n";
  }
  return text;
}

ordered_json checks_json(const Catalogue& catalogue) {
  ordered_json list = ordered_json::array();
  for (const Check& check : catalogue.checks)
    list.push_back({{"id", check.id},
                    {"title", check.title},
                    {"criterion", check.criterion},
                    {"item", check.item},
                    {"phase", check.phase},
                    {"severity", check.severity},
                    {"privilege", check.privilege}});
  return {{"schema", "assay.checks/1"}, {"checks", list}};
}

}  // namespace assay::app
