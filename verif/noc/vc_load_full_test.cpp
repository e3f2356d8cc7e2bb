// The tables of the crossbar's throughput in docs/results/vc-crossbar.md and the curves of latency against
// load, measured on its Verilog: as the spec says, and as the documents say.
#include <gmock/gmock.h>

#include "gen/files.h"
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

// A row that the documents have is the measured one; `columns` say which row it is.
void expect_as_documented(const std::string& line, int columns) {
  static const std::string text =
      gen::read_file(std::filesystem::path(L1FORGE_SOURCE_DIR) / "docs" / "vc-crossbar-results.md");
  std::size_t end = 0;
  for (int k = 0; k < columns; ++k) end = line.find('|', end + 1);
  const std::size_t row = text.find("\n" + line.substr(0, end + 1));
  if (row != std::string::npos) {
    EXPECT_EQ(text.substr(row + 1, line.size()), line);
  }
}

}  // namespace

TEST(VcLoadFull, TableOfThroughput) {
  for (const Row& row : table) {
    const hw::CrossbarParams p{.inputs = row.inputs, .outputs = row.outputs, .vcs = row.vcs};
    const verif::Throughput got = verif::throughput(p);
    const std::string line = verif::table_row(p, got);
    fmt::print("{}", line);
    std::fflush(stdout);
    expect_as_documented(line, 2);
    expect_near(got.random, row.expected.random, line);
    if (row.vcs == 1) continue;
    expect_near(got.destination, row.expected.destination, line);
    expect_near(got.queues, row.expected.queues, line);
  }
}

// What limits it: with a VC for each output no flit waits behind one for another output; deeper queues leave
// that as it is.
TEST(VcLoadFull, TableOfLimits) {
  for (const auto& [vcs, depth] : {std::pair{4, 2}, {4, 4}, {4, 8}, {4, 16}, {8, 4}}) {
    const verif::Throughput got = verif::throughput({.outputs = 8, .vcs = vcs, .vc_depth = depth});
    const std::string line =
        fmt::format("| 8x8 | {} | {} | {} | {} |\n", vcs, depth, verif::by_iterations(got.destination),
                    verif::by_iterations(got.queues));
    fmt::print("{}", line);
    std::fflush(stdout);
    expect_as_documented(line, 3);
    if (vcs == 8) {
      EXPECT_NEAR(got.queues[0], 0.950, 0.01);
      EXPECT_NEAR(got.queues[1], 0.968, 0.01);
    }
  }
}

TEST(VcLoadFull, CurvesAreThoseOfTheDocuments) {
  const std::string svg = verif::load_curves();
  const auto kept = std::filesystem::path(L1FORGE_SOURCE_DIR) / "docs" / "results" / "vc-crossbar-load.svg";
  if (svg == gen::read_file(kept)) return;
  const auto fresh = std::filesystem::path(L1FORGE_BUILD_DIR) / "vc-crossbar-load.svg";
  gen::write_file_atomically(fresh, svg);
  ADD_FAILURE() << kept << " differs from what was measured: " << fresh;
}
