// Built-in kernels against recorded traces of the published ones, and against what their programs compute.
#include "golden/trace/kernels/builtin_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "golden/trace/kernels/random.h"
#include "verif/trace/kernel_run.h"
#include "verif/tree.h"

namespace {

using golden::AccessKind;
using golden::KernelInfo;
using golden::Record;
using testing::ElementsAre;

const std::string bundled = verif::in_source("verif/traces/");

using verif::KernelRun;
using verif::run_kernels;

std::uint64_t lanes(const KernelRun& run, std::uint32_t pc) {
  std::uint64_t n = 0;
  for (const Record& record : run.records)
    if (record.pc == pc) n += static_cast<std::uint64_t>(record.lanes());
  return n;
}

// The recorded accesses are the first ones of each warp, in some CTAs, of a launch of that kernel: the first,
// or the one with that number among them. Only these warps run, and no further.
void expect_begins_as(const std::string& name, const std::string& recorded, const std::string& of = "",
                      int number = 0) {
  const auto content = verif::read_source(bundled + recorded);
  EXPECT_EQ(content.error, "");
  const auto program = golden::open_program("builtin:" + name);
  std::optional<golden::KernelLaunch> launch;
  do {
    launch = program->next_launch();
    ASSERT_TRUE(launch.has_value()) << name;
  } while ((!of.empty() && launch->kernel.name != of) || number-- > 0);
  std::map<std::pair<std::uint32_t, std::uint16_t>, golden::Accesses> warps;
  for (const Record& expected : content.records) {
    auto warp = warps.find({expected.cta, expected.warp});
    if (warp == warps.end())
      warp = warps
                 .emplace(std::pair(expected.cta, expected.warp),
                          launch->warp(golden::Warp(launch->kernel, expected.cta, expected.warp)))
                 .first;
    Record record;
    ASSERT_TRUE(warp->second.next(record)) << name << " cta " << expected.cta;
    ASSERT_EQ(verif::texts({record}), verif::texts({expected})) << name << " cta " << expected.cta;
    ASSERT_EQ(record.pc, expected.pc);
  }
  EXPECT_GT(content.records.size(), 20u);
}

TEST(BuiltinKernels, BeginAsRecordedOnes) {
  expect_begins_as("atax?nx=4096,ny=4096", "atax256_first_warps.rec.xz");
  expect_begins_as("atax?nx=4096,ny=4096,block_x=32,block_y=8", "kernels/atax_32x8.rec.xz");
  expect_begins_as("gemm?ni=512,nj=512,nk=512", "kernels/gemm_512.rec.xz");
  expect_begins_as("syrk?ni=1024,nj=1024", "kernels/syrk_1024.rec.xz");
  expect_begins_as("2dconv?ni=4096,nj=4096", "kernels/2dconv_4096.rec.xz");
  expect_begins_as("2mm?ni=2048,nj=2048,nk=2048,nl=2048,kernel=2", "kernels/2mm_2048.rec.xz");
  expect_begins_as("bicg?nx=4096,ny=4096", "kernels/bicg_4096.rec.xz");
  expect_begins_as("mvt?n=4096", "kernels/mvt_4096.rec.xz");
  expect_begins_as("gesummv?n=4096", "kernels/gesummv_4096.rec.xz");
  expect_begins_as("covar?m=2048,n=2048,kernel=3", "kernels/covar_2048.rec.xz");
  expect_begins_as("corr?m=2048,n=2048,kernel=4", "kernels/corr_2048.rec.xz");
  expect_begins_as("3dconv?ni=256,nj=256,nk=256", "kernels/3dconv_256.rec.xz", "", 10);
  expect_begins_as("stencil", "kernels/stencil_128.rec.xz");
  expect_begins_as("kmeans", "kernels/kmeans_60000.rec.xz");
  expect_begins_as("kmeans_cluster", "kernels/kmeans_cluster_60000.rec.xz");
  expect_begins_as("gaussian?n=1024", "kernels/gaussian_1024.rec.xz", "Fan2");
  expect_begins_as("backprop?inputs=65536", "kernels/backprop_forward_65536.rec.xz");
  expect_begins_as("backprop?inputs=65536", "kernels/backprop_adjust_65536.rec.xz",
                   "bpnn_adjust_weights_cuda");
  expect_begins_as("hotspot?n=1024", "kernels/hotspot_1024.rec.xz");
  expect_begins_as("pathfinder?rows=100", "kernels/pathfinder_100000.rec.xz", "", 1);
  expect_begins_as("srad_v1", "kernels/srad_v1_srad.rec.xz", "srad");
  expect_begins_as("srad_v1", "kernels/srad_v1_srad2.rec.xz", "srad2");
  expect_begins_as("srad_v2?columns=2048,kernel=2", "kernels/srad_v2_2048.rec.xz");
  expect_begins_as("nw?n=2048", "kernels/nw_first_2048.rec.xz", "needle_cuda_shared_1", 95);
  expect_begins_as("nw?n=2048", "kernels/nw_second_2048.rec.xz", "needle_cuda_shared_2", 0);
  expect_begins_as("lud?n=512", "kernels/lud_diagonal_512.rec.xz", "lud_diagonal", 1);
  expect_begins_as("lud?n=512", "kernels/lud_perimeter_512.rec.xz", "lud_perimeter");
  expect_begins_as("btree", "kernels/btree_1m.rec.xz");
  expect_begins_as("histo", "kernels/histo_996x1040.rec.xz");
}

// Its points and who changes are drawn: lanes and addresses are compared of what does not depend on that.
TEST(BuiltinKernels, StreamclusterMeasuresDistancesAsRecorded) {
  const auto content = verif::read_source(bundled + "streamcluster_two_launches.rec.xz");
  const auto built = run_kernels("builtin:streamcluster")[0].records;
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<Record>> recorded, made;
  for (const Record& record : content.records)
    if (record.cta < 4) recorded[{record.cta, record.warp}].push_back(record);
  for (const Record& record : built)
    if (record.cta < 4) made[{record.cta, record.warp}].push_back(record);
  ASSERT_EQ(recorded.size(), 64u);
  for (const auto& [warp, records] : recorded)
    for (std::size_t i = 0; i < 258; ++i) {
      const Record &expected = records[i], &got = made[warp][i];
      ASSERT_EQ(got.pc, expected.pc);
      ASSERT_EQ(got.mask, expected.mask);
      const std::uint64_t apart = expected.address[1] - expected.address[0];
      ASSERT_EQ(got.address[1] - got.address[0], apart);
      if (apart == 0) continue;  // the new center's, which all lanes read
      ASSERT_EQ(verif::texts({got}), verif::texts({expected}));
    }
}

TEST(BuiltinKernels, AtaxRunsBothKernelsOrOne) {
  const auto both = run_kernels("builtin:atax?nx=40,ny=30,block_x=32");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].kernel.name, "atax_kernel1");
  EXPECT_EQ(both[0].records.size(), 2u * (1 + 3 * 30));
  EXPECT_EQ(both[1].records.size(), 1u * (1 + 3 * 40));
  EXPECT_EQ(both[0].records.back().mask, 0xFFu);
  EXPECT_EQ(run_kernels("builtin:atax?nx=40,ny=30,kernel=2")[0].kernel.name, "atax_kernel2");
}

