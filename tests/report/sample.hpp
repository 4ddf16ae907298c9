// Evidence of a made-up cluster, for reports to be tested on: four nodes and a login host; n4 never answered, n3's GPU
// reader hung, and n1 to n3 have the faults that a real cluster has.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/model.hpp"

namespace assay::testing {

struct SampleOptions {
  bool sound = false;  // nothing falls short and every host answers
  int nodes = 4;       // n1, n2, …
  std::string spice;   // put into every text that comes from a node or about one
};

// Writes the evidence of a run into a new folder.
void write_sample(const std::filesystem::path& folder, const SampleOptions& options = {});

std::vector<catalog::Check> sample_checks(const std::string& spice = {});
rating::Rating sample_rating(const SampleOptions& options = {});

// What gather() makes of it.
report::Report sample_report(const std::filesystem::path& folder, const SampleOptions& options = {});

}  // namespace assay::testing
