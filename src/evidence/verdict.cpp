#include "evidence/verdict.hpp"

#include <array>

namespace assay {

namespace {

constexpr std::array<std::pair<Status, std::string_view>, 5> kStatuses{{
    {Status::pass, "pass"},
    {Status::warn, "warn"},
    {Status::fail, "fail"},
    {Status::unknown, "unknown"},
    {Status::not_applicable, "not_applicable"},
}};

}  // namespace

std::string_view name_of(Status status) {
  for (const auto& [known, name] : kStatuses)
    if (known == status) return name;
  return "unknown";
}

Result<Status> status_from(std::string_view name) {
  for (const auto& [status, known] : kStatuses)
    if (known == name) return status;
  return failure({Error::Kind::usage, "pass, warn, fail, unknown or not_applicable", std::string(name), "", ""});
}

}  // namespace assay
