#include "node/facts/pci_detail.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "base/text.hpp"

namespace assay::node::pci {

namespace {

constexpr std::int64_t kNvidia = 0x10de;
constexpr std::int64_t kAmd = 0x1002;
constexpr std::size_t kHeader = 64;
constexpr std::size_t kExtended = 256;  // where extended space begins

bool hex_digits(std::string_view text, std::size_t least, std::size_t most) {
  if (text.size() < least || text.size() > most) return false;
  for (const char c : text)
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return false;
  return true;
}

// 0000:1a:00.0, with a longer domain behind an Intel VMD.
bool is_address(std::string_view text) {
  const auto parts = text::split(text, ':');
  return parts.size() == 3 && hex_digits(parts[0], 4, 8) && hex_digits(parts[1], 2, 2) && parts[2].size() == 4 &&
         hex_digits(parts[2].substr(0, 2), 2, 2) && parts[2][2] == '.' && hex_digits(parts[2].substr(3), 1, 1);
}

// pci0000:15, the bus below a host bridge.
bool is_root_bus(std::string_view text) {
  const auto parts = text::split(text, ':');
  return text.starts_with("pci") && parts.size() == 2 && hex_digits(parts[0].substr(3), 4, 8) &&
         hex_digits(parts[1], 2, 2);
}

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::size_t size() const { return bytes_.size(); }
  bool holds(std::size_t at, std::size_t length) const { return at <= size() && length <= size() - at; }
  // Little-endian. The caller has asked holds().
  std::uint32_t number(std::size_t at, std::size_t length) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < length; ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    return value;
  }

 private:
  std::string_view bytes_;
};

Absent out_of_reach(const Bytes& bytes) {
  if (bytes.size() == kHeader)
    return {Absence::permission, "only the first 64 bytes of config can be read; root sees the rest"};
  return {Absence::unsupported, fmt::format("config holds {} bytes: extended space is out of reach", bytes.size())};
}

// Where the capability begins.
Seen<std::size_t> find_capability(const Bytes& bytes, std::uint32_t id) {
  constexpr std::uint32_t kHasList = 0x10;
  if ((bytes.number(0x06, 2) & kHasList) == 0) return unseen(Absence::missing, "config has no capability list");
  std::size_t at = bytes.number(0x34, 1) & ~3u;
  for (int steps = 0; at != 0; ++steps) {
    if (steps == 48 || at < kHeader) return unseen(Absence::malformed, "config's capability list doesn't end");
    if (!bytes.holds(at, 2)) return tl::unexpected(out_of_reach(bytes));
    if (bytes.number(at, 1) == id) return at;
    at = bytes.number(at + 1, 1) & ~3u;
  }
  return unseen(Absence::missing, fmt::format("config has no capability {:#04x}", id));
}

Seen<std::size_t> find_extended(const Bytes& bytes, std::uint32_t id) {
  if (bytes.size() <= kExtended) return tl::unexpected(out_of_reach(bytes));
  std::size_t at = kExtended;
  for (int steps = 0; at != 0; ++steps) {
    if (steps == 480 || at < kExtended || !bytes.holds(at, 8))
      return unseen(Absence::malformed, "config's extended capability list doesn't end");
    const std::uint32_t header = bytes.number(at, 4);
    if (header == 0xffffffff) return unseen(Absence::malformed, "config's extended space reads all ones");
    if ((header & 0xffff) == id) return at;
    at = (header >> 20) & ~3u;
  }
  return unseen(Absence::missing, fmt::format("config has no extended capability {:#06x}", id));
}

std::string port_type(std::uint32_t code) {
  constexpr std::array<std::string_view, 11> kNames = {"endpoint",
                                                       "legacy-endpoint",
                                                       "",  // 2 and 3 are reserved
                                                       "",
                                                       "root-port",
                                                       "upstream-port",
                                                       "downstream-port",
                                                       "bridge-to-pci",
                                                       "bridge-from-pci",
                                                       "root-complex-endpoint",
                                                       "root-complex-event-collector"};
  const bool known = code < kNames.size() && !kNames[code].empty();
  return known ? std::string(kNames[code]) : fmt::format("type-{}", code);
}

Seen<Link> link(std::uint32_t value) {
  constexpr std::array<double, 7> kSpeeds = {0, 2.5, 5, 8, 16, 32, 64};
  const std::uint32_t generation = value & 0xf;
  const std::uint32_t width = (value >> 4) & 0x3f;
  if (generation == 0 || width == 0) return unseen(Absence::unsupported, "the link register is zero");
  if (generation >= kSpeeds.size())
    return unseen(Absence::malformed, fmt::format("the link register has speed code {}", generation));
  return Link{kSpeeds[generation], width};
}

