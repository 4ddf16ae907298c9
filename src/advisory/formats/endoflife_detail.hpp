// endoflife.date's release lines, from each of the forms they come in: the front matter of its files, and two forms of
// its interface.
#pragma once

#include <string>
#include <string_view>

#include "advisory/format.hpp"

namespace assay::advisory::formats {

// One line as it was told: a date, "true" or "false", or nothing. `product` and `line` are the source's.
struct ToldCycle {
  std::string product, line, released, end, extended, latest, latest_date;
};

// Takes it into the batch, or lists why not. "nvidia" is the driver: its "r535-linux" becomes 535 of nvidia-driver, and
// Windows is counted elsewhere.
void take_cycle(const ToldCycle& told, const Document& document, Batch& batch);

// "kubernetes" of "endoflife/kubernetes.yaml".
std::string product_of(std::string_view name);

bool is_front_matter(std::string_view text);
Result<Batch> read_front_matter(const Document& document);

}  // namespace assay::advisory::formats
