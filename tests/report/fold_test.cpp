#include "report/fold.hpp"

#include <gtest/gtest.h>

namespace assay::testing {
namespace {

using report::fold_names;
using report::fold_subjects;
using report::words_of;

std::vector<Subject> subjects(const std::vector<std::string>& paths) {
  std::vector<Subject> made;
  for (const std::string& path : paths) made.push_back(Subject::parse("cluster/c" + path).value());
  return made;
}

TEST(FoldNames, FoldsRuns) {
  EXPECT_EQ(fold_names({"n1", "n2", "n3", "n7"}), "n[1-3,7]");
  EXPECT_EQ(fold_names({"n2", "n10", "n1", "n2"}), "n[1-2,10]");
  EXPECT_EQ(fold_names({"0", "1", "2"}), "0-2");
  EXPECT_EQ(fold_names({"n5"}), "n5");
  EXPECT_EQ(fold_names({}), "");
}

TEST(FoldNames, KeepsWidths) {
  EXPECT_EQ(fold_names({"n08", "n09", "n10", "n11"}), "n[08-11]");
  EXPECT_EQ(fold_names({"n8", "n9", "n10"}), "n[8-10]");
  EXPECT_EQ(fold_names({"n1", "n01"}), "n01, n1");
}

TEST(FoldNames, CountsByTheFirstLabelsLastNumber) {
  EXPECT_EQ(fold_names({"r1-n1.dc2.example", "r1-n2.dc2.example"}), "r1-n[1-2].dc2.example");
  EXPECT_EQ(fold_names({"mlx5_0", "mlx5_1", "mlx5_bond"}), "mlx5_[0-1], mlx5_bond");
}

TEST(FoldNames, LeavesWhatIsNoNumberAlone) {
  EXPECT_EQ(fold_names({"head", "login"}), "head, login");
  EXPECT_EQ(fold_names({"99999999999999999999", "x99999999999999999999"}),
            "99999999999999999999, x99999999999999999999");
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
