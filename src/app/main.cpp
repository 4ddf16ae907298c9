// assay: finds out whether a GPU cloud is good, and proves it.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <system_error>

#include "app/command.hpp"
#include "app/say.hpp"

namespace {

// In our words where CLI11's ("a subcommand is required", also of a misspelled one) help nobody.
assay::Error error_of(const CLI::ParseError& error, const char* first) {
  const auto refuse = [](std::string expected, std::string came, std::string remedy) {
    return assay::Error{assay::Error::Kind::usage, std::move(expected), std::move(came), "", std::move(remedy)};
  };
  if (first == nullptr || std::string_view(first) == "--json")
    return refuse("a command", "none", "assay evaluate looks at this machine; assay --help lists all commands");
  const auto& known = assay::app::all_commands();
  if (std::any_of(known.begin(), known.end(), [&](const auto* command) { return command->name == first; }))
    return refuse("a call that assay knows", error.what(), fmt::format("see assay {} --help", first));
  return refuse("a command that assay knows", fmt::format("\"{}\"", first), "see assay --help");
}

// A result that couldn't be written is no result, whatever the command thought of it.
int run(const std::function<int()>& command) {
  const auto refused = [](const std::string& words) {
    return assay::app::report_error({assay::Error::Kind::environment, "to write the result", words, "stdout", ""});
  };
  try {
    const int code = command();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    return refused(assay::errno_words(errno));
  } catch (const std::system_error& error) {  // fmt::print
    return refused(error.code().message());
  }
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGCHLD, SIG_DFL);  // ignored by whoever started us, it would hide how programs end
  CLI::App app("Finds out whether a GPU cloud is good, and proves it.", "assay");
  app.set_version_flag("--version", "assay " ASSAY_VERSION);
  app.require_subcommand(1);
  std::function<int()> chosen;
  for (const assay::app::Command* command : assay::app::all_commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->about));
    auto run = std::make_shared<std::function<int()>>(command->setup(*sub));
    sub->callback([&chosen, run] { chosen = *run; });
  }
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--json") assay::app::set_json_errors(true);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return assay::app::report_error(error_of(error, argc > 1 ? argv[1] : nullptr));
  }
  return run(chosen);
}
