// The most memory that a command takes, what it starts included.
#include "verif/cli/peak_memory.h"

#include <gtest/gtest.h>

#include "verif/temp_folder.h"

using verif::expect_below_two_gigabytes;

TEST(PeakMemory, OfModels) {
  expect_below_two_gigabytes({"explore", "dc_l1", "--untimed", "--trace", "builtin:bfs?scale=9"});
  expect_below_two_gigabytes(
      {"explore", "l1d", "l1d_tsc", "--timed", "--trace", "builtin:gemm?ni=48,nj=64,nk=32"});
  expect_below_two_gigabytes(
      {"explore", "l1d", "--trace", "builtin:gemm?ni=48,nj=64,nk=32", "--system", "fermi_tsc"});
  expect_below_two_gigabytes({"trace", "builtin:kmeans", "--profile"});
}

TEST(PeakMemory, OfVerilog) {
  const verif::TempFolder folder;
  expect_below_two_gigabytes({"gen", "--all", "-o", folder.path("all")});
  expect_below_two_gigabytes({"cosim", "l1d", "--random", "20000"});
  expect_below_two_gigabytes({"area", "adi_monitor"});
  expect_below_two_gigabytes({"energy", "index_pli", "--window", "50"});
}
