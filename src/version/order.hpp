// How versions are ordered, each family by its own rules. Versions come from nodes and feeds: a text that isn't a
// version of its scheme has no order, so that an error message with a number in it never passes for one.
//
//   dpkg           [epoch:]upstream[-revision], "~" before everything (deb-version(7))
//   rpm            [epoch:]version[-release], "~" before and "^" after (rpm-version(7)); with a release and without,
//                  builds of one version are incomparable
//   semver         1.2.3, v1.2, 1.2.3-rc.1 (older than 1.2.3), +build ignored. A suffix that is no pre-release word
//                  may be a vendor's build with mends of its own (1.28.3-gke.100, 29.5.1~3-0~ubuntu) or a stage before
//                  the release that we don't know: it's incomparable with all else of its numbers, except builds that
//                  differ from it only in numbers. "-0" is before everything of its numbers.
//   go             semver as Go modules have it: each suffix is a pre-release, so pseudo-versions sort by their time
//   pep440         Python's: epoch, a, b, rc, post, dev, local
//   nvidia_driver  535.274.02, 390.157
//   firmware       ConnectX and BlueField: MODEL.TRAIN.PATCH, 28.39.3560; bulletins' TRAIN.PATCH, 39.5050, stands for
//                  any model. Two models are incomparable.
//   ufm            6.15.6-4; without the build, incomparable with builds of it
//   kernel         upstream's 6.1.170 and -rc; a distribution's 6.8.0-124-generic or 5.14.0-427.13.1.el9_4.x86_64 is
//                  incomparable with upstream's, with another flavour, and with another major release's (el8, el9)
//   plain          numbers and words as most projects write them: 23.11.0, 9.2p1 (after 9.2), 1.1.1w (after 1.1.1),
//                  2.0rc1 and 2.0b2 (before 2.0), 10.24.09a, 5.8-7.0.6.1. Missing numbers are zeros.
#pragma once

#include <optional>
#include <string_view>

namespace assay::version {

enum class Scheme { dpkg, rpm, semver, go, pep440, nvidia_driver, firmware, ufm, kernel, plain };

std::string_view name_of(Scheme scheme);
std::optional<Scheme> scheme_from(std::string_view name);

enum class Order { less, equal, greater, incomparable };

// incomparable also where one of them isn't a version of the scheme.
Order compare(Scheme scheme, std::string_view left, std::string_view right);

// The whole text is a version, of 128 bytes at most.
bool is_version(Scheme scheme, std::string_view text);

// The release line that a version belongs to, as a part of it: "1.2" of 1.2.8, "535" of 535.274.02, the train "39" of
// 28.39.3560. Empty where the scheme has no lines (dpkg, rpm) or the text is no version.
std::string_view line(Scheme scheme, std::string_view text);
// How two lines stand: as versions of numbers.
Order compare_lines(std::string_view left, std::string_view right);

}  // namespace assay::version