TextList acs_names(std::uint32_t bits) {
  constexpr std::array<std::string_view, 7> kNames = {"SrcValid",    "TransBlk",   "ReqRedir",   "CmpltRedir",
                                                      "UpstreamFwd", "EgressCtrl", "DirectTrans"};
  TextList names;
  for (std::size_t bit = 0; bit < kNames.size(); ++bit)
    if ((bits >> bit & 1) != 0) names.emplace_back(kNames[bit]);
  return names;
}

Config nothing(const Absent& why) {
  const auto absent = tl::unexpected<Absent>(why);
  return {absent, absent, absent, absent, absent, absent};
}

void read_express(const Bytes& bytes, Config& config) {
  constexpr std::size_t kLength = 0x14;  // up to and with the link status
  const auto at = find_capability(bytes, 0x10).and_then([&](std::size_t found) -> Seen<std::size_t> {
    if (!bytes.holds(found, kLength)) return tl::unexpected(out_of_reach(bytes));
    return found;
  });
  const auto field = [&](std::size_t offset, std::size_t length) {
    return at.map([=, &bytes](std::size_t found) { return bytes.number(found + offset, length); });
  };
  config.port_type = field(0x02, 2).map([](std::uint32_t flags) { return port_type(flags >> 4 & 0xf); });
  config.capable = field(0x0c, 4).and_then(link);
  config.current = field(0x12, 2).and_then(link);
}

}  // namespace

std::string_view role_of(std::int64_t class_code, std::int64_t vendor) {
  const std::int64_t kind = class_code >> 8;
  const bool display = kind == 0x0300 || kind == 0x0302 || kind == 0x0380 || kind == 0x1200;
  if (display && (vendor == kNvidia || vendor == kAmd)) return "gpu";
  if (kind == 0x0207 || kind == 0x0200) return "nic";
  if (kind == 0x0108) return "nvme";
  if (kind == 0x0680 && vendor == kNvidia) return "nvswitch";
  return kind == 0x0604 ? "bridge" : "";
}

Seen<TextList> bridges_above(std::string_view real_path, std::string_view address) {
  const auto parts = text::split(real_path, '/');
  std::size_t root = parts.size();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (is_root_bus(parts[i])) root = i;
  if (root == parts.size() || parts.back() != address)
    return unseen(Absence::unsupported, fmt::format("{} is no path below a host bridge", real_path.substr(0, 200)));
  TextList bridges;
  for (std::size_t i = root + 1; i + 1 < parts.size(); ++i) {
    if (!is_address(parts[i]))
      return unseen(Absence::malformed, fmt::format("{} is no PCI address", parts[i].substr(0, 60)));
    bridges.emplace_back(parts[i]);
  }
  return bridges;
}

Seen<double> parse_speed(std::string_view text) {
  const auto words = text::words(text);
  if (!words.empty() && words.front() == "Unknown") return unseen(Absence::unsupported, "the kernel says Unknown");
  const auto speed = words.empty() ? std::nullopt : text::decimal(words.front());
  if (words.size() < 2 || words[1] != "GT/s" || !speed || *speed <= 0)
    return unseen(Absence::malformed, fmt::format("\"{}\" is no link speed", text.substr(0, 60)));
  return *speed;
}

Seen<std::int64_t> parse_width(std::string_view text) {
  const auto width = text::integer(text);
  if (!width || *width < 0 || *width > 255)
    return unseen(Absence::malformed, fmt::format("\"{}\" is no link width", text.substr(0, 60)));
  if (*width == 0 || *width == 255) return unseen(Absence::unsupported, "the kernel can't tell the link's width");
  return *width;
}

Config parse_config(std::string_view space) {
  const Bytes bytes(space);
  if (bytes.size() < kHeader)
    return nothing({Absence::malformed, fmt::format("config holds {} bytes instead of 64 or more", bytes.size())});
  if (bytes.number(0, 4) == 0xffffffff)
    return nothing({Absence::malformed, "config reads all ones: the device doesn't answer on the bus"});
  Config config = nothing({Absence::missing, ""});
  read_express(bytes, config);
  const auto acs = find_extended(bytes, 0x000d);
  config.acs_capable = acs.map([&](std::size_t at) { return acs_names(bytes.number(at + 4, 2)); });
  config.acs_on = acs.map([&](std::size_t at) { return acs_names(bytes.number(at + 6, 2)); });
  config.ats_on =
      find_extended(bytes, 0x000f).map([&](std::size_t at) { return (bytes.number(at + 6, 2) & 0x8000) != 0; });
  return config;
}

}  // namespace assay::node::pci
