#include "advisory/stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "version/order.hpp"

namespace assay::advisory {

namespace {

// "4:1.2.5" of 4:1.2.5-3.el9_6.
std::string_view makers_part(std::string_view version) { return version.substr(0, version.rfind('-')); }

// Epoch and first two numbers: what tells the module streams of one package from each other.
std::string module_of(std::string_view version) {
  const auto colon = version.find(':');
  const auto epoch = colon == std::string_view::npos ? std::string_view("0") : version.substr(0, colon);
  const auto rest = makers_part(colon == std::string_view::npos ? version : version.substr(colon + 1));
  return fmt::format("module {}:{}", epoch, version::line(version::Scheme::plain, rest));
}

// "el9_6" of 3.el9_6, of 38.el9_4.1 "el9_4"; empty if the release names none.
std::string_view minor_release_of(std::string_view version) {
  const auto at = version.find(".el", version.rfind('-') + 1);
  if (at == std::string_view::npos) return {};
  const auto tag = version.substr(at + 1);
  return tag.substr(0, tag.find_first_not_of("0123456789_", 2));
}

std::string stream_of(std::string_view version) {
  if (version.find(".module") != std::string_view::npos) return module_of(version);
  return std::string(minor_release_of(version));
}

std::string least(const std::vector<std::string>& ends) {
  return *std::min_element(ends.begin(), ends.end(), [](const std::string& a, const std::string& b) {
    return version::compare(version::Scheme::rpm, a, b) == version::Order::less;
  });
}

template <class Of>
std::vector<std::string> with_same(const std::vector<std::string>& ends, std::string_view version, Of of) {
  std::vector<std::string> same;
  for (const std::string& end : ends)
    if (of(end) == of(version)) same.push_back(end);
  return same;
}

}  // namespace

std::string end_of_own_stream(const std::vector<std::string>& ends, std::string_view version) {
  if (ends.empty()) return "";
  if (!stream_of(version).empty())
    if (const auto own = with_same(ends, version, stream_of); !own.empty()) return least(own);
  // A rebuild without the tag is told by its makers' number, where the streams differ in that.
  const auto own = with_same(ends, version, makers_part);
  return own.empty() || own.size() == ends.size() ? "" : least(own);
}

}  // namespace assay::advisory
