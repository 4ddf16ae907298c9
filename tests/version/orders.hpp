// What the tests of all schemes share: tables of known orders, and versions drawn at random from each scheme's grammar.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "version/order.hpp"

namespace assay::testing {

// Each is older than all behind it; checked in pairs, both ways round, and each with itself.
void expect_ascending(version::Scheme scheme, const std::vector<std::string_view>& versions);
// Each stands to each as `order`, which has no direction (equal, incomparable).
void expect_all(version::Scheme scheme, version::Order order, const std::vector<std::string_view>& versions);
void expect_versions(version::Scheme scheme, const std::vector<std::string_view>& texts);
// And none has an order, not even with itself.
void expect_no_versions(version::Scheme scheme, const std::vector<std::string_view>& texts);

const std::vector<version::Scheme>& all_schemes();

// A number from 0 up to, not including, the one given, by chance.
using Choice = std::function<int(int)>;
// Of few and short parts, so that near-equal ones are common.
std::string draw(version::Scheme scheme, const Choice& choose);
// Draws again until it's a version; most are.
std::string draw_version(version::Scheme scheme, const Choice& choose);

}  // namespace assay::testing

namespace assay::version {
// For messages of failed tests.
void PrintTo(Order order, std::ostream* out);
}  // namespace assay::version
