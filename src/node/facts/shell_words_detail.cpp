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
    if (c == '$' && next_is('(')) return substitution();
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

  void substitution() {
    int depth = 0;
    for (; at_ < text_.size(); skip()) {
      add(now());
      if (now() == '(') ++depth;
      if (now() == ')' && --depth == 0) return skip();
    }
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
    if (at_ < text_.size() && (now() == '&' || (here_ && now() == '-'))) skip();
    redirected_ = true;
  }

  void end_word() {
    if (!std::exchange(in_word_, false)) return;
    std::string word = std::exchange(word_, {});
    if (!std::exchange(redirected_, false)) {
      command_.words.push_back(std::move(word));
    } else if (std::exchange(here_, false)) {
      documents_.push_back(std::move(word));
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
    for (const std::string& last : std::exchange(documents_, {})) document(last);
  }

  void document(std::string_view last) {
    while (at_ < text_.size()) {
      const auto end = std::min(text_.find('\n', at_), text_.size());
      auto line = text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
      while (line.starts_with('\t')) line.remove_prefix(1);
      if (line == last) return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  bool redirected_ = false;
  bool here_ = false;
  std::vector<std::string> documents_;  // where those of this line end
  Command command_;
  std::vector<Command> commands_;
};

}  // namespace

std::vector<Command> commands(std::string_view text) { return Lexer(text).read(); }

}  // namespace assay::node::shell
