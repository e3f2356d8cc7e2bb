// The classes of the built-in kernels in docs/workloads.md are those of their profiles at the default sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gen/files.h"
#include "golden/trace/kernels/builtin_kernels.h"
#include "golden/trace/profile/profile.h"
#include "verif/tree.h"

namespace {

// The words of one paper about a program, as "NAME: words; NAME: words".
std::string said(const golden::Workload& workload, std::string_view paper) {
  std::string out;
  for (const golden::Use& use : workload.uses)
    if (use.source == paper && !use.said.empty())
      out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", use.name, use.said);
  return out.empty() ? "-" : out;
}

std::string row(const golden::Workload& workload) {
  const auto trace = golden::open_builtin(fmt::format("builtin:{}", workload.name));
  const golden::Profile p = golden::profile(*trace);
  const auto found = golden::classes(p);
  return fmt::format("| `{}` | {:.1f} | {:.1f} | {:.1f} | {} | {} | {} | {} | {} |\n", workload.name,
                     p.requests_per_load(), 100 * p.miss_rate(), 100 * p.replication_ratio(), found[0].word,
                     said(workload, "BUCL"), found[3].word, said(workload, "ACI thesis"),
                     said(workload, "DC-L1 thesis"));
}

TEST(WorkloadClasses, StandInTheDocsAsTheyAreProfiled) {
  const std::string page = gen::read_file(verif::in_source("docs/workloads.md"));
  for (const golden::Workload* const one : golden::workloads()) {
    const std::string expected = row(*one);
    EXPECT_TRUE(page.find("\n" + expected) != std::string::npos) << "docs/workloads.md should have\n"
                                                                 << expected;
  }
}

}  // namespace
