#include "node/facts/kernel_log_forms_detail.hpp"

#include "base/text.hpp"

namespace assay::node::kernel_log {

bool digit(char c) { return c >= '0' && c <= '9'; }

bool shaped(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == '9' ? !digit(text[i]) : text[i] != shape[i]) return false;
  return true;
}

bool begins_with_weekday(std::string_view text) {
  return text::starts_with_any(text, {"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "});
}

bool begins_with_month(std::string_view text) {
  return text::starts_with_any(text,
                               {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"});
}

std::size_t behind_fraction(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '.' && text[at] != ',')) return at;
  for (++at; at < text.size() && digit(text[at]);) ++at;
  return at;
}

std::size_t iso_end(std::string_view line) {
  if (!shaped(line, "9999-99-99T99:99:99")) return 0;
  const std::size_t end = behind_fraction(line, 19);
  if (end < line.size() && line[end] == 'Z') return end + 1;
  if (end < line.size() && (line[end] == '+' || line[end] == '-')) {
    const auto zone = line.substr(end + 1);
    return shaped(zone, "99:99") ? end + 6 : shaped(zone, "9999") ? end + 5 : 0;
  }
  return 0;
}

}  // namespace assay::node::kernel_log
