#include "base/error.hpp"

#include <system_error>

namespace assay {

std::string Error::message() const {
  std::string text;
  if (!expected.empty()) text += "expected " + expected;
  if (!came.empty()) text += (text.empty() ? "" : ", got ") + came;
  if (!where.empty()) text += " (" + where + ")";
  if (!remedy.empty()) text += (text.empty() ? "" : ": ") + remedy;
  return text;
}

std::string errno_words(int number) { return std::generic_category().message(number); }

}  // namespace assay
