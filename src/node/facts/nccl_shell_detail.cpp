#include "node/facts/nccl_shell_detail.hpp"

#include <algorithm>
#include <span>

#include "base/text.hpp"
#include "node/facts/shell_words_detail.hpp"

namespace assay::node::nccl {

namespace {

using Words = std::span<const std::string>;

bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool ours(std::string_view name) { return text::starts_with_any(name, {"NCCL_", "RCCL_"}) && is_name(name); }

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "NAME" of "NAME=value" and "NAME+=value"; empty if it is no assignment.
std::string_view assigned(std::string_view word) {
  auto name = word.substr(0, word.find('='));
  if (name.size() == word.size()) return {};
  if (name.ends_with('+')) name.remove_suffix(1);
  return is_name(name) ? name : std::string_view();
}

bool is_assignment(std::string_view word) { return !assigned(word).empty(); }

// What it comes to is known only when it runs.
bool is_computed(std::string_view value) { return value.find_first_of("$`") != std::string_view::npos; }

}  // namespace

// One script on its way through a reader: how deep in conditions it is.
class ShellReader::Script {
 public:
  Script(ShellReader& reader, Dialect dialect) : reader_(reader), dialect_(dialect) {}

  void take(const shell::Command& command) {
    Words words = command.words;
    if (dialect_ == Dialect::sh && words.size() > 1 && words.front() == "function") {  // "function f {"
      if (words.back() == "{") ++depth_;
      words = {};
    }
    const bool behind_condition = before_ == "&&" || before_ == "||";
    while (!words.empty() && keyword(words.front())) words = words.subspan(1);
    // In a pipe, in the background or in brackets it runs in a shell of its own.
    const bool apart = brackets_ > 0 || is_one_of(command.end, {"|", "&"}) || before_ == "|";
    conditional_ = depth_ > 0 || one_line_ || behind_condition || apart || ended_;
    if (!words.empty()) run(words);
    before_ = command.end;
    if (command.end == "(") ++brackets_;
    if (command.end == ")" && brackets_ > 0) --brackets_;
    if (command.end == "\n") one_line_ = false;
  }

 private:
  // True: it is no command itself, and one may follow it.
  bool keyword(std::string_view word) { return dialect_ == Dialect::sh ? sh_keyword(word) : csh_keyword(word); }

  bool sh_keyword(std::string_view word) {
    if (is_one_of(word, {"if", "while", "until", "for", "case", "select", "{"})) return ++depth_, true;
    if (is_one_of(word, {"fi", "done", "esac", "}"})) return depth_ -= depth_ > 0 ? 1 : 0, true;
    return is_one_of(word, {"then", "do", "else", "elif", "!"});
  }

  // "if (…) command" is over with its line; "if (…) then" goes on to endif.
  bool csh_keyword(std::string_view word) {
    if (word == "if") return one_line_ = true;
    if (is_one_of(word, {"then", "foreach", "while", "switch"})) {
      if (word != "then" || one_line_) ++depth_;
      one_line_ = false;
      return true;
    }
    if (is_one_of(word, {"endif", "end", "endsw"})) return depth_ -= depth_ > 0 ? 1 : 0, true;
    return word == "else";
  }

  void run(Words words) {
    while (words.size() > 1 && is_one_of(words.front(), {"builtin", "command"})) words = words.subspan(1);
    const std::string& name = words.front();
    const Words rest = words.subspan(1);
    if (name == "setenv") return rest.empty() ? void() : assign(rest[0], rest.size() > 1 ? rest[1] : "", true);
    if (name == "export") return export_names(rest, true);
    if (is_one_of(name, {"declare", "typeset", "readonly", "local"})) return export_names(rest, false);
    if (name == "unsetenv" || (name == "unset" && dialect_ == Dialect::sh)) return forget(rest);
    if (name == "set" && dialect_ == Dialect::sh) return set_flags(rest);
    if (name == "eval") return evaluate(rest);
    if (is_one_of(name, {"return", "exit"}) && !conditional_) ended_ = true;
    // "NCCL_ALGO=Ring program" sets it for that program alone.
    if (std::all_of(words.begin(), words.end(), is_assignment))
      for (const std::string& word : words) assign_word(word, false);
  }

