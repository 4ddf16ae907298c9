// Nodes by the user's own ssh client, configuration and agent. Never asks for anything (BatchMode), so it can't hang at
// a prompt; a bounded number of connections at once, so a jump host isn't flooded.
#include <fmt/format.h>

#include "base/text.hpp"
#include "cluster/bootstrap.hpp"
#include "cluster/ssh.hpp"

namespace assay::cluster {

namespace {

class Ssh : public Launcher {
 public:
  explicit Ssh(SshOptions options) : options_(std::move(options)) {}

  std::string name() const override { return "ssh"; }
  std::string cluster() override { return "cluster"; }
  std::size_t at_once() const override { return options_.at_once; }
  std::chrono::seconds start_limit() const override { return std::chrono::seconds(3 * options_.connect_timeout); }

  Result<std::vector<Node>> nodes() override {
    if (process::find_program("ssh").empty())
      return failure({Error::Kind::environment, "an ssh client", "none in PATH", "ssh", "install openssh-client"});
    std::vector<Node> found;
    for (const std::string& name : options_.nodes) {
      // A name that begins with "-" would be an option to ssh.
      if (name.empty() || name.front() == '-')
        return failure({Error::Kind::usage, "a host name", "\"" + name + "\"", "--ssh", ""});
      found.push_back({name, {}});
    }
    return found;
  }

  std::vector<std::vector<std::string>> parties(const std::vector<std::string>& nodes) override {
    std::vector<std::vector<std::string>> alone;
    for (const std::string& node : nodes) alone.push_back({node});
    return alone;
  }

  Result<Party> launch(const std::vector<std::string>& nodes, const std::vector<std::string>&) override {
    std::vector<std::string> argv{"ssh", "-T",
                                  "-o",  "BatchMode=yes",
                                  "-o",  "ConnectTimeout=" + std::to_string(options_.connect_timeout),
                                  "-o",  "ServerAliveInterval=5",
                                  "-o",  "ServerAliveCountMax=3",
                                  "-o",  "LogLevel=ERROR"};
    if (!options_.config.empty()) argv.insert(argv.end(), {"-F", options_.config});
    argv.insert(argv.end(), {"--", nodes.front(), bootstrap_command_line()});
    auto child = process::start(argv);
    if (!child) return failure(child.error());
    const int out = std::exchange(child->out, -1);
    return Party{*child, {{nodes.front(), out}}};
  }

  std::string explain(int status, std::string_view err) const override {
    const std::string words = text::printable(text::trim(err).substr(0, 300));
    if (status == 255) return fmt::format("ssh could not reach it: {}", words.empty() ? "the connection ended" : words);
    return fmt::format("the agent ended early with status {}{}{}", status, words.empty() ? "" : ": ", words);
  }

 private:
  SshOptions options_;
};

}  // namespace

std::unique_ptr<Launcher> make_ssh(SshOptions options) { return std::make_unique<Ssh>(std::move(options)); }

}  // namespace assay::cluster
