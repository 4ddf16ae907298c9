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

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  return equals != std::string_view::npos && is_name(word.substr(0, equals));
}

}  // namespace

// One script on its way through a reader: how deep in conditions it is.
class ShellReader::Script {
 public:
  Script(ShellReader& reader, Dialect dialect) : reader_(reader), dialect_(dialect) {}

  void take(const shell::Command& command) {
    Words words = command.words;
    const bool behind_condition = before_ == "&&" || before_ == "||";
    while (!words.empty() && keyword(words.front())) words = words.subspan(1);
    conditional_ = depth_ > 0 || one_line_ || behind_condition;
    if (!words.empty()) run(words);
    before_ = command.end;
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
    const std::string& name = words.front();
    const Words rest = words.subspan(1);
    if (name == "setenv") return rest.empty() ? void() : assign(rest[0], rest.size() > 1 ? rest[1] : "", true);
    if (name == "export") return export_names(rest, true);
    if (is_one_of(name, {"declare", "typeset", "readonly", "local"})) return export_names(rest, false);
    if (is_one_of(name, {"unset", "unsetenv"})) return forget(rest);
    if (name == "set" && !rest.empty() &&
        (is_one_of(rest[0], {"-a", "+a"}) || (rest.size() > 1 && rest[1] == "allexport")))
      reader_.export_all_ = rest[0].starts_with('-');
    // "NCCL_ALGO=Ring program" sets it for that program alone.
    if (std::all_of(words.begin(), words.end(), is_assignment))
      for (const std::string& word : words) assign_word(word, false);
  }

  void export_names(Words words, bool exported) {
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
    const auto equals = word.find('=');
    assign(word.substr(0, equals), word.substr(equals + 1), exported);
  }

  void assign(std::string_view name, std::string_view value, bool exported) {
    if (!ours(name)) return;
    Variable& variable = reader_.variables_[std::string(name)];
    if (exported || reader_.export_all_) mark_exported(variable);
    (conditional_ ? variable.conditional : variable.sure) = value;
    (conditional_ ? variable.has_conditional : variable.has_sure) = true;
    if (!conditional_) variable.has_conditional = false;
  }

  void mark_exported(Variable& variable) const {
    (conditional_ ? variable.perhaps_exported : variable.exported) = true;
  }

  void forget(Words names) {
    if (conditional_) return;  // it may still be set
    for (const std::string& name : names) reader_.variables_.erase(name);
  }

  ShellReader& reader_;
  Dialect dialect_;
  int depth_ = 0;
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

Record parse_environment(std::string_view text) {
  ShellReader reader;
  reader.read("set -a\n", ShellReader::Dialect::sh);
  for (const std::string_view line : text::lines(text)) reader.read(line, ShellReader::Dialect::sh);
  return reader.settings().sure;
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
