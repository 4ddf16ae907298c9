#include "app/docs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/describe.hpp"
#include "node/reader.hpp"

namespace assay::app {

namespace {

using catalog::Check;
using catalog::Criterion;
using catalog::Served;

constexpr auto kMade = "<!-- Made by `assay docs docs` from data/ and the readers: change those. -->\n";

// Inside a table's cell a bar would end it and < would begin a tag.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '<' ? "&lt;" : std::string(1, c);
  }
  return escaped;
}

std::string items_served(const Catalogue& catalogue, const Criterion& criterion) {
  const auto count = std::count_if(catalogue.served.begin(), catalogue.served.end(), [&](const Served& served) {
    return served.criterion == &criterion && !served.checks.empty();
  });
  return fmt::format("{} of {}", count, criterion.items.size());
}

std::string weights_table(const Catalogue& catalogue) {
  std::string page = "| criterion | weight | items with a check | why this weight |\n|---|---|---|---|\n";
  for (const Criterion& criterion : catalogue.rubric.criteria)
    page += fmt::format("| [{}](#{}) | {} | {} | {} |\n", criterion.title, criterion.id, criterion.weight,
                        items_served(catalogue, criterion), cell(criterion.why));
  return page;
}

std::string gates_and_tiers(const catalog::Rubric& rubric) {
  std::string page = "\n## Gates\nEach must hold, whatever the score; of several items one is enough.\n\n";
  page += "| gate | items | what its failure means |\n|---|---|---|\n";
  for (const catalog::GateRule& gate : rubric.gates)
    page += fmt::format("| {} | {} | {} |\n", gate.id, fmt::join(gate.any_of, ", "), cell(gate.why));
  page += "\n## Tiers\nNamed for the low end of the score.\n\n| tier | from | meaning |\n|---|---|---|\n";
  for (const catalog::Tier& tier : rubric.tiers)
    page += fmt::format("| {} | {} | {} |\n", tier.name, tier.at_least, cell(tier.why));
  page += fmt::format("| {} | – | {} |\n", rubric.unavailable.name, cell(rubric.unavailable.why));
  return page + fmt::format("\nA tier needs {:.0f} % of the evidence: {}\n", 100 * rubric.minimum_evidence,
                            rubric.minimum_why);
}

std::string item_row(const Served& served) {
  const catalog::Item& item = *served.item;
  const std::string only = item.scheduler.empty() ? "" : fmt::format(" ({})", item.scheduler);
  return fmt::format("| {}{} | {}{} | {} | {} | {} |\n", item.id.substr(item.id.find('.') + 1),
                     item.critical ? " **critical**" : "", cell(item.title), only, item.weight, ways_words(item),
                     cell(served_words(served)));
}

std::string check_section(const Check& check) {
  std::string page = fmt::format("\n### {}\n{}.\n\n", check.id, check.title);
  page += fmt::format("- serves {}; phase {}; severity {}; privilege {}; speaks of each {}\n", check.item, check.phase,
                      check.severity, check.privilege, check.scope);
  page += fmt::format("- expected: {}\n- why: {}\n- fix: {}\n- judged by {}\n- references: {}\n", check.expected,
                      check.why, check.fix, logic_words(check), fmt::join(check.references, ", "));
  return page;
}

}  // namespace

std::string criteria_page(const Catalogue& catalogue) {
  const catalog::Rubric& rubric = catalogue.rubric;
  std::string page = fmt::format(
      "{}# What is rated: {} ({})\n{}\n\nHow a rating comes of it: "
      "[designs/0003-rating.md](designs/0003-rating.md).\n\n## Criteria\n",
      kMade, rubric.title, rubric.name(), rubric.scope);
  page += weights_table(catalogue) + gates_and_tiers(rubric);
  for (const Criterion& criterion : rubric.criteria) {
    page += fmt::format("\n## {}\n\n| item | holds when | weight | known by | served by |\n|---|---|---|---|---|\n",
                        criterion.title);
    for (const Served& served : catalogue.served)
      if (served.criterion == &criterion) page += item_row(served);
  }
  return page;
}

std::string checks_page(const Catalogue& catalogue) {
  std::string page =
      fmt::format("{}# Checks\n{} checks. `assay explain ID` tells the same of one.\n", kMade, catalogue.checks.size());
  for (const Criterion& criterion : catalogue.rubric.criteria) {
    std::string sections;
    for (const Check& check : catalogue.checks)
      if (check.criterion == criterion.id) sections += check_section(check);
    if (!sections.empty()) page += fmt::format("\n## {}\n", criterion.title) + sections;
  }
  return page;
}

std::string observations_page() {
  std::string page = fmt::format(
      "{}# Observations\nWhat the agent's readers can say. Each is a value, or absent with "
      "its reason. Units are UCUM; an empty subject is the node itself.\n",
      kMade);
  for (const node::Reader* reader : node::readers()) {
    page += fmt::format("\n## {}\n{}; at most {} s.\n\n| name | subject | unit | meaning |\n|---|---|---|---|\n",
                        reader->id, cell(reader->what), static_cast<double>(reader->limit.count()) / 1000);
    for (const node::Emits& emits : reader->emits)
      page += fmt::format("| {} | {} | {} | {} |\n", cell(emits.name), cell(emits.subject), cell(emits.unit),
                          cell(emits.meaning));
  }
  return page;
}

std::map<std::string, std::string> generated_pages(const Catalogue& catalogue) {
  return {{"criteria.md", criteria_page(catalogue)},
          {"checks.md", checks_page(catalogue)},
          {"observations.md", observations_page()}};
}

}  // namespace assay::app
