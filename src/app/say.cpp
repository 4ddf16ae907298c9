#include "app/say.hpp"

#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "base/text.hpp"
#include "evidence/codec.hpp"

namespace assay::app {

namespace {

bool json_errors = false;

}  // namespace

void set_json_errors(bool on) { json_errors = on; }

int report_error(const Error& error) {
  if (json_errors) {
    const nlohmann::json object{{"error",
                                 {{"expected", error.expected},
                                  {"came", error.came},
                                  {"where", error.where},
                                  {"remedy", error.remedy},
                                  {"message", error.message()}}}};
    std::printf("%s\n", codec::dump(object).c_str());
  } else {
    say("assay: " + text::printable(error.message()));
  }
  return kUsage;
}

void say(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

void ProgressLine::show(const std::string& words) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r\x1b[K%s", words.c_str());
  std::fflush(stderr);
  shown_ = true;
}

ProgressLine::~ProgressLine() {
  if (shown_) std::fprintf(stderr, "\r\x1b[K");
}

}  // namespace assay::app
