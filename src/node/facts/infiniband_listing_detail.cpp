#include "node/facts/infiniband_listing_detail.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "node/facts/infiniband_detail.hpp"

namespace assay::node::infiniband {

namespace {

const std::string kFolder = "/sos_commands/infiniband/";

struct Found {
  Listing listing;
  std::string file;
};

Seen<Found> find_listing(Host& host, const Absent& why) {
  for (const auto& [name, parse] : {std::pair("ibstat", &parse_ibstat), std::pair("ibstatus", &parse_ibstatus)}) {
    const std::string file = kFolder + name;
    if (!host.exists(file)) continue;
    return host.text(file).and_then(parse).map([&](Listing listing) { return Found{std::move(listing), file}; });
  }
  return tl::unexpected<Absent>(why);
}

class Words {
 public:
  Words(const std::string& file, Findings& findings) : file_(file), findings_(findings) {}

  void say(const Subject& subject, const char* name, const std::string& value) {
    if (!value.empty()) return findings_.see(subject, name, value, file_);
    findings_.absent(subject, name, {Absence::unsupported, file_ + " doesn't tell"}, file_);
  }
  void say(const Subject& subject, const char* name, const std::optional<std::int64_t>& value) {
    if (value) return findings_.see(subject, name, *value, file_);
    findings_.absent(subject, name, {Absence::unsupported, file_ + " doesn't tell"}, file_);
  }

 private:
  const std::string& file_;
  Findings& findings_;
};

void say_port(const Subject& subject, const Port& port, const std::string& file, Findings& findings) {
  Words words(file, findings);
  words.say(subject, "port.state", port.state);
  words.say(subject, "port.phys-state", port.phys_state);
  words.say(subject, "port.link-layer", port.link_layer);
  words.say(subject, "port.lid", port.lid);
  words.say(subject, "port.sm-lid", port.sm_lid);
  words.say(subject, "port.capabilities", port.capabilities);
  words.say(subject, "port.speed", port.rate ? port.rate->speed : "");
  words.say(subject, "port.lanes", port.rate && port.rate->lanes > 0 ? std::optional(port.rate->lanes) : std::nullopt);
  if (port.rate) findings.see(subject, "port.rate", port.rate->gigabits, file);
  findings.absent(subject, "port.pkeys", {Absence::unsupported, file + " doesn't tell"}, file);
}

void say_gids(Host& host, const Found& found, Findings& findings) {
  const std::string file = kFolder + "show_gids";
  const auto gids = host.text(file).and_then(parse_show_gids);
  for (const auto& [name, adapter] : found.listing.adapters) {
    for (const auto& [number, port] : adapter.ports) {
      const auto table = gids.map([&, which = std::pair(name, number)](const std::vector<Gid>& all) {
        Record entries;
        for (const Gid& gid : all)
          if (gid.adapter == which.first && gid.port == which.second) entries[std::to_string(gid.index)] = gid.text();
        return entries;
      });
      findings.say(Subject().child("hca", name).child("port", std::to_string(number)), "port.gids", table, file);
    }
  }
}

}  // namespace

void say_listing(Host& host, const Absent& why, Findings& findings) {
  const auto found = find_listing(host, why);
  findings.say({}, "hca.names", found.map([](const Found& f) {
    TextList names;
    for (const auto& [name, adapter] : f.listing.adapters) names.push_back(name);
    for (const auto& [name, words] : f.listing.failed) names.push_back(name);
    std::sort(names.begin(), names.end(), text::natural_less);
    return names;
  }),
               found ? found->file : kFolder);
  if (!found) return;
  for (const auto& [name, words] : found->listing.failed)
    findings.absent(Subject().child("hca", name), "hca.type", {Absence::malformed, words}, found->file);
  for (const auto& [name, adapter] : found->listing.adapters) {
    const Subject subject = Subject().child("hca", name);
    Words words(found->file, findings);
    words.say(subject, "hca.type", adapter.type);
    words.say(subject, "hca.firmware", adapter.firmware);
    words.say(subject, "hca.node-guid", adapter.node_guid);
    for (const auto& [number, port] : adapter.ports)
      say_port(subject.child("port", std::to_string(number)), port, found->file, findings);
  }
  say_gids(host, *found, findings);
}

}  // namespace assay::node::infiniband
