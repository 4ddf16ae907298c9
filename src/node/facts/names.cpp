// The node's own name: what it stands for here, and who is asked about other names.
#include <fmt/format.h>
#include <sys/utsname.h>

#include "node/facts/names_detail.hpp"
#include "node/reader.hpp"

namespace assay::node::facts {

namespace {

constexpr Emits kEmits[] = {
    {"name.hosts-file-addresses", "", "", "addresses that /etc/hosts gives to the node's own name"},
    {"name.addresses", "", "", "addresses that the node's own name resolves to on the node itself"},
    {"dns.servers", "", "", "name servers of resolv.conf"},
    {"dns.search", "", "", "domains that resolv.conf adds to short names"},
};

Seen<std::string> own_name(Host& host) {
  if (!host.live()) return host.line("/etc/hostname");
  return host.ask("uname nodename", []() -> Seen<std::string> {
    utsname name{};
    if (uname(&name) != 0) return unseen(Absence::malformed, "uname failed");
    return std::string(name.nodename);
  });
}

Seen<TextList> resolve(Host& host, const std::string& name) {
  // A name is an argument, never an option.
  if (name.empty() || name[0] == '-') return unseen(Absence::malformed, "the host name is \"" + name + "\"");
  return host.run({"getent", "ahosts", name}, {std::chrono::seconds(6), 64u << 10})
      .and_then([&](const process::Output& output) -> Seen<TextList> {
        if (output.status == 2) return unseen(Absence::missing, name + " doesn't resolve (getent ahosts)");
        if (output.status != 0)
          return unseen(Absence::malformed, fmt::format("getent ahosts {} ended with {}", name, output.status));
        auto addresses = getent_addresses(output.out);
        if (addresses.empty()) return unseen(Absence::malformed, "getent ahosts printed no address");
        return addresses;
      });
}

void read_resolver(Host& host, Findings& findings) {
  constexpr auto kFile = "/etc/resolv.conf";
  const auto resolver = host.text(kFile).map([](const std::string& text) { return parse_resolv_conf(text); });
  findings.say({}, "dns.servers", resolver.map([](const Resolver& r) { return r.servers; }), kFile);
  findings.say({}, "dns.search", resolver.map([](const Resolver& r) { return r.search; }), kFile);
}

void read(Host& host, Findings& findings) {
  constexpr auto kHosts = "/etc/hosts";
  const auto name = own_name(host);
  const auto from_file = name.and_then([&](const std::string& own) {
    return host.text(kHosts).map([&](const std::string& text) { return hosts_addresses(text, own); });
  });
  findings.say({}, "name.hosts-file-addresses", from_file, kHosts);
  const auto addresses = name.and_then([&](const std::string& own) { return resolve(host, own); });
  findings.say({}, "name.addresses", addresses, "getent ahosts");
  read_resolver(host, findings);
}

}  // namespace

extern const Reader names = {"names", "the node's name and its resolver", std::chrono::seconds(10), kEmits, read};

}  // namespace assay::node::facts
