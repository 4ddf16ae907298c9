#include "evidence/subject.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace assay {

namespace {

constexpr std::size_t kLongestPath = 512;
constexpr std::size_t kMostPairs = 8;
constexpr std::size_t kLongestId = 120;

bool lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool plain_id_char(char c) {
  return lower_or_digit(c) || (c >= 'A' && c <= 'Z') || std::string_view("._:@+=,~-").find(c) != std::string_view::npos;
}

bool valid_kind(std::string_view kind) {
  return !kind.empty() && kind[0] >= 'a' && kind[0] <= 'z' &&
         std::all_of(kind.begin(), kind.end(), [](char c) { return lower_or_digit(c) || c == '-'; });
}

// "." and ".." would be other folders wherever an id becomes a file's name.
bool only_dots(std::string_view id) { return id.find_first_not_of('.') == std::string_view::npos; }

bool valid_id(std::string_view id) {
  if (only_dots(id)) return false;
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] == '%') {
      const auto code = id.substr(i + 1, 2);
      if (code.size() != 2 || !text::integer(code, 16) || code[0] == '-') return false;
      i += 2;
    } else if (!plain_id_char(id[i])) {
      return false;
    }
  }
  return !id.empty();
}

std::string encode(std::string_view id) {
  std::string result;
  for (const char c : id) {
    if (result.size() > kLongestId - 3) break;
    if (plain_id_char(c) && !(c == '.' && only_dots(id))) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result.empty() ? "%00" : result;
}

std::string decode(std::string_view id) {
  std::string result;
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] == '%') {
      result += static_cast<char>(*text::integer(id.substr(i + 1, 2), 16));
      i += 2;
    } else {
      result += id[i];
    }
  }
  return result == std::string_view("\0", 1) ? std::string() : result;
}

}  // namespace

Result<Subject> Subject::parse(std::string_view path) {
  if (path.empty()) return Subject();
  const auto refuse = [&] {
    return failure({Error::Kind::usage, "a subject as kind/id pairs (cluster/acme/node/n1)",
                    "\"" + text::printable(path.substr(0, 80)) + "\"", "", ""});
  };
  if (path.size() > kLongestPath) return refuse();
  const auto parts = text::split(path, '/');
  if (parts.size() % 2 != 0 || parts.size() > 2 * kMostPairs) return refuse();
  for (std::size_t i = 0; i < parts.size(); i += 2)
    if (!valid_kind(parts[i]) || !valid_id(parts[i + 1])) return refuse();
  return Subject(std::string(path));
}

Subject Subject::child(std::string_view kind, std::string_view id) const {
  std::string path = path_;
  if (!path.empty()) path += '/';
  path.append(kind).append("/").append(encode(id));
  return Subject(std::move(path));
}

Subject Subject::join(const Subject& relative) const {
  if (path_.empty()) return relative;
  if (relative.path_.empty()) return *this;
  return Subject(path_ + "/" + relative.path_);
}

std::string_view Subject::kind() const {
  const auto id_at = path_.rfind('/');
  if (id_at == std::string::npos) return {};
  const auto kind_at = path_.rfind('/', id_at - 1);
  const std::size_t start = kind_at == std::string::npos ? 0 : kind_at + 1;
  return std::string_view(path_).substr(start, id_at - start);
}

std::string Subject::id() const {
  const auto at = path_.rfind('/');
  return at == std::string::npos ? std::string() : decode(std::string_view(path_).substr(at + 1));
}

Subject Subject::parent() const {
  const auto id_at = path_.rfind('/');
  if (id_at == std::string::npos) return {};
  const auto kind_at = path_.rfind('/', id_at - 1);
  return kind_at == std::string::npos ? Subject() : Subject(path_.substr(0, kind_at));
}

bool Subject::within(const Subject& other) const {
  if (other.path_.empty() || path_ == other.path_) return true;
  return path_.size() > other.path_.size() && path_.starts_with(other.path_) && path_[other.path_.size()] == '/';
}

Subject Subject::enclosing(std::string_view wanted) const {
  for (Subject at = *this; !at.empty(); at = at.parent())
    if (at.kind() == wanted) return at;
  return {};
}

}  // namespace assay
