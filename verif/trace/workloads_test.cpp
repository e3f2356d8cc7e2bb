// What every built-in kernel keeps to: its declaration, its closed forms, the rules of a trace, the docs'
// table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gen/workload_list.h"
#include "golden/trace/kernels/builtin_kernels.h"
#include "golden/trace/open/open_trace.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

// Every workload at least once: sizes that fill neither its last warps nor its loops, and others that do.
const std::vector<std::string> small_sizes = {
    "2dconv?ni=40,nj=50",
    "2mm?ni=33,nj=40,nk=6,nl=7",
    "2mm?ni=9,nj=8,nk=4,nl=40",
    "3dconv?ni=4,nj=11,nk=40",
    "3mm?ni=33,nj=40,nk=6,nl=7,nm=9",
    "atax?nx=70,ny=9",
    "backprop?inputs=48",
    "barnes_hut?bodies=500,ctas=1",
    "bfs?scale=9",
    "bicg?nx=70,ny=9",
    "bicg?nx=64,ny=64,kernel=2",
    "blackscholes?options=9999,ctas=8,launches=2",
    "blackscholes?options=1999,ctas=20",
    "btree?keys=70000,queries=9",
    "btree?keys=300,queries=9,seed=4",
    "btree_range?keys=40000,queries=6,range=900",
    "cfd?side=7,iterations=2",
    "convolution_layer?outputs=2,size=7,features=3",
    "convolution_layer?outputs=1,size=13,kernel=5,pad=2,features=2",
    "convolution_separable?width=384,height=192",
    "convolution_separable?width=128,height=64",
    "corr?m=70,n=9",
    "corr?m=33,n=3",
    "covar?m=70,n=9",
    "covar?m=40,n=8,kernel=3",
    "dwt2d?width=200,height=72,levels=2",
    "dwt2d?width=990,height=130,levels=1",
    "fdtd2d?nx=19,ny=45,steps=2",
    "fully_connected_layer?outputs=3,inputs=41",
    "fully_connected_layer?outputs=9,inputs=3",
    "fwt?log2=14",
    "fwt?log2=11",
    "gaussian?n=23",
    "gemm?ni=33,nj=40,nk=6",
    "gemm?ni=33,nj=40,nk=3",
    "gesummv?n=41",
    "gesummv?n=64",
    "gramschm?ni=33,nj=40,columns=9",
    "histo?width=60,height=50,ranges=2,first=3",
    "histo?width=50,height=2,ranges=1,first=0",
    "histogram?bytes=9999",
    "hotspot?n=50,pyramid=2,steps=3",
    "im2col?channels=3,size=9,kernel=5,stride=2,pad=2",
    "inverted_index?blocks=40,bytes=256",
    "kmeans?points=300,features=6",
    "kmeans?points=300,features=3",
    "kmeans_cluster?points=300,features=6,clusters=3",
    "kmeans_cluster?points=70,features=3,iterations=2",
    "kmeans_global?points=300,features=6,clusters=3",
    "kmeans_global?points=70,features=3,iterations=2",
    "lavamd?boxes=1",
    "lavamd?boxes=3,registers=1",
    "lud?n=16",
    "lud?n=80",
    "monte_carlo?options=3,paths=900",
    "monte_carlo?options=2,paths=70,launches=2",
    "mri_gridding?samples=700,side=16",
    "mri_q?samples=2049,points=512",
    "mri_q?samples=700,points=256",
    "mummergpu?reference=500,queries=40,length=30",
    "mvt?n=70",
    "mvt?n=64,kernel=1",
    "myocyte?steps=1",
    "nn?records=900",
    "nw?n=64",
    "particlefilter?particles=300,frames=2",
    "pathfinder?columns=500,rows=30",
    "reduction?elements=5120,ctas=4",
    "reduction?elements=512,ctas=2,passes=2",
    "scan?elements=12288,array=4096",
    "scan?elements=524288,array=262144",
    "sgemm?m=256,n=48,k=24",
    "spmv?side=5",
    "spmv_ellpackr?side=5",
    "spmv_jds?side=5",
    "spmv_vector?side=5",
    "srad_v1?rows=37,columns=29",
    "srad_v2?rows=48,columns=32",
    "srad_v2?rows=16,columns=16,kernel=1",
    "sssp?scale=9",
    "stencil?nx=70,ny=5,nz=4,iterations=2",
    "streamcluster?points=600,dimensions=9",
    "syr2k?ni=35,nj=7",
    "syrk?ni=35,nj=7",
    "triad?elements=2100,passes=2",
};

std::string kernel_of(const std::string& name) { return name.substr(0, name.find('?')); }
std::string sizes_of(const std::string& name) { return name.substr(name.find('?') + 1); }

const golden::Workload* workload(const std::string& name) {
  for (const golden::Workload* const one : golden::workloads())
    if (one->name == name) return one;
  return nullptr;
}

TEST(Workloads, AreDeclaredWhole) {
  std::set<std::string> tried, names;
  for (const std::string& name : small_sizes) tried.insert(kernel_of(name));
  for (const golden::Workload* const one : golden::workloads()) {
    EXPECT_TRUE(names.emplace(one->name).second) << one->name;
    EXPECT_FALSE(one->what.empty() || one->source.empty() || one->suite.empty() || one->sizes.empty() ||
                 one->checked.empty())
        << one->name;
    for (const golden::Size& size : one->sizes) {
      EXPECT_TRUE(size.least <= size.value && size.value <= size.most) << one->name << " " << size.name;
      EXPECT_EQ(size.value % size.multiple, 0u) << one->name << " " << size.name;
    }
  }
  EXPECT_EQ(tried, names);
}

