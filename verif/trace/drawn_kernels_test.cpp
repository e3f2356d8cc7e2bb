// Built-in kernels whose inputs are drawn: the recorded kernel and the built-in one keep to the same rule,
// each with its own input.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "golden/trace/kernels/builtin_kernels.h"
#include "golden/trace/kernels/mesh.h"
#include "verif/trace/kernel_run.h"

namespace {

using golden::Record;
using verif::recorded;
using verif::run_kernels;

// Each thread reads the sums from the first up to the one where it stops, and copies that particle. What it
// copies says where it stops.
void expect_search(const std::vector<Record>& records, std::uint64_t particles) {
  const std::uint64_t array = 8 * particles, sums = 0x10000000 + 4 * array, draws = sums + array;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Record>> warps;
  for (const Record& record : records) warps[{record.cta, record.warp}].push_back(record);
  std::uint64_t last = 0;
  for (const auto& [warp, all] : warps) {
    ASSERT_GT(all.size(), 5u);
    const std::uint64_t own = 8 * (128 * warp.first + 32 * warp.second);
    const std::size_t steps = all.size() - 5;
    const Record& copied = all[steps + 1];
    std::vector<std::uint64_t> chosen;
    for (const std::uint64_t address : copied.addresses()) {
      chosen.push_back((address - 0x10000000) / 8);
      EXPECT_GE(chosen.back(), last);  // draws ascend, and so do the particles
      last = chosen.back();
      EXPECT_LT(last, particles);
    }
    EXPECT_EQ(steps, last + 1);
    EXPECT_EQ(all[0].pc, 19u);
    EXPECT_EQ(all[0].address[0], draws + own);
    for (std::size_t step = 0; step < steps; ++step) {
      const Record& record = all[step + 1];
      std::uint32_t lanes = 0;
      for (std::size_t l = 0; l < chosen.size(); ++l)
        if (chosen[l] >= step) lanes |= 1u << l;
      ASSERT_EQ(record.mask, lanes);
      ASSERT_EQ(record.pc, 24u);
      ASSERT_EQ(record.bytes_per_lane, 8);
      for (const std::uint64_t address : record.addresses()) ASSERT_EQ(address, sums + 8 * step);
    }
    const std::uint32_t pcs[] = {40, 44, 47, 50};
    for (std::size_t i = 0; i < 4; ++i) {
      const Record& record = all[steps + 1 + i];
      EXPECT_EQ(record.pc, pcs[i]);
      EXPECT_EQ(record.mask, all[0].mask);
      EXPECT_EQ(record.kind, i % 2 ? golden::AccessKind::store : golden::AccessKind::load);
      const std::uint64_t buffer = 0x10000000 + array * (i % 2 ? 2 + i / 2 : i / 2);
      for (std::size_t l = 0; l < chosen.size(); ++l)
        EXPECT_EQ(record.address[l], buffer + (i % 2 ? own + 8 * l : 8 * chosen[l]));
    }
  }
}

TEST(DrawnKernels, ParticlefilterSearchesAsRecorded) {
  expect_search(recorded("particlefilter_4096"), 4096);
  const auto built = run_kernels("builtin:particlefilter");
  ASSERT_EQ(built.size(), 1u);
  EXPECT_EQ(built[0].kernel.ctas(), 32u);
  expect_search(built[0].records, 4096);
  expect_search(run_kernels("builtin:particlefilter?particles=64,seed=9")[0].records, 64);
}

constexpr std::uint64_t cfd_cells = 97344;  // 46 cubed, filled up to whole CTAs

bool reads_a_neighbour(std::uint32_t pc) {
  const std::set<std::uint32_t> pcs = {84,  85,  87,  89,  96,  179, 180, 182, 184, 191,
                                       274, 275, 277, 279, 286, 378, 379, 381, 383, 390};
  return pcs.contains(pc);
}

// Numbers of the neighbours differ: they are compared with the mesh, and in the recording with each other.
TEST(DrawnKernels, CfdReadsItsOwnCellsAsRecorded) {
  const auto program = golden::open_program("builtin:cfd");
  program->next_launch();
  const auto launch = program->next_launch();
  ASSERT_EQ(launch->kernel.name, "cuda_compute_flux");
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<Record>> expected;
  for (const Record& record : recorded("cfd_flux_97336"))
    if (!reads_a_neighbour(record.pc)) expected[{record.cta, record.warp}].push_back(record);
  ASSERT_EQ(expected.size(), 18u);
  for (const auto& [place, records] : expected) {
    golden::Accesses warp = launch->warp(golden::Warp(launch->kernel, place.first, place.second));
    for (const Record& record : records) {
      Record got;
      do ASSERT_TRUE(warp.next(got));
      while (reads_a_neighbour(got.pc));
      ASSERT_EQ(got.pc, record.pc);
      ASSERT_EQ(verif::texts({got}), verif::texts({record}));
    }
  }
}

TEST(DrawnKernels, CfdReadsTheFiveVariablesOfANeighbour) {
  const std::uint64_t variables = 0x10650100;
  const golden::CubeMesh mesh(46, 1);
  const auto built = run_kernels("builtin:cfd")[1].records;
  for (const bool in_recording : {true, false}) {
    std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>, std::vector<Record>> faces;
    for (const Record& record : in_recording ? recorded("cfd_flux_97336") : built)
      if (reads_a_neighbour(record.pc))
        faces[{record.cta, record.warp, (record.pc - 84) / 95}].push_back(record);
    EXPECT_GT(faces.size(), 40u);
    for (const auto& [place, loads] : faces) {
      ASSERT_EQ(loads.size(), 5u);
      for (std::size_t v = 0; v < 5; ++v) {
        const std::uint64_t variable = variables + 4 * cfd_cells * (v == 0 ? 1 : v == 1 ? 0 : v);
        ASSERT_EQ(loads[v].mask, loads[0].mask);
        std::size_t i = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
          if (!(loads[0].mask >> lane & 1)) continue;
          const std::uint64_t cell = (loads[v].address[i] - variable) / 4;
          ASSERT_EQ(cell, (loads[0].address[i] - variables) / 4 - cfd_cells);
          ++i;
          if (in_recording) continue;
          const auto [cta, warp, face] = place;
          const std::uint32_t number = std::min(192 * cta + 32 * warp + lane, mesh.cells() - 1);
          ASSERT_EQ(cell, mesh.neighbour(number, face));
        }
      }
    }
  }
}

TEST(DrawnKernels, MeshIsSymmetricWithFourNeighbours) {
  const golden::CubeMesh mesh(9, 7);
  std::uint64_t open = 0;
  for (std::uint32_t number = 0; number < mesh.cells(); ++number) {
    std::set<std::uint32_t> seen;
    for (std::uint32_t face = 0; face < 4; ++face) {
      const std::uint32_t other = mesh.neighbour(number, face);
      if (other == golden::CubeMesh::none) {
        ++open;
        continue;
      }
      EXPECT_TRUE(seen.insert(other).second);
      bool back = false;
      for (std::uint32_t f = 0; f < 4; ++f) back |= mesh.neighbour(other, f) == number;
      EXPECT_TRUE(back) << number << " " << face;
    }
    EXPECT_FALSE(seen.contains(number));
  }
  EXPECT_EQ(open, 2u * 81 + 81 + 81);  // both ends of x, and cells without a partner along y and z
}

}  // namespace