TEST(BuiltinKernels, TriadTouchesEachElementOnce) {
  const auto passes = run_kernels("builtin:triad?elements=1000,passes=2");
  ASSERT_EQ(passes.size(), 2u);
  for (const KernelRun& pass : passes) {
    std::map<std::uint32_t, std::set<std::uint64_t>> touched;  // by position in the program
    for (const Record& record : pass.records)
      for (const std::uint64_t address : record.addresses())
        EXPECT_TRUE(touched[record.pc].insert(address).second);
    ASSERT_EQ(touched.size(), 3u);
    for (const auto& [pc, addresses] : touched) {
      EXPECT_EQ(addresses.size(), 1000u);
      EXPECT_EQ(*addresses.rbegin() - *addresses.begin(), 999u * 4);
    }
  }
}

// Reaches what a plain search over the same generated graph reaches, edge by edge.
TEST(BuiltinKernels, BfsVisitsEveryReachableNode) {
  constexpr int scale = 8;
  std::map<std::uint32_t, std::multiset<std::uint32_t>> graph;
  for (std::uint64_t e = 0; e < (16u << scale); ++e) {
    std::uint32_t from = 0, to = 0;
    for (std::uint64_t bit = 0; bit < scale; ++bit) {
      const auto draw = golden::random_bits(3, e * 32 + bit) % 100;
      from = 2 * from + (draw < 57 || (draw >= 57 && draw < 76) ? 0 : 1);
      to = 2 * to + (draw < 57 || (draw >= 76 && draw < 95) ? 0 : 1);
    }
    graph[from].insert(to);
  }
  std::vector<std::set<std::uint32_t>> levels{{0}};
  std::set<std::uint32_t> seen{0};
  while (!levels.back().empty()) {
    std::set<std::uint32_t> next;
    for (const std::uint32_t node : levels.back())
      for (const std::uint32_t neighbour : graph[node])
        if (!seen.contains(neighbour)) next.insert(neighbour);
    seen.insert(next.begin(), next.end());
    levels.push_back(next);
  }
  levels.pop_back();
  ASSERT_GT(levels.size(), 2u);
  const auto launches = run_kernels("builtin:bfs?scale=8,seed=3");
  ASSERT_EQ(launches.size(), 2 * levels.size());
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::uint64_t edges = 0;
    for (const std::uint32_t node : levels[level]) edges += graph[node].size();
    EXPECT_EQ(launches[2 * level].kernel.name, "Kernel");
    EXPECT_EQ(lanes(launches[2 * level], 21), levels[level].size());
    EXPECT_EQ(lanes(launches[2 * level], 38), edges);
    EXPECT_EQ(lanes(launches[2 * level + 1], 23), level + 1 < levels.size() ? levels[level + 1].size() : 0u);
  }
  // One level alone is the same as in the whole run.
  const auto one = run_kernels("builtin:bfs?scale=8,seed=3,first=1,levels=1");
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(verif::texts(one[0].records), verif::texts(launches[2].records));
  EXPECT_NE(verif::texts(run_kernels("builtin:bfs?scale=8,seed=4")[0].records),
            verif::texts(launches[0].records));
}

