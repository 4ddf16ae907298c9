// The pages of docs/ that are made from data and code, so that they can't lie: what is rated, what is checked, what is
// observed. A test compares the committed pages with these.
#pragma once

#include <map>
#include <string>

#include "app/catalogue.hpp"

namespace assay::app {

std::string criteria_page(const Catalogue& catalogue);
std::string checks_page(const Catalogue& catalogue);
std::string observations_page();

// File name → content, of all of them.
std::map<std::string, std::string> generated_pages(const Catalogue& catalogue);

}  // namespace assay::app
