// assay: finds out whether a GPU cloud is good, and proves it.
#include <CLI/CLI.hpp>
#include <clocale>
#include <cstdio>
#include <functional>
#include <memory>

#include "app/command.hpp"
#include "app/say.hpp"

int main(int argc, char** argv) {
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
    return assay::app::report_error(
        {assay::Error::Kind::usage, "a call that assay knows", error.what(), "", "see assay --help"});
  }
  return chosen();
}
