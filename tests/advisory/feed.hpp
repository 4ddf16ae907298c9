// What tests of feed formats need: a text read as a format reads it, and the published feeds beside the checkout.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "advisory/archive.hpp"
#include "advisory/format.hpp"

namespace assay::advisory {

// The one format that recognizes the text; nullptr if none does. More than one fails the test.
const Format* format_of(const std::string& text, const std::string& name = "document.json");
// Read by the format of that name, whether it recognizes the text or not, from a buffer that ends where it must.
Result<Batch> read_as(std::string_view format, const std::string& text, const std::string& name = "document.json");

// ../shared/feeds/NAME, or "" where it isn't there; such tests skip.
std::filesystem::path feed(const std::string& name);
// All documents of a folder or archive; what archive.cpp refused is among `refused`. A document that its format refuses
// as a whole, or that none recognizes, is too.
Batch read_all(const std::filesystem::path& path);

// "introduced..fixed" or "introduced..=last" of all ranges, separated by blanks.
std::string spelled(const std::vector<Range>& ranges);
// nullptr if there is none.
const Advisory* advisory(const Batch& batch, std::string_view id);
const Affected* product(const Advisory* advisory, std::string_view ecosystem, std::string_view package);

}  // namespace assay::advisory
