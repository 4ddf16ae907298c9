// One installed package, as it stands in the lists `packages.dpkg` and `packages.rpm`: one observation holds all that
// a manager has installed, because a node has a thousand of them and a thousand rows a node would be most of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay {

// Views into the text that it was read from. Each is a word: graphic ASCII, one character at least.
struct Package {
  std::string_view name;
  std::string_view version;  // dpkg's version; [epoch:]version-release for rpm
  std::string_view architecture;
  std::string_view source;  // the source package's name: what distributions' advisories speak of
  std::string_view source_version;
  std::string_view state = "installed";  // dpkg: half-configured, unpacked, …; rpm: always installed
};

// "libc6 2.36-9+deb12u10 amd64 glibc 2.36-9+deb12u10", and the state at the end where it isn't "installed".
std::string to_text(const Package& package);
// Whether each part is a word, so that the text above is read back as it was.
bool is_sound(const Package& package);
// Nothing if it isn't five or six words.
std::optional<Package> package_from(std::string_view text);

}  // namespace assay