TEST(Workloads, ComeToTheirClosedForms) {
  for (const std::string& name : small_sizes) {
    const golden::Workload& one = *workload(kernel_of(name));
    if (!one.counts) continue;
    const std::string whole = "builtin:" + name;
    golden::WorkloadCounts expected = one.counts(golden::Sizes(whole, one.sizes, sizes_of(name)));
    const golden::WorkloadCounts got = golden::count_by_run(whole);
    if (expected.lines == 0) expected.lines = got.lines;
    EXPECT_EQ(got.accesses, expected.accesses) << name;
    EXPECT_EQ(got.instructions, expected.instructions) << name;
    EXPECT_EQ(got.lines, expected.lines) << name;
  }
}

// What an interpreter of their PTX counted (dynamic_untruncated.warp_insts beside the recordings).
TEST(Workloads, ExecuteAsManyInstructionsAsWereCounted) {
  const auto instructions = [](const std::string& name) {
    return golden::workload_figures(*workload(kernel_of(name)), sizes_of(name)).counts.instructions;
  };
  EXPECT_EQ(instructions("atax?nx=4096,ny=4096,kernel=1"), 2'888'192u);
  EXPECT_EQ(instructions("atax?nx=4096,ny=4096,kernel=1,block_x=32,block_y=8"), 23'105'536u);
  EXPECT_EQ(instructions("bicg?nx=4096,ny=4096,kernel=1"), 2'888'064u);
  EXPECT_EQ(instructions("mvt?n=4096,kernel=1"), 2'887'808u);
  EXPECT_EQ(instructions("gesummv?n=4096"), 6'166'144u);
  EXPECT_EQ(instructions("gemm?ni=512,nj=512,nk=512"), 29'761'536u);
  EXPECT_EQ(instructions("2dconv?ni=4096,nj=4096"), 27'255'552u);
  EXPECT_EQ(instructions("stencil?nx=128,ny=128,nz=32"), 831'600u);
  EXPECT_EQ(instructions("kmeans?points=60000"), 368'220u);
  EXPECT_EQ(instructions("kmeans_cluster?points=60000"), 2'410'614u);
  EXPECT_EQ(instructions("3dconv?ni=256,nj=256,nk=256"),
            254u * (1'158'016 / 8));  // eight launches were counted
  EXPECT_EQ(instructions("backprop?inputs=65536"), 3'112'960u + 1'867'799u);
  EXPECT_EQ(instructions("pathfinder?rows=41"), 5'318'944u);
  EXPECT_EQ(instructions("hotspot?n=1024,steps=2"), 12'114'476u);
  EXPECT_EQ(instructions("srad_v1?iterations=1"), 840'960u + 531'975u);
  EXPECT_EQ(instructions("srad_v2?rows=512,columns=2048,kernel=2"), 3'665'664u);
  EXPECT_EQ(instructions("streamcluster?launches=2"), 1'000'448u);
  EXPECT_EQ(instructions("btree?queries=6000"), 4'024'985u);
}

TEST(Workloads, KeepTheRulesOfASource) {
  for (const std::string& name : small_sizes) {
    std::set<std::uint32_t> ctas;
    const auto source = golden::open_trace("builtin:" + name);
    std::size_t accesses = 0;
    for (golden::KernelInfo kernel; source->next_kernel(kernel); ctas.clear()) {
      std::uint32_t cta = 0;
      for (golden::Record record; source->next(record);) {
        const bool enters = record.cta != cta || ctas.empty();
        cta = record.cta;
        EXPECT_TRUE(!enters || ctas.insert(cta).second) << name;
        EXPECT_LT(record.cta, kernel.ctas()) << name;
        EXPECT_LT(record.warp, kernel.warps_per_cta()) << name;
        EXPECT_TRUE(record.is_barrier() || record.mask != 0) << name;
        for (const std::uint64_t address : record.addresses()) {
          EXPECT_GE(address, 0x10000000u - 256) << name;  // srad_v2 reads in front of its image
          EXPECT_LT(address, 0x11000000u) << name;
          EXPECT_EQ(address % record.bytes_per_lane, 0u) << name;
        }
        ++accesses;
      }
    }
    EXPECT_GT(accesses, 50u) << name;
  }
}

// After a new workload or size: write what is expected here into docs/workloads.md.
TEST(Workloads, StandInTheDocsAsTheyAreDeclared) {
  const std::string page = gen::read_file(verif::in_source("docs/workloads.md"));
  const std::string head = "| --- | --- | --- | --- | --- | --- | --- |\n",
                    expected = gen::workloads_markdown();
  EXPECT_TRUE(page.find(head + expected + "\n") != std::string::npos) << "docs/workloads.md should have\n"
                                                                      << expected;
}

TEST(Workloads, ListAsJson) {
  const auto all = gen::workloads_json();
  ASSERT_EQ(all.size(), golden::workloads().size());
  const auto atax = std::ranges::find(all, "atax", [](const auto& one) { return one["name"]; });
  ASSERT_NE(atax, all.end());
  EXPECT_EQ((*atax)["footprint_bytes"], 4 * (1024 * 4096 + 4096 + 4096 + 1024));
  EXPECT_EQ((*atax)["sizes"][0], (nlohmann::ordered_json{{"name", "nx"},
                                                         {"default", 1024},
                                                         {"least", 1},
                                                         {"most", 1 << 20},
                                                         {"multiple", 1},
                                                         {"meaning", "rows"}}));
  EXPECT_EQ((*atax)["used_by"][0]["source"], "ACI thesis");
}

}  // namespace
