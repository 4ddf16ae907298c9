// What ibstat, ibstatus, show_gids and NCCL's files may hold: read or refused, and a port that was read is whole.
#include <cstdlib>
#include <string_view>

#include "node/facts/infiniband_detail.hpp"
#include "node/facts/nccl_detail.hpp"
#include "node/facts/nccl_shell_detail.hpp"

namespace {

void require_whole(const assay::Seen<assay::node::infiniband::Listing>& listing) {
  if (!listing) return;
  for (const auto& [name, adapter] : listing->adapters)
    for (const auto& [number, port] : adapter.ports)
      if (port.state.empty() || port.phys_state.empty() || !port.rate || port.link_layer.empty()) std::abort();
}

void require_ours(const assay::Record& settings) {
  for (const auto& [name, value] : settings)
    if (!name.starts_with("NCCL_") && !name.starts_with("RCCL_")) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  require_whole(assay::node::infiniband::parse_ibstat(text));
  require_whole(assay::node::infiniband::parse_ibstatus(text));
  static_cast<void>(assay::node::infiniband::parse_show_gids(text));
  static_cast<void>(assay::node::infiniband::parse_rate(text));
  static_cast<void>(assay::node::infiniband::parse_state(text));
  static_cast<void>(assay::node::nccl::parse_conf(text));
  static_cast<void>(assay::node::nccl::parse_environ(text));
  require_ours(assay::node::nccl::parse_environment(text));
  require_ours(assay::node::nccl::parse_pam_env(text));
  for (const auto dialect :
       {assay::node::nccl::ShellReader::Dialect::sh, assay::node::nccl::ShellReader::Dialect::csh}) {
    assay::node::nccl::ShellReader reader;
    reader.read(text, dialect);
    require_ours(reader.settings().sure);
    require_ours(reader.settings().conditional);
  }
  return 0;
}
