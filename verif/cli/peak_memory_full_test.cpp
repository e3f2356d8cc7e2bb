// The most memory of the longest commands: large units through yosys and OpenSTA, large programs of
// co-simulation, and mutants.
#include <gtest/gtest.h>

#include "verif/cli/peak_memory.h"

using verif::expect_below_two_gigabytes;

TEST(PeakMemoryFull, OfSyntheses) {
  for (const char* unit : {"l1d_tsc_plus", "l1_subsystem", "remote_node"})
    expect_below_two_gigabytes({"area", unit, "--alone"});
}

TEST(PeakMemoryFull, OfCoSimulation) {
  // A width that no other test has, so that each program is compiled here.
  for (const char* unit : {"l1d_tsc_plus", "l1d_dsc", "l1d_iacm"})
    expect_below_two_gigabytes({"cosim", unit, "--random", "20000", "-s", "core.id_bits=7"});
  expect_below_two_gigabytes({"verify", "awl", "--mutants", "20"});
}

TEST(PeakMemoryFull, OfSmallTopologies) { expect_below_two_gigabytes({"bench"}); }
