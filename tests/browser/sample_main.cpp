// Writes reports of made-up evidence, for a browser to look at: sample-report FOLDER KIND, with KIND one of plain,
// sound, hostile, many.
#include <cstdio>
#include <filesystem>
#include <string>

#include "report/sample.hpp"
#include "report/terminal.hpp"
#include "report/write.hpp"

namespace {

// What a node may say to hurt: markup, an end of script, escapes that paint, text that runs backwards, quotes.
const std::string kHostile =
    " <script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">'\"--></script></title>"
    "<!--\x1b[31mred\x1b[0m\u202egnp.exe\u2066 &lt; {{data}} ${document.title='owned'} \u2028 javascript:alert(1) "
    "%3Cb%3E";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "expected FOLDER and plain, sound, hostile or many\n"), 2;
  const std::string kind = argv[2];
  assay::testing::SampleOptions options;
  options.sound = kind == "sound";
  if (kind == "hostile") options.spice = kHostile;
  if (kind == "many") options.nodes = 4000;
  const std::filesystem::path folder = argv[1];
  const auto report = assay::testing::sample_report(folder, options);
  if (const auto written = assay::report::write_reports(report, folder); !written)
    return std::fprintf(stderr, "%s\n", written.error().message().c_str()), 2;
  const auto text =
      assay::report::render_terminal(report, assay::report::style_for(1), (folder / "report.html").string());
  std::fputs(text.c_str(), stdout);
  return 0;
}
