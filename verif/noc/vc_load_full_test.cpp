// The whole table of the crossbar's throughput, measured on its Verilog, and the curves of latency against
// load in docs/.
#include <gmock/gmock.h>

#include <fstream>

#include "gen/files.h"
#include "verif/noc/vc_load.h"
#include "verif/noc/vc_load_picture.h"

namespace {

const std::vector<verif::LoadCase> cases{
    {"random", false, false}, {"destination", true, false}, {"queues", true, true}};

// Per size and VCs, throughput with 1 and 2 iterations of each case; 0: no figure to compare with.
struct Row {
  int ports, vcs;
  double random[2], destination[2], queues[2];
};
constexpr Row table[] = {
    {8, 1, {.618, 0}, {0, 0}, {0, 0}},
    {8, 2, {.608, .696}, {.630, .708}, {.662, .754}},
    {8, 4, {.583, .758}, {.651, .787}, {.722, .858}},
    {16, 1, {.601, 0}, {0, 0}, {0, 0}},
    {16, 2, {.594, .681}, {.604, .687}, {.632, .729}},
    {16, 4, {.578, .743}, {.610, .756}, {.655, .816}},
    {32, 1, {.593, 0}, {0, 0}, {0, 0}},
    {32, 2, {.588, .674}, {.592, .676}, {.617, .717}},
    {32, 4, {.576, .737}, {.591, .743}, {.627, .799}},
};

}  // namespace

TEST(VcLoadFull, TableOfThroughput) {
  for (const Row& row : table)
    for (int k = 0; k < 2; ++k) {
      const auto measured = verif::measure(
          {.inputs = row.ports, .outputs = row.ports, .flit_bytes = 1, .vcs = row.vcs, .iterations = k + 1},
          cases);
      fmt::print("{0}x{0} V={1} iterations={2}:", row.ports, row.vcs, k + 1);
      for (const auto& [name, value] : {std::pair{"random", row.random[k]},
                                        {"destination", row.destination[k]},
                                        {"queues", row.queues[k]}}) {
        const double got = measured.at(name).throughput;
        fmt::print(" {} {:.3f} ({:.3f})", name, got, value);
        if (value > 0) {
          EXPECT_NEAR(got, value, 0.01) << name;
        }
      }
      fmt::print("\n");
    }
}

TEST(VcLoadFull, MoreIterationsAddLittle) {
  const double three[] = {.795, .871}, four[] = {.794, .872};
  for (const int iterations : {3, 4}) {
    const auto measured = verif::measure({.outputs = 8, .flit_bytes = 1, .iterations = iterations}, cases);
    const double* expected = iterations == 3 ? three : four;
    EXPECT_NEAR(measured.at("destination").throughput, expected[0], 0.01);
    EXPECT_NEAR(measured.at("queues").throughput, expected[1], 0.01);
  }
}

TEST(VcLoadFull, CurvesAreThoseOfTheDocuments) {
  const std::string svg = verif::load_curves();
  const auto kept = std::filesystem::path(L1FORGE_SOURCE_DIR) / "docs" / "vc-crossbar-load.svg";
  if (svg == gen::read_file(kept)) return;
  const auto fresh = std::filesystem::path(L1FORGE_BUILD_DIR) / "vc-crossbar-load.svg";
  gen::write_file_atomically(fresh, svg);
  ADD_FAILURE() << kept << " differs from what was measured: " << fresh;
}
