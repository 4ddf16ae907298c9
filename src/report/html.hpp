// report.html: one file that needs nothing else. The page's template, style and script lie in web/report and are
// compiled in; the first screen is written here, so that it reads without JavaScript, and the script adds the map and
// the way down to raw output from the data that the page carries.
//
// Everything from a node is hostile until shown otherwise: here it goes through escape(), in the script through
// textContent, and the page's Content-Security-Policy names the hashes of its own style and script, so nothing else
// runs or loads.
#pragma once

#include <string>

#include "report/model.hpp"

namespace assay::report {

std::string to_html(const Report& report);

// Text from anywhere made fit for HTML text and attributes: what is invisible or reorders text is shown as such.
std::string escape(std::string_view text);

// JSON of ASCII alone as it may stand inside a script element.
std::string script_safe(std::string_view json);

}  // namespace assay::report
