#include "rating/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace assay::rating {

namespace {

using nlohmann::ordered_json;

// Six digits: what sums differ by from machine to machine lies below.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

ordered_json json_of(Interval score) { return {{"low", rounded(score.low)}, {"high", rounded(score.high)}}; }

ordered_json json_of(const Gate& gate) {
  return {{"id", gate.id}, {"items", gate.items}, {"status", name_of(gate.status)}, {"why", gate.why}};
}

ordered_json json_of(const Closing& closing) {
  return {{"item", closing.item},   {"title", closing.title},          {"how", closing.how},
          {"words", closing.words}, {"width", rounded(closing.width)}, {"gate", closing.gate}};
}

ordered_json json_of(const ItemScore& item) {
  return {{"id", item.id},
          {"title", item.title},
          {"how", item.how},
          {"critical", item.critical},
          {"weight", item.weight},
          {"status", name_of(item.status)},
          {"score", json_of(item.score)},
          {"seen", rounded(item.seen)},
          {"checks", item.checks},
          {"note", item.note}};
}

ordered_json json_of(const CriterionScore& criterion);

template <class T>
ordered_json list_of(const std::vector<T>& things) {
  ordered_json list = ordered_json::array();
  for (const T& thing : things) list.push_back(json_of(thing));
  return list;
}

ordered_json json_of(const CriterionScore& criterion) {
  return {{"id", criterion.id},
          {"title", criterion.title},
          {"weight", criterion.weight},
          {"applies", criterion.applies},
          {"score", json_of(criterion.score)},
          {"seen", rounded(criterion.seen)},
          {"items", list_of(criterion.items)}};
}

}  // namespace

ordered_json to_json(const Rating& rating) {
  return {{"rubric", rating.rubric},          {"provider", rating.provider},
          {"summary", rating.summary},        {"tier", rating.tier},
          {"tier_low", rating.tier_low},      {"tier_high", rating.tier_high},
          {"score", json_of(rating.score)},   {"seen", rounded(rating.seen)},
          {"minimum", rating.minimum},        {"gates", list_of(rating.gates)},
          {"closes", list_of(rating.closes)}, {"criteria", list_of(rating.criteria)}};
}

}  // namespace assay::rating
