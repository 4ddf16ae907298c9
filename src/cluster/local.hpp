// This machine as a cluster of one.
#pragma once

#include <memory>

#include "cluster/launcher.hpp"

namespace assay::cluster {

std::unique_ptr<Launcher> make_local();

}  // namespace assay::cluster
