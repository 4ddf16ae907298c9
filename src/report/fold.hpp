// Many subjects said in few words: the parts of several nodes become "n[1-2] gpu 0-3, n3 gpu 5". What is equal on a
// thousand nodes is one line of a report.
#pragma once

#include <string>
#include <vector>

#include "evidence/subject.hpp"

namespace assay::report {

// A subject as people say it, its cluster left out: "n2 gpu 0", "login head"; the cluster itself is "cluster".
std::string words_of(const Subject& subject);

// Any number of subjects, hosts with the same parts together.
std::string fold_subjects(const std::vector<Subject>& subjects);

// The node or login host that a subject is or belongs to; the cluster for what belongs to none.
Subject host_of(const Subject& subject);

}  // namespace assay::report
