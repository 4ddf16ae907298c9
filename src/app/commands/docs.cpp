#include "app/docs.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/say.hpp"

namespace assay::app::commands {

namespace {

Result<void> write(const std::filesystem::path& file, const std::string& content) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << content << std::flush;
  if (stream) return {};
  return failure({Error::Kind::environment, "a file that can be written", errno_words(errno), file.string(),
                  "name a folder that is there and yours"});
}

int run(const std::string& folder, bool json) {
  const auto catalogue = load_catalogue();
  if (!catalogue) return report_error(catalogue.error());
  auto names = nlohmann::ordered_json::array();
  for (const auto& [name, content] : generated_pages(*catalogue)) {
    const auto file = std::filesystem::path(folder) / name;
    if (auto written = write(file, content); !written) return report_error(written.error());
    names.push_back(file.string());
    if (!json) fmt::print("{}\n", file.string());
  }
  if (json) fmt::print("{}\n", nlohmann::ordered_json{{"schema", "assay.docs/1"}, {"files", names}}.dump());
  return kSound;
}

std::function<int()> setup(CLI::App& app) {
  auto folder = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  app.add_option("folder", *folder, "where to write them: docs, in a checkout")->required();
  app.add_flag("--json", *json, "the files written, as one JSON object");
  return [folder, json] { return run(*folder, *json); };
}

}  // namespace

extern const Command docs = {"docs", "writes the pages that are made from data: criteria, checks, observations", setup};

}  // namespace assay::app::commands
