#include "node/facts/gpu_amd_detail.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/text.hpp"
#include "node/facts/gpu_words_detail.hpp"
#include "node/facts/rocm_smi_detail.hpp"

namespace assay::node::gpu {

namespace {

constexpr const char* kCards = "/sys/class/drm";
constexpr std::int64_t kAmd = 0x1002;

// card0, not card0-DP-1 or renderD128.
bool is_card(const std::string& name) {
  return name.starts_with("card") && text::integer(std::string_view(name).substr(4)).has_value();
}

// hwmon tells in millionths (power) or thousandths (temperature).
Seen<double> scaled(const Seen<std::int64_t>& raw, double scale) {
  return raw.map([scale](std::int64_t value) { return static_cast<double>(value) / scale; });
}

void say_sensors(Host& host, const std::string& device, Card& card) {
  const auto monitors = host.names(device + "/hwmon");
  if (!monitors || monitors->empty()) return;
  const std::string monitor = device + "/hwmon/" + monitors->front();
  card.say("gpu.temperature", scaled(host.integer(monitor + "/temp1_input"), 1e3), monitor);
  const bool average = host.exists(monitor + "/power1_average");
  card.say("gpu.power", scaled(host.integer(monitor + (average ? "/power1_average" : "/power1_input")), 1e6), monitor);
  card.say("gpu.power-limit", scaled(host.integer(monitor + "/power1_cap"), 1e6), monitor);
  card.say("gpu.power-limit-default", scaled(host.integer(monitor + "/power1_cap_default"), 1e6), monitor);
}

void say_link(Host& host, const std::string& device, Card& card) {
  for (const auto& [name, file] :
       {std::pair("gpu.pcie-generation", "/current_link_speed"), {"gpu.pcie-generation-max", "/max_link_speed"}})
    card.say(name, host.line(device + file).and_then(generation_of), device + file);
  card.say("gpu.pcie-width", host.integer(device + "/current_link_width"), device);
  card.say("gpu.pcie-width-max", host.integer(device + "/max_link_width"), device);
  card.say("gpu.pcie-replays", host.integer(device + "/pcie_replay_count"), device);
}

// Asked once, and only if a card has no name of its own.
class Rocm {
 public:
  explicit Rocm(Host& host) : host_(host) {}
  Seen<std::string> name_of(const Seen<std::string>& address) {
    if (!report_)
      report_ = host_
                    .output({"rocm-smi", "--showbus", "--showproductname", "--showdriverversion", "--json"},
                            {std::chrono::seconds(10), 1u << 20})
                    .and_then(parse_rocm);
    if (!*report_) return tl::unexpected(report_->error());
    const auto found = address ? (*report_)->names.find(*address) : (*report_)->names.end();
    if (found == (*report_)->names.end()) return unseen(Absence::missing, "rocm-smi doesn't list this card");
    return found->second;
  }

 private:
  Host& host_;
  std::optional<Seen<RocmReport>> report_;
};

void say_card(Host& host, const std::string& device, std::size_t index, Rocm& rocm, Findings& findings) {
  Card card(findings, fmt::to_string(index));
  card.see("gpu.vendor", "amd", device);
  const auto address = host.real(device).map([](const std::string& path) { return path.substr(path.rfind('/') + 1); });
  card.say("gpu.pci-address", address, device);
  // The driver answers for its memory; a card off the bus doesn't.
  const auto memory = host.integer(device + "/mem_info_vram_total");
  card.say("gpu.memory-total", memory, device);
  card.say("gpu.state", memory.map([](std::int64_t) { return std::string("ok"); }), device);
  const auto name = host.line(device + "/product_name");
  const bool named = name && !name->empty();
  card.say("gpu.name", named ? name : rocm.name_of(address), named ? device : "rocm-smi --json");
  card.say("gpu.uuid", host.line(device + "/unique_id"), device);
  card.say("gpu.serial", host.line(device + "/serial_number"), device);
  card.say("gpu.vbios", host.line(device + "/vbios_version"), device);
  card.say("gpu.utilization", host.integer(device + "/gpu_busy_percent"), device);
  say_link(host, device, card);
  say_sensors(host, device, card);
  card.rest({Absence::unsupported, "amdgpu's sysfs doesn't tell it"}, device);
}

}  // namespace

Seen<std::int64_t> generation_of(const std::string& link_speed) {
  constexpr std::pair<std::string_view, std::int64_t> kSpeeds[] = {
      {"2.5 GT/s", 1},  {"5.0 GT/s", 2}, {"5 GT/s", 2},    {"8.0 GT/s", 3}, {"8 GT/s", 3},
      {"16.0 GT/s", 4}, {"16 GT/s", 4},  {"32.0 GT/s", 5}, {"32 GT/s", 5},  {"64.0 GT/s", 6}};
  for (const auto& [speed, generation] : kSpeeds)
    if (link_speed.starts_with(speed)) return generation;
  return unseen(Absence::malformed, fmt::format("\"{}\" is no PCIe link speed", link_speed.substr(0, 60)));
}

Seen<std::size_t> say_amd_gpus(Host& host, std::size_t first, Findings& findings) {
  const auto names = host.names(kCards);
  if (!names) return tl::unexpected(names.error());
  std::size_t found = 0;
  Rocm rocm(host);
  for (const std::string& name : *names) {
    const std::string device = fmt::format("{}/{}/device", kCards, name);
    if (!is_card(name) || host.integer(device + "/vendor", 16) != kAmd) continue;
    say_card(host, device, first + found++, rocm, findings);
  }
  return found;
}

}  // namespace assay::node::gpu
