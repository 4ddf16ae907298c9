#include "evidence/package.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

TEST(Package, GoesToTextAndBack) {
  for (const std::string text : {"libc6 2.36-9 amd64 glibc 2.36-9", "dkms 3.0 all dkms 3.0 half-configured"}) {
    const auto package = package_from(text);
    ASSERT_TRUE(package) << text;
    EXPECT_EQ(to_text(*package), text);
  }
  EXPECT_EQ(package_from("libc6 2.36-9 amd64 glibc 2.36-9")->state, "installed");
}

TEST(Package, WhatIsNoEntryIsRefused) {
  for (const char* text : {"", " ", "libc6", "libc6 2.36-9 amd64 glibc", "a b c d e f g"})
    EXPECT_FALSE(package_from(text)) << text;
}

}  // namespace
}  // namespace assay::testing
