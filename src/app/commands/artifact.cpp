#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/command.hpp"
#include "app/say.hpp"
#include "base/text.hpp"
#include "evidence/store.hpp"

namespace assay::app::commands {

namespace {

struct Options {
  std::string run;
  std::string sha256;
  bool raw = false;
};

// Line by line, so that nothing a node printed reaches the terminal as an escape.
void print_lines(const std::string& bytes) {
  for (const std::string_view line : text::lines(bytes)) std::printf("%s\n", text::printable(line).c_str());
}

int run(const Options& options) {
  const auto store = Store::open_for_reading(options.run);
  if (!store) return report_error(store.error());
  const auto bytes = store->artifact(options.sha256);
  if (!bytes) return report_error(bytes.error());
  if (options.raw) {
    std::fwrite(bytes->data(), 1, bytes->size(), stdout);
  } else {
    print_lines(*bytes);
  }
  return kSound;
}

std::function<int()> setup(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("run", options->run, "a run's folder")->required();
  app.add_option("sha256", options->sha256, "the artifact's name, as the report gives it")
      ->required()
      ->check(CLI::Validator(
          [](std::string& name) {
            const bool whole = name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
            return whole ? std::string() : std::string("expected 64 hex digits");
          },
          "SHA256"));
  app.add_flag("--raw", options->raw, "the bytes as they came, escapes and all");
  return [options] { return run(*options); };
}

}  // namespace

extern const Command artifact = {"artifact", "prints raw output that a verdict rests on", setup};

}  // namespace assay::app::commands
