// The tables of the crossbar's throughput in docs/results/vc-crossbar.md and the curves of latency against
// load, measured on its Verilog: as the spec says, and as the documents say.
#include <gtest/gtest.h>

#include "verif/cli/chart_reader.h"
#include "verif/noc/measured_page.h"
#include "verif/noc/vc_load.h"
#include "verif/noc/vc_load_picture.h"
#include "verif/noc/vc_load_table.h"

namespace {

// The figures of the spec, by iterations - 1; 0: none.
struct Row {
  int inputs, outputs, vcs;
  verif::Throughput expected;
};
const Row table[] = {
    {8, 4, 1, {}},
    {8, 4, 2, {}},
    {8, 4, 4, {{}, {.890, .962}, {.980, .999}}},
    {8, 8, 1, {{.618}, {}, {}}},
    {8, 8, 2, {{.608, .696}, {.630, .708}, {.662, .754}}},
    {8, 8, 4, {{.583, .758}, {.651, .787, .795, .794}, {.722, .858, .871, .872}}},
    {16, 16, 1, {{.601}, {}, {}}},
    {16, 16, 2, {{.594, .681}, {.604, .687}, {.632, .729}}},
    {16, 16, 4, {{.578, .743}, {.610, .756, .766, .766}, {.655, .816, .836, .838}}},
    {32, 32, 1, {{.593}, {}, {}}},
    {32, 32, 2, {{.588, .674}, {.592, .676}, {.617, .717}}},
    {32, 32, 4, {{.576, .737}, {.591, .743, .754, .754}, {.627, .799, .822, .822}}},
};

void expect_near(const double (&got)[verif::most_iterations],
                 const double (&expected)[verif::most_iterations], const std::string& row) {
  for (int k = 0; k < verif::most_iterations; ++k) {
    if (expected[k] > 0) {
      EXPECT_NEAR(got[k], expected[k], 0.01) << row << " iterations=" << k + 1;
    }
  }
  EXPECT_LE(got[2], got[1] + 0.03) << row;
  EXPECT_LE(got[3], got[1] + 0.03) << row;
}

}  // namespace

// As the spec says, and what limits it: with a VC for each output no flit waits behind one for another
// output; deeper queues leave that as it is.
TEST(VcLoadFull, TablesAreThoseOfTheDocuments) {
  std::string shapes =
      "| ports | VCs | random VC | by destination | the same, a source queue per VC |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const Row& row : table) {
    const hw::CrossbarParams p{.inputs = row.inputs, .outputs = row.outputs, .vcs = row.vcs};
    const verif::Throughput got = verif::throughput(p);
    const std::string line = verif::table_row(p, got);
    shapes += line;
    fmt::print("{}", line);
    std::fflush(stdout);
    expect_near(got.random, row.expected.random, line);
    if (row.vcs == 1) continue;
    expect_near(got.destination, row.expected.destination, line);
    expect_near(got.queues, row.expected.queues, line);
  }
  std::string limits =
      "| ports | VCs | flits a VC | one source queue | a source queue per VC |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const auto& [vcs, depth] : {std::pair{4, 2}, {4, 4}, {4, 8}, {4, 16}, {8, 4}}) {
    const verif::Throughput got = verif::throughput({.outputs = 8, .vcs = vcs, .vc_depth = depth});
    limits += fmt::format("| 8x8 | {} | {} | {} | {} |\n", vcs, depth, verif::by_iterations(got.destination),
                          verif::by_iterations(got.queues));
    if (vcs == 8) {
      EXPECT_NEAR(got.queues[0], 0.950, 0.01);
      EXPECT_NEAR(got.queues[1], 0.968, 0.01);
    }
  }
  verif::expect_documented("vc-crossbar.md", "vc_load_full_test",
                           {{"throughput", shapes}, {"limits", limits}});
}

TEST(VcLoadFull, CurvesAreThoseOfTheDocuments) {
  if (!verif::can_draw()) GTEST_SKIP() << verif::no_drawing;
  verif::expect_documented("vc-crossbar-load.svg", verif::load_curves());
}
