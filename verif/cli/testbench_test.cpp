// Benches of `gen --bench` under iverilog: they pass on sound caches of every kind and topology, end in
// FAILED on broken ones, and belong to the folder that they were generated into.
#include <gmock/gmock.h>

#include <span>

#include "verif/cli/bench_run.h"
#include "verif/run_l1forge.h"

namespace {

using testing::HasSubstr;
using verif::high, verif::low, verif::other, verif::stuck, verif::run_bench;
namespace fs = std::filesystem;

using Settings = std::vector<std::string>;

const Settings small{"geometry.capacity_bytes=1024",
                     "geometry.line_bytes=32",
                     "geometry.chunk_bytes=8",
                     "geometry.ways=2",
                     "mshr.entries=4",
                     "mshr.merges=3",
                     "mshr.miss_queue=3"};

Settings with(Settings settings) {
  settings.insert(settings.begin(), small.begin(), small.end());
  return settings;
}

Settings in_banks(Settings settings = {}) {
  settings.insert(settings.begin(),
                  {"geometry.capacity_bytes=4096", "geometry.line_bytes=32", "geometry.chunk_bytes=8",
                   "geometry.ways=2", "mshr.entries=4", "mshr.merges=3", "mshr.miss_queue=4"});
  return settings;
}

void expect_failures(const gen::Config& config, std::span<const verif::Fault> faults, int requests) {
  const gen::Unit unit = gen::elaborate(config);
  for (const verif::Fault& fault : faults)
    EXPECT_THAT(run_bench(config, verif::texts_of(unit.top, &fault), requests), HasSubstr("FAILED: "))
        << fault.what;
}

TEST(Testbench, PassesOnEveryKindOfCache) {
  for (const char* preset :
       {"l1d", "l1d_sectored", "l1d_tsc", "l1d_reuse_filter", "l1d_dsc", "l1d_mrpb", "l1d_adi"})
    EXPECT_THAT(run_bench(preset, small), HasSubstr("PASSED: 300 requests, ")) << preset;
  EXPECT_THAT(run_bench("l1d_bucl", with({"index.kind=cvi"})), HasSubstr("PASSED"));
  EXPECT_THAT(
      run_bench("l1d_tsc", with({"mode.kind=dueling", "mode.follow=true", "core.request_slice=true"})),
      HasSubstr("PASSED"));
  EXPECT_THAT(run_bench("l1d", with({"core.id_bits=1", "geometry.address_bits=20", "counters.enable=true"})),
              HasSubstr("PASSED"));
}

// Fewer lines than the bench has beside each other. All shapes: testbench_full_test.
TEST(Testbench, PassesOnCachesOfAFewLines) {
  EXPECT_THAT(run_bench("l1d", {"geometry.capacity_bytes=1024"}, 150), HasSubstr("PASSED"));
  EXPECT_THAT(run_bench("l1d_tsc", {"geometry.capacity_bytes=2048", "geometry.line_bytes=256"}, 100),
              HasSubstr("PASSED"));
}

TEST(Testbench, PassesOnAxi4) {
  EXPECT_THAT(run_bench("l1d_sectored", with({"memory.protocol=axi4"})), HasSubstr("PASSED"));
  EXPECT_THAT(run_bench("l1d", {"geometry.line_bytes=256", "memory.protocol=axi4"}, 60), HasSubstr("PASSED"));
}

TEST(Testbench, PassesOnTopologies) {
  const Settings shape = with({"topology.cores=4", "topology.nodes=2", "topology.slices=2"});
  for (const char* kind : {"baseline", "private_nodes", "shared_nodes"}) {
    Settings settings = shape;
    settings.push_back(std::string("topology.kind=") + kind);
    EXPECT_THAT(run_bench("dc_l1", settings, 60), HasSubstr("PASSED: 240 requests, ")) << kind;
  }
  EXPECT_THAT(run_bench("dc_l1",
                        with({"topology.kind=clustered", "topology.cores=4", "topology.nodes=4",
                              "topology.slices=2", "topology.clusters=2", "topology.boost=true"}),
                        60),
              HasSubstr("PASSED"));
}

TEST(Testbench, PassesOnBanks) {
  EXPECT_THAT(run_bench("l1d_banks", in_banks(), 60), HasSubstr("PASSED: 240 requests, "));
  const Settings two = in_banks({"core.banks=2", "tags.kind=sectored", "index.kind=pli"});
  EXPECT_THAT(run_bench("l1d_banks", two, 60), HasSubstr("PASSED: 120 requests, "));
}

TEST(Testbench, FailsOnBrokenBanks) {
  const verif::Fault faults[] = {
      {"all requests are of port 0", "_bank", "cache.core_request_id", "port", low()},
      {"the bank's bits are missing in memory", "", "memory_request_address", "fetch_bank", low()},
      {"an answer for a port is lost", "", "to_port", "answer2_port[1]", low()},
      {"an answer is taken unseen", "", "answer_ready", "ports_take[to]", high()},
      {"memory takes all requests", "", "fetch_ready", "fetch_grant", high()},
  };
  expect_failures(gen::load_config("l1d_banks", in_banks()), faults, 500);
}

TEST(Testbench, FailsOnBrokenCaches) {
  const verif::Fault faults[] = {
      {"answer of another id", "", "answer_id_q", "replay_id", other("probe_id")},
      {"answer overwritten", "", "answer_free", "~answer_valid_q", high()},
      {"store does not poison", "", "poison", "", low()},
      {"fill into a poisoned entry lands", "_mshr_entries", "shut", "poisoned_q", low()},
      {"merge with a poisoned entry", "", "can_merge", "~entry_poisoned", high()},
      {"answered one waits", "_mshr_counts", "head_now", "answered", low()},
      {"queue wraps early", "_miss_queue", "write_row_q", "LAST_ROW", stuck(1)},
      {"line of another way", "_data_store", "shown_way_q", "2'd2", stuck(1)},
  };
  expect_failures(gen::load_config("l1d_sectored", small), faults, 2000);
}

TEST(Testbench, BelongsToItsFolder) {
  const gen::TempDir work("gen");
  const auto ok = [&](const std::vector<std::string>& arguments) {
    const gen::Finished done = verif::l1forge(arguments, work.path());
    EXPECT_EQ(done.status, 0) << done.output;
  };
  ok({"gen", "l1d", "--bench", "--bender", "-o", "out"});
  const std::string manifest = gen::read_file(work / "out/l1d.json"),
                    bench = gen::read_file(work / "out/l1d_bench.vt");
  EXPECT_THAT(gen::read_file(work / "out/Bender.yml"), HasSubstr("package:\n  name: l1d\n\nsources:\n  - "));
  EXPECT_THAT(gen::read_file(work / "out/l1d.f"), testing::Not(HasSubstr("bench")));
  ok({"gen", "out/l1d.json", "-o", "again"});
  EXPECT_EQ(gen::read_file(work / "again/l1d.json"), manifest);
  EXPECT_EQ(gen::read_file(work / "again/l1d_bench.vt"), bench);
  ok({"gen", "l1d", "-o", "out"});
  EXPECT_FALSE(fs::exists(work / "out/l1d_bench.vt"));
  EXPECT_FALSE(fs::exists(work / "out/Bender.yml"));
  const gen::Finished refused = verif::l1forge({"gen", "index_pli", "--bench", "-o", "index"}, work.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output,
            "l1forge: --bench: index_pli is no cache: benches are of caches and their topologies\n");
  EXPECT_FALSE(fs::exists(work / "index"));
}

}  // namespace
