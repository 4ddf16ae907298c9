#include "node/facts/shell_words_detail.hpp"

#include <utility>

namespace assay::node::shell {

namespace {

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Command> read() {
    while (at_ < text_.size()) step();
    end_command("");
    return std::move(commands_);
  }

 private:
  char now() const { return text_[at_]; }
  bool next_is(char c) const { return at_ + 1 < text_.size() && text_[at_ + 1] == c; }

  void step() {
    const char c = now();
    if (c == '\\') return escape();
    if (c == '\'') return quote();
    if (c == '"') return double_quote();
    if (c == '`') return through('`');
    if (c == '$' && next_is('(')) return substitution('(', ')');
    if (c == '$' && next_is('{')) return substitution('{', '}');
    if (c == '$' && next_is('\'')) return ansi_quote();
    if (c == '(' && next_is('(') && arithmetic()) return;
    if (c == ' ' || c == '\t' || c == '\r') return end_word(), skip();
    if (c == '#' && !in_word_) return comment();
    if (c == '<' || c == '>') return redirection();
    if (c == '\n') return end_line();
    if (c == ';' || c == '&' || c == '|' || c == '(' || c == ')') return separator();
    add(c), skip();
  }

  void skip() { ++at_; }
  void add(char c) { word_ += c, in_word_ = true; }

  void escape() {
    skip();
    if (at_ == text_.size()) return;
    if (now() != '\n') add(now());  // a line that ends with it goes on
    skip();
  }

  void quote() {
    in_word_ = true;
    for (skip(); at_ < text_.size() && now() != '\''; skip()) add(now());
    if (at_ < text_.size()) skip();
  }

  void double_quote() {
    in_word_ = true;
    for (skip(); at_ < text_.size() && now() != '"'; skip()) {
      if (now() == '\\' && (next_is('"') || next_is('\\') || next_is('$'))) skip();
      add(now());
    }
    if (at_ < text_.size()) skip();
  }

  void through(char last) {
    do add(now()), skip();
    while (at_ < text_.size() && now() != last);
    if (at_ < text_.size()) add(now()), skip();
  }

  // "$(…)" and "${…}", with what is nested and quoted in them.
  void substitution(char open, char close) {
    int depth = 0;
    char quoted = '\0';
    for (; at_ < text_.size(); skip()) {
      const char c = now();
      add(c);
      if (c == '\\' && quoted != '\'' && at_ + 1 < text_.size()) {
        skip(), add(now());
      } else if (quoted != '\0') {
        if (c == quoted) quoted = '\0';
      } else if (c == '\'' || c == '"') {
        quoted = c;
      } else if (c == open) {
        ++depth;
      } else if (c == close && --depth == 0) {
        return skip();
      }
    }
  }

  // $'…', where a backslash takes what follows.
  void ansi_quote() {
    in_word_ = true;
    skip();
    for (skip(); at_ < text_.size() && now() != '\''; skip()) {
      if (now() == '\\' && at_ + 1 < text_.size()) skip();
      add(now());
    }
    if (at_ < text_.size()) skip();
  }

  // "((…))" is no command, and its "<<" no here-document. False: it isn't closed on its line.
  bool arithmetic() {
    const auto end = text_.find("))", at_);
    if (end == std::string_view::npos || text_.substr(at_, end - at_).find('\n') != std::string_view::npos)
      return false;
    end_word();
    at_ = end + 2;
    return true;
  }

  void comment() {
    while (at_ < text_.size() && now() != '\n') skip();
  }

  // The word that follows is a file's name or where a here-document ends, and no word of the command.
  void redirection() {
    end_word();
    const std::size_t first = at_;
    const char c = now();
    while (at_ < text_.size() && now() == c) skip();
    here_ = c == '<' && at_ - first == 2;
    tabs_off_ = here_ && at_ < text_.size() && now() == '-';
    if (at_ < text_.size() && (now() == '&' || tabs_off_)) skip();
    redirected_ = true;
  }

  void end_word() {
    if (!std::exchange(in_word_, false)) return;
    std::string word = std::exchange(word_, {});
    if (!std::exchange(redirected_, false)) {
      command_.words.push_back(std::move(word));
    } else if (std::exchange(here_, false)) {
      documents_.push_back({std::move(word), tabs_off_});
    }
  }

  void end_command(std::string end) {
    end_word();
    redirected_ = here_ = false;
    command_.end = std::move(end);
    if (!command_.words.empty() || !command_.end.empty()) commands_.push_back(std::exchange(command_, {}));
  }

  void separator() {
    std::string end(1, now());
    if ((now() == '&' || now() == '|') && next_is(now())) end += now(), skip();
    skip();
    end_command(std::move(end));
  }

  void end_line() {
    skip();
    end_command("\n");
    for (const HereDocument& one : std::exchange(documents_, {})) document(one);
  }

  struct HereDocument {
    std::string last;
    bool tabs_off = false;  // "<<-"
  };

  void document(const HereDocument& one) {
    while (at_ < text_.size()) {
      const auto end = std::min(text_.find('\n', at_), text_.size());
      auto line = text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
      while (one.tabs_off && line.starts_with('\t')) line.remove_prefix(1);
      if (line == one.last) return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  bool redirected_ = false;
  bool here_ = false;
  bool tabs_off_ = false;
  std::vector<HereDocument> documents_;  // where those of this line end
  Command command_;
  std::vector<Command> commands_;
};

}  // namespace

std::vector<Command> commands(std::string_view text) { return Lexer(text).read(); }

}  // namespace assay::node::shell
