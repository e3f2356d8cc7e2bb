// Built-in kernels against recorded traces of the published ones, and against what their programs compute.
#include "golden/trace/kernels/builtin_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "golden/trace/kernels/random.h"
#include "verif/trace/traceg_text.h"

namespace {

using golden::AccessKind;
using golden::KernelInfo;
using golden::Record;
using testing::ElementsAre;

const std::string bundled = L1FORGE_SOURCE_DIR "/verif/traces/";

// Every record of a kernel, barriers too.
struct LaunchRun {
  KernelInfo kernel;
  std::vector<Record> records;
};

std::vector<LaunchRun> run(const std::string& name) {
  std::vector<LaunchRun> out;
  const auto source = golden::open_trace(name);
  for (KernelInfo kernel; source->next_kernel(kernel);) {
    out.push_back({kernel, {}});
    for (Record record; source->next(record);) out.back().records.push_back(record);
  }
  return out;
}

std::uint64_t lanes(const LaunchRun& run, std::uint32_t pc) {
  std::uint64_t n = 0;
  for (const Record& record : run.records)
    if (record.pc == pc) n += static_cast<std::uint64_t>(record.lanes());
  return n;
}

// The recorded accesses are the first ones of each warp, in some CTAs.
void expect_begins_as(const std::string& name, const std::string& recorded) {
  using Place = std::pair<std::uint32_t, std::uint16_t>;
  std::map<Place, std::vector<Record>> warps;
  std::uint32_t last = 0;
  const auto content = verif::read_source(bundled + recorded);
  EXPECT_EQ(content.error, "");
  for (const Record& record : content.records) {
    warps[{record.cta, record.warp}].push_back(record);
    last = std::max(last, record.cta);
  }
  std::map<Place, std::size_t> next;
  std::size_t compared = 0;
  const auto source = golden::open_trace(name);
  KernelInfo kernel;
  ASSERT_TRUE(source->next_kernel(kernel));
  for (Record record; source->next(record) && record.cta <= last;) {
    const auto warp = warps.find({record.cta, record.warp});
    std::size_t& at = next[{record.cta, record.warp}];
    if (warp == warps.end() || at == warp->second.size()) continue;
    const Record& expected = warp->second[at++];
    ASSERT_EQ(verif::texts({record}), verif::texts({expected})) << name << " cta " << record.cta;
    ASSERT_EQ(record.pc, expected.pc);
    ++compared;
  }
  EXPECT_EQ(compared, content.records.size()) << name;
  EXPECT_GT(compared, 100u);
}

TEST(BuiltinKernels, BeginAsRecordedOnes) {
  expect_begins_as("builtin:atax?nx=4096,ny=4096", "atax256_first_warps.rec.xz");
  expect_begins_as("builtin:atax?nx=4096,ny=4096,block_x=32,block_y=8", "kernels/atax_32x8.rec.xz");
  expect_begins_as("builtin:gemm?ni=512,nj=512,nk=512", "kernels/gemm_512.rec.xz");
  expect_begins_as("builtin:syrk?ni=1024,nj=1024", "kernels/syrk_1024.rec.xz");
  expect_begins_as("builtin:2dconv?ni=4096,nj=4096", "kernels/2dconv_4096.rec.xz");
  expect_begins_as("builtin:kmeans", "kernels/kmeans_60000.rec.xz");
}

TEST(BuiltinKernels, KeepTheRulesOfASource) {
  std::vector<std::string> names;
  for (const auto& kernel : golden::builtin_kernels()) {
    names.emplace_back(kernel.name);
    EXPECT_FALSE(kernel.what.empty() || kernel.source.empty() || kernel.sizes.empty());
  }
  EXPECT_THAT(names, ElementsAre("atax", "gemm", "syrk", "2dconv", "kmeans", "bfs", "spmv", "triad",
                                 "histogram", "stencil", "nw"));
  for (const char* name :
       {"atax?nx=70,ny=9", "gemm?ni=33,nj=40,nk=6", "syrk?ni=35,nj=7", "2dconv?ni=40,nj=50",
        "kmeans?points=300,features=6", "bfs?scale=9", "spmv?side=5", "triad?elements=2100,passes=2",
        "histogram?bytes=9999", "stencil?nx=70,ny=5,nz=4,iterations=2", "nw?n=64"}) {
    std::set<std::uint32_t> ctas;
    const auto source = golden::open_trace(std::string("builtin:") + name);
    std::size_t accesses = 0;
    for (KernelInfo kernel; source->next_kernel(kernel); ctas.clear()) {
      std::uint32_t cta = 0;
      for (Record record; source->next(record);) {
        const bool enters = record.cta != cta || ctas.empty();
        cta = record.cta;
        EXPECT_TRUE(!enters || ctas.insert(cta).second) << name;
        EXPECT_LT(record.cta, kernel.ctas()) << name;
        EXPECT_LT(record.warp, kernel.warps_per_cta()) << name;
        EXPECT_TRUE(record.is_barrier() || record.mask != 0) << name;
        for (const std::uint64_t address : record.addresses()) {
          EXPECT_GE(address, 0x10000000u) << name;
          EXPECT_LT(address, 0x11000000u) << name;
          EXPECT_EQ(address % record.bytes_per_lane, 0u) << name;
        }
        ++accesses;
      }
    }
    EXPECT_GT(accesses, 50u) << name;
  }
}

TEST(BuiltinKernels, AtaxRunsBothKernelsOrOne) {
  const auto both = run("builtin:atax?nx=40,ny=30,block_x=32");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].kernel.name, "atax_kernel1");
  EXPECT_EQ(both[0].records.size(), 2u * (1 + 3 * 30));
  EXPECT_EQ(both[1].records.size(), 1u * (1 + 3 * 40));
  EXPECT_EQ(both[0].records.back().mask, 0xFFu);
  EXPECT_EQ(run("builtin:atax?nx=40,ny=30,kernel=2")[0].kernel.name, "atax_kernel2");
}

