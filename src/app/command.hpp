// A command of assay. One file under commands/ is one command: it defines, with NAME the file's name,
//
//   const Command assay::app::commands::NAME = {"name", "what it does", setup};
//
// setup() declares options on its CLI::App and gives back what runs once they are parsed. CMake lists the folder.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace assay::app {

// Exit codes, the same for every command.
enum Exit : int {
  kSound = 0,      // nothing fell short
  kFellShort = 1,  // something did
  kUsage = 2,      // the call or its input is wrong, or this machine refuses
  kUnseen = 3,     // not enough could be seen to say
};

struct Command {
  std::string_view name;
  std::string_view about;
  std::function<int()> (*setup)(CLI::App& app);
};

const std::vector<const Command*>& all_commands();

}  // namespace assay::app
