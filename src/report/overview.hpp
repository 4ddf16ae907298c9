// The page's first part, as HTML: the rating, what matters first, what isn't known, the criteria, all checks. It reads
// without JavaScript.
#pragma once

#include <string>

#include "report/model.hpp"

namespace assay::report::overview {

std::string rating(const Report& report);
std::string findings(const Report& report);
std::string unknown(const Report& report);
std::string criteria(const Report& report);
std::string checks(const Report& report);

}  // namespace assay::report::overview
