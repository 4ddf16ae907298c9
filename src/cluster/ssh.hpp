// Nodes by the user's own ssh client (ssh.cpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cluster/launcher.hpp"

namespace assay::cluster {

struct SshOptions {
  std::vector<std::string> nodes;
  std::string config;  // -F; empty: the user's own
  std::size_t at_once = 32;
  int connect_timeout = 10;  // s
};

std::unique_ptr<Launcher> make_ssh(SshOptions options);

}  // namespace assay::cluster
