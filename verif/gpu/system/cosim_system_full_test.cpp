// `cosim --trace --system` on every system at one to four SMs, with kernels that hit, that stream, and that
// flush between two launches; and with caches of every kind.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "gen/paths.h"
#include "verif/gpu/system/cosim_system.h"
#include "verif/temp_folder.h"

TEST(CosimInASystem, EverySystemAtOneToFourSms) {
  for (const std::string& system : verif::all_systems())
    for (int sms = 1; sms <= 4; ++sms)
      for (const char* kernel : {"builtin:gemm?ni=32,nj=32,nk=16", "builtin:triad?elements=8192",
                                 "builtin:bicg?nx=64,ny=64", "builtin:kmeans?points=256"})
        verif::expect_as_many_cycles({"l1d", system, kernel, sms});
}

TEST(CosimInASystem, EveryLineAndChunkInEverySystem) {
  int sms = 0;
  for (const std::string& system : verif::all_systems())
    for (const int line : {32, 64, 128, 256})
      for (const int chunk : {8, 16, 32, 64})
        if (chunk <= line)
          verif::expect_as_many_cycles({"l1d_sectored",
                                        system,
                                        "builtin:atax?nx=64,ny=64",
                                        ++sms % 4 + 1,
                                        {"-s", "geometry.line_bytes=" + std::to_string(line), "-s",
                                         "geometry.chunk_bytes=" + std::to_string(chunk)}});
}

TEST(CosimInASystem, CachesOfEveryKind) {
  const char* const kernel = "builtin:atax?nx=128,ny=128";
  for (const char* cache :
       {"l1d_sectored", "l1d_tsc", "l1d_dsc", "l1d_reuse_filter", "l1d_mrpb", "l1d_gpu", "l1d_adi"})
    for (const char* system : {"fermi_tsc", "mesh28", "volta4"})
      verif::expect_as_many_cycles({cache, system, kernel, 3});
  verif::expect_as_many_cycles({"l1d_tsc_plus", "fermi_tsc", kernel, 1});  // dueling: SMs would differ
  verif::expect_as_many_cycles({"l1d_bucl", "fermi_bucl", kernel, 1});
  verif::expect_as_many_cycles({"l1d_iacm", "fermi_aci", kernel, 2});
}

// The small sizes of crossbar80, mesh28 and mesh28_shared.
TEST(CosimInASystem, TopologiesOfEachPreset) {
  using verif::expect_topology_takes_as_many_cycles, verif::four_cores, verif::four_in_a_mesh;
  expect_topology_takes_as_many_cycles("dc_l1", verif::system_of_four("crossbar80", "network_clock = 1400\n"),
                                       {four_cores, {"-s", "topology.nodes=2", "-s", "topology.clusters=1"}});
  expect_topology_takes_as_many_cycles("remote_core", verif::system_of_four("mesh28"),
                                       {four_cores, four_in_a_mesh, {"-s", "remote.coverage=3"}});
  expect_topology_takes_as_many_cycles("shared_l1", verif::system_of_four("mesh28_shared"),
                                       {four_cores, four_in_a_mesh});
}

// The recording of the tests has no count of its instructions, which a system needs: it gets one here.
TEST(CosimInASystem, RecordedTraces) {
  const std::filesystem::path traces = gen::paths::source() / "verif/traces";
  const verif::TempFolder folder;
  std::filesystem::copy_file(traces / "atax256_first_warps.rec.xz", folder.path("atax.rec.xz"));
  auto side = nlohmann::json::parse(gen::read_file(traces / "atax256_first_warps.json"));
  side["dynamic_untruncated"] = {
      {"warp_insts", 45'056}, {"global_ld", 12'288}, {"global_st", 4'096}, {"global_atom", 0}};
  folder.write("atax.json", side.dump());
  verif::expect_as_many_cycles({"l1d", "fermi_tsc", folder.path("atax.rec.xz"), 2});
  verif::expect_as_many_cycles({"l1d_tsc", "volta4", traces / "accelsim/kernel-1.traceg.xz", 4});
}
