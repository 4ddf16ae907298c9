#include "evidence/observation.hpp"

#include <fmt/format.h>

#include <array>

namespace assay {

namespace {

constexpr std::array<std::pair<Absence, std::string_view>, 5> kAbsences{{
    {Absence::permission, "permission"},
    {Absence::unsupported, "unsupported"},
    {Absence::missing, "missing"},
    {Absence::timeout, "timeout"},
    {Absence::malformed, "malformed"},
}};

struct AsText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{:.6g}", value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const TextList& value) const { return fmt::format("{}", fmt::join(value, ", ")); }
  std::string operator()(const Record& value) const {
    std::string text;
    for (const auto& [key, field] : value) text += (text.empty() ? "" : ", ") + key + "=" + field;
    return text;
  }
};

}  // namespace

std::string_view name_of(Absence reason) {
  for (const auto& [known, name] : kAbsences)
    if (known == reason) return name;
  return "malformed";
}

Result<Absence> absence_from(std::string_view name) {
  for (const auto& [reason, known] : kAbsences)
    if (known == name) return reason;
  return failure(
      {Error::Kind::usage, "permission, unsupported, missing, timeout or malformed", std::string(name), "", ""});
}

std::string to_text(const Value& value, std::string_view unit) {
  std::string text = std::visit(AsText{}, value);
  if (!unit.empty() && unit != "1") text += fmt::format(" {}", unit);
  return text;
}

std::string to_text(const Observation& observation) {
  if (const Value* value = observation.value()) return to_text(*value, observation.unit);
  const Absent& absent = *observation.absent();
  return fmt::format("not seen: {}{}{}", name_of(absent.reason), absent.detail.empty() ? "" : ", ", absent.detail);
}

}  // namespace assay
