// The most memory that a command and the tools it starts have taken, one after the other.
#pragma once
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>
#include <vector>

#include "verif/run_l1forge.h"

namespace verif {

// The largest process of all commands that this program has run so far is below 2 GB, too.
inline void expect_below_two_gigabytes(const std::vector<std::string>& arguments) {
  const gen::Finished done = l1forge(arguments);
  ASSERT_TRUE(done.ok()) << done.output;
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  ASSERT_LT(usage.ru_maxrss, 2'000'000) << testing::PrintToString(arguments);  // kilobytes
}

}  // namespace verif
