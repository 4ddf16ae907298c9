// Errors as data. Whoever meets one wants four things: what was expected, what came, where, and what to do about it;
// a fifth, the kind, decides the exit code. Nothing here throws across a module's border.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace assay {

struct Error {
  enum class Kind {
    usage,        // the call or its input is wrong
    environment,  // this machine refuses: no permission, full disk, a program that isn't there
    unavailable,  // the other side didn't answer
  };

  Kind kind = Kind::usage;
  std::string expected;
  std::string came;
  std::string where;
  std::string remedy;

  // One line: "expected …, got … (where): remedy". Empty parts are left out.
  std::string message() const;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(Error error) { return tl::unexpected<Error>(std::move(error)); }

// The words of an errno value, with its name's number kept out: "No space left on device".
std::string errno_words(int number);

}  // namespace assay