TEST(BuiltinKernels, SpmvReadsEveryElementOnce) {
  const auto launches = run_kernels("builtin:spmv?side=4");
  ASSERT_EQ(launches.size(), 1u);
  std::multiset<std::uint64_t> columns, values;
  for (const Record& record : launches[0].records)
    for (const std::uint64_t address : record.addresses()) {
      if (record.pc == 35 || record.pc == 55 || record.pc == 61 || record.pc == 67 || record.pc == 73)
        columns.insert(address);
      if (record.pc == 39 || record.pc == 59 || record.pc == 65 || record.pc == 71 || record.pc == 77)
        values.insert(address);
    }
  EXPECT_EQ(columns.size(), 1000u);  // the sum of 2, 3, 3 and 2 neighbours, cubed
  EXPECT_EQ(values.size(), 1000u);
  EXPECT_EQ(*values.begin(), 0x10000000u);
  EXPECT_EQ(*values.rbegin(), 0x10000000u + 4 * 999);
  EXPECT_EQ(std::set(values.begin(), values.end()).size(), 1000u);
  EXPECT_EQ(std::set(columns.begin(), columns.end()).size(), 1000u);
}

TEST(BuiltinKernels, NeedleCoversTheMatrix) {
  const auto launches = run_kernels("builtin:nw?n=48");
  ASSERT_EQ(launches.size(), 5u);
  EXPECT_EQ(launches[2].kernel.ctas(), 3u);
  EXPECT_EQ(launches[3].kernel.name, "needle_cuda_shared_2");
  std::set<std::uint64_t> scores, references;
  std::size_t barriers = 0;
  for (const KernelRun& one : launches)
    for (const Record& record : one.records) {
      barriers += record.is_barrier();
      for (const std::uint64_t address : record.addresses())
        (record.kind == AccessKind::store ? scores : references).insert(address);
    }
  EXPECT_EQ(scores.size(), 48u * 48);
  // References, and of the scores the upper and left edges of each tile.
  EXPECT_EQ(references.size(), 48u * 48 + 48 * 3 + 48 * 3 - 4 + 1);
  EXPECT_EQ(barriers, 9u * (3 + 31));
}

TEST(BuiltinKernels, RefuseWrongNamesAndSizes) {
  const auto error = [](const std::string& name) { return verif::read_source(name).error; };
  std::string names;
  for (const golden::Workload* const one : golden::workloads())
    names += (names.empty() ? "" : ", ") + std::string(one->name);
  EXPECT_EQ(error("builtin:atx"), "builtin:atx: no such built-in kernel; there are " + names);
  EXPECT_EQ(error("builtin:gemm?n=4"),
            "builtin:gemm?n=4: has no size \"n\"; its sizes are ni, nj, nk, block_x, block_y");
  EXPECT_EQ(error("builtin:gemm?ni"), "builtin:gemm?ni: ni is \"\", must be from 1 to 65536");
  EXPECT_EQ(error("builtin:gemm?ni=4,,nj=2"),
            "builtin:gemm?ni=4,,nj=2: has no size \"\"; its sizes are ni, nj, nk, block_x, block_y");
  EXPECT_EQ(error("builtin:gemm?ni=0"), "builtin:gemm?ni=0: ni is \"0\", must be from 1 to 65536");
  EXPECT_EQ(error("builtin:gemm?ni=4,nj=4,ni=8"),
            "builtin:gemm?ni=4,nj=4,ni=8: ni is given twice; give it once");
  EXPECT_EQ(error("builtin:gemm?ni=-1"), "builtin:gemm?ni=-1: ni is \"-1\", must be from 1 to 65536");
  EXPECT_EQ(error("builtin:gemm?block_x=64,block_y=17"),
            "builtin:gemm?block_x=64,block_y=17: block_x * block_y is above 1024 threads");
  EXPECT_EQ(error("builtin:nw?n=17"), "builtin:nw?n=17: n is \"17\", must be a multiple of 16");
  EXPECT_EQ(error("builtin:2dconv?ni=65536,nj=65536"),
            "builtin:2dconv?ni=65536,nj=65536: the sizes need more than 3840 MiB of device memory");
}

}  // namespace
