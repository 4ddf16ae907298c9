#include "report/fold.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

using report::fold_subjects;
using report::words_of;

std::vector<Subject> subjects(const std::vector<std::string>& paths) {
  std::vector<Subject> made;
  for (const std::string& path : paths) made.push_back(Subject::parse("cluster/c" + path).value());
  return made;
}

TEST(WordsOf, SaysASubjectAsPeopleDo) {
  EXPECT_EQ(words_of(subjects({""})[0]), "cluster");
  EXPECT_EQ(words_of(subjects({"/node/n2"})[0]), "n2");
  EXPECT_EQ(words_of(subjects({"/node/n2/hca/mlx5_0/port/1"})[0]), "n2 hca mlx5_0 port 1");
  EXPECT_EQ(words_of(subjects({"/node/n2/mount/%2Fhome"})[0]), "n2 mount /home");
  EXPECT_EQ(words_of(subjects({"/login/head"})[0]), "head");
  EXPECT_EQ(words_of(subjects({"/partition/gpu"})[0]), "partition gpu");
}

TEST(FoldSubjects, PutsHostsWithTheSamePartsTogether) {
  EXPECT_EQ(fold_subjects(
                subjects({"/node/n1/gpu/0", "/node/n1/gpu/1", "/node/n2/gpu/0", "/node/n2/gpu/1", "/node/n3/gpu/5"})),
            "n[1-2] gpu 0-1, n3 gpu 5");
  EXPECT_EQ(fold_subjects(subjects({"/node/n1", "/node/n2", "/login/head"})), "head, n[1-2]");
  EXPECT_EQ(fold_subjects(subjects({"", "/node/n1"})), "cluster, n1");
  EXPECT_EQ(fold_subjects(subjects({"/node/n1/gpu/0", "/node/n1/hca/a"})), "n1 gpu 0 and hca a");
  EXPECT_EQ(fold_subjects({}), "");
}

}  // namespace
}  // namespace assay::testing