  // "set -a", "set -ea", "set -o allexport", and with "+" the end of it.
  void set_flags(Words words) {
    if (words.empty() || words[0].empty()) return;
    const bool all = words[0].find('a') != std::string::npos || (words.size() > 1 && words[1] == "allexport");
    if (!all || !is_one_of(words[0].substr(0, 1), {"-", "+"})) return;
    const bool on = words[0].front() == '-';
    (conditional_ ? reader_.perhaps_export_all_ : reader_.export_all_) = on || (conditional_ && reader_.export_all_);
  }

  // Its words are a command; what they come to isn't sure.
  void evaluate(Words words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    if (text.find("eval") != std::string::npos) return;  // once is enough
    Script inner(reader_, dialect_);
    inner.depth_ = 1;
    for (const shell::Command& command : shell::commands(text)) inner.take(command);
  }

  void export_names(Words words, bool exported) {
    if (!words.empty() && words[0] == "-n") return forget(words.subspan(1));
    for (const std::string& word : words) {
      if (word.starts_with('-')) {
        exported = word.find('x') != std::string::npos || (exported && word.find('n') == std::string::npos);
      } else if (is_assignment(word)) {
        assign_word(word, exported);
      } else if (exported && ours(word)) {
        mark_exported(reader_.variables_[word]);
      }
    }
  }

  void assign_word(std::string_view word, bool exported) {
    assign(assigned(word), word.substr(word.find('=') + 1), exported);
  }

  void assign(std::string_view name, std::string_view value, bool exported) {
    if (!ours(name)) return;
    Variable& variable = reader_.variables_[std::string(name)];
    if (exported || reader_.export_all_) mark_exported(variable);
    variable.perhaps_exported = variable.perhaps_exported || reader_.perhaps_export_all_;
    const bool perhaps = conditional_ || is_computed(value);
    (perhaps ? variable.conditional : variable.sure) = value;
    (perhaps ? variable.has_conditional : variable.has_sure) = true;
    if (!perhaps) variable.has_conditional = false;
  }

  void mark_exported(Variable& variable) const {
    (conditional_ ? variable.perhaps_exported : variable.exported) = true;
  }

  // One that may not come to pass takes the surety away.
  void forget(Words names) {
    for (const std::string& name : names) {
      const auto found = reader_.variables_.find(name);
      if (found == reader_.variables_.end()) continue;
      Variable& variable = found->second;
      if (!conditional_) {
        reader_.variables_.erase(found);
      } else if (variable.has_sure) {
        if (!variable.has_conditional) variable.conditional = variable.sure;
        variable.has_conditional = true;
        variable.has_sure = false;
      }
    }
  }

  ShellReader& reader_;
  Dialect dialect_;
  int depth_ = 0;
  int brackets_ = 0;
  bool ended_ = false;  // behind a return or exit
  bool one_line_ = false;
  bool conditional_ = false;
  std::string before_;  // the operator before this command
};

void ShellReader::read(std::string_view text, Dialect dialect) {
  Script script(*this, dialect);
  for (const shell::Command& command : shell::commands(text)) script.take(command);
}

ShellSettings ShellReader::settings() const {
  ShellSettings settings;
  for (const auto& [name, variable] : variables_) {
    const bool perhaps = variable.exported || variable.perhaps_exported;
    if (variable.has_sure && variable.exported) settings.sure[name] = variable.sure;
    if (variable.has_conditional && perhaps) settings.conditional[name] = variable.conditional;
    if (variable.has_sure && !variable.exported && variable.perhaps_exported)
      settings.conditional.emplace(name, variable.sure);
  }
  return settings;
}

// pam_env and systemd: a line is one variable, its value all that follows, quotes around it left out.
Record parse_environment(std::string_view text) {
  Record settings;
  for (std::string_view line : text::lines(text)) {
    line = text::trim(line);
    if (line.starts_with("export ")) line = text::trim(line.substr(7));
    const auto name = assigned(line);
    if (!ours(name)) continue;
    auto value = text::trim(line.substr(line.find('=') + 1));
    for (const char quote : {'"', '\''})
      if (value.size() > 1 && value.front() == quote && value.back() == quote)
        value = value.substr(1, value.size() - 2);
    settings[std::string(name)] = value;
  }
  return settings;
}

Record parse_pam_env(std::string_view text) {
  Record settings;
  for (const shell::Command& command : shell::commands(text)) {
    if (command.words.empty() || !ours(command.words[0])) continue;
    for (const std::string_view key : {"DEFAULT=", "OVERRIDE="})
      for (const std::string& word : command.words)
        if (word.starts_with(key) && word.size() > key.size()) settings[command.words[0]] = word.substr(key.size());
  }
  return settings;
}

}  // namespace assay::node::nccl
