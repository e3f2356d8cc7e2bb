// The table of faults on streams in docs/verification.md, which tests that inject them hold.
#pragma once
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "gen/files.h"
#include "gen/paths.h"
#include "verif/lock_step_result.h"

namespace verif {

// The fault has a row in the page, and the row names the preset in its second cell.
inline bool row_names(const std::string& page, const std::string& fault, const std::string& preset) {
  const auto row = page.find("\n| " + fault + " | ");
  if (row == std::string::npos) return false;
  const auto cell = row + fault.size() + 6;
  return page.substr(cell, page.find(" |", cell) - cell).find("`" + preset + "`") != std::string::npos;
}

// Each fault was injected more than once, and has a row that names the preset.
inline void expect_injected(const LockStep& run, const std::string& preset,
                            const std::vector<std::string>& faults) {
  EXPECT_TRUE(run.report["mismatches"].empty()) << preset << "\n" << run.report.dump(1);
  const std::string page = gen::read_file(gen::paths::source() / "docs/verification.md");
  for (const std::string& fault : faults) {
    EXPECT_GT(run.report["coverage"]["counts"].value(fault, 0), 1) << preset << ": " << fault;
    EXPECT_TRUE(row_names(page, fault, preset)) << preset << " is in no row of: " << fault;
  }
}

}  // namespace verif
