// This machine itself, through the same bootstrap as any other.
#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "base/text.hpp"
#include "cluster/local.hpp"

namespace assay::cluster {

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name[0] == '\0' ? "localhost" : name.data();
}

class Local : public Launcher {
 public:
  std::string name() const override { return "local"; }
  std::string cluster() override { return host_name(); }
  Result<std::vector<Node>> nodes() override { return std::vector<Node>{{host_name(), {}}}; }
  std::size_t at_once() const override { return 1; }
  std::chrono::seconds start_limit() const override { return std::chrono::seconds(30); }

  std::vector<std::vector<std::string>> parties(const std::vector<std::string>& nodes) override { return {nodes}; }

  Result<Party> launch(const std::vector<std::string>& nodes, const std::vector<std::string>& argv) override {
    auto child = process::start(argv);
    if (!child) return failure(child.error());
    const int out = std::exchange(child->out, -1);
    return Party{*child, {{nodes.front(), out}}};
  }

  std::string explain(int status, std::string_view err) const override {
    return fmt::format("the agent ended with {}: {}", status, text::printable(text::trim(err)));
  }
};

}  // namespace

std::unique_ptr<Launcher> make_local() { return std::make_unique<Local>(); }

}  // namespace assay::cluster