TEST(BuiltinKernels, TriadTouchesEachElementOnce) {
  const auto passes = run("builtin:triad?elements=1000,passes=2");
  ASSERT_EQ(passes.size(), 2u);
  for (const LaunchRun& pass : passes) {
    std::map<std::uint32_t, std::set<std::uint64_t>> touched;  // by place in the program
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
  const auto launches = run("builtin:bfs?scale=8,seed=3");
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
  const auto one = run("builtin:bfs?scale=8,seed=3,first=1,levels=1");
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(verif::texts(one[0].records), verif::texts(launches[2].records));
  EXPECT_NE(verif::texts(run("builtin:bfs?scale=8,seed=4")[0].records), verif::texts(launches[0].records));
}

TEST(BuiltinKernels, SpmvReadsEveryElementOnce) {
  const auto launches = run("builtin:spmv?side=4");
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
  const auto launches = run("builtin:nw?n=48");
  ASSERT_EQ(launches.size(), 5u);
  EXPECT_EQ(launches[2].kernel.ctas(), 3u);
  EXPECT_EQ(launches[3].kernel.name, "needle_cuda_shared_2");
  std::set<std::uint64_t> scores, references;
  std::size_t barriers = 0;
  for (const LaunchRun& one : launches)
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
  EXPECT_EQ(error("builtin:atx"),
            "builtin:atx: no such built-in kernel; there are atax, gemm, syrk, 2dconv, kmeans, "
            "bfs, spmv, triad, histogram, stencil, nw");
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
  EXPECT_EQ(error("builtin:nw?n=17"), "builtin:nw?n=17: n must be a multiple of 16");
  EXPECT_EQ(error("builtin:2dconv?ni=65536,nj=65536"),
            "builtin:2dconv?ni=65536,nj=65536: the sizes need more than 3840 MiB of device memory");
}

}  // namespace
