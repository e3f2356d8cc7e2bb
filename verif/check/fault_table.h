// The table of faults on streams in docs/verification.md, which tests that inject them hold.
#pragma once
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "gen/files.h"
#include "gen/paths.h"
#include "verif/lock_step_result.h"

namespace verif {

// Each fault was injected more than once, and has a row that names the preset.
inline void expect_injected(const LockStep& run, const std::string& preset,
                            const std::vector<std::string>& faults) {
  EXPECT_TRUE(run.report["mismatches"].empty()) << preset << "\n" << run.report.dump(1);
  const std::string page = gen::read_file(gen::paths::source() / "docs/verification.md");
  for (const std::string& fault : faults) {
    EXPECT_GT(run.report["coverage"]["counts"].value(fault, 0), 1) << preset << ": " << fault;
    EXPECT_THAT(page, testing::ContainsRegex("\n\\| " + fault + " \\| [^|\n]*`" + preset + "`"));
  }
}

}  // namespace verif
