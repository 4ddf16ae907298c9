#include "evidence/subject.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace assay {
namespace {

TEST(Subject, IsRefusedUnlessItIsPairs) {
  for (const char* bad : {"node", "/node/n1", "node/n1/", "Node/n1", "node//gpu/0", "node/n 1", "node/..%", "node/%zz",
                          "node/a/b", "node/.", "node/.."})
    EXPECT_FALSE(Subject::parse(bad)) << bad;
  EXPECT_TRUE(Subject::parse("cluster/acme/node/n1/gpu/0"));
  EXPECT_TRUE(Subject::parse(""));
}

TEST(Subject, KnowsItsPlace) {
  const Subject gpu = Subject::parse("cluster/c/node/n1/gpu/0").value();
  EXPECT_EQ(gpu.kind(), "gpu");
  EXPECT_EQ(gpu.id(), "0");
  EXPECT_EQ(gpu.parent().path(), "cluster/c/node/n1");
  EXPECT_EQ(gpu.enclosing("node").path(), "cluster/c/node/n1");
  EXPECT_TRUE(gpu.within(gpu.parent()));
  EXPECT_FALSE(gpu.within(Subject::parse("cluster/c/node/n").value()));
}

RC_GTEST_PROP(Subject, TakesAnyIdAndGivesItBack, (const std::string& id)) {
  const Subject subject = Subject().child("mount", id);
  RC_ASSERT(Subject::parse(subject.path()).has_value());
  if (id.size() < 39) RC_ASSERT(subject.id() == id || id == std::string(1, '\0'));
}

}  // namespace
}  // namespace assay
