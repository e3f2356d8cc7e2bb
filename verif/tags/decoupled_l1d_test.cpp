// L1 data caches with decoupled sectored tags in lock step with golden, every event reached: the preset's
// shape with each choice of its keys, and the worked example on Verilog. The preset itself is in l1d_test.
#include "gen/files.h"
#include "verif/l1d/lock_step.h"
#include "verif/parameters/decoupled_parameters.h"

namespace {

using Settings = std::vector<std::string>;

void expect_same(const Settings& settings) {
  const gen::Config config = gen::load_config("l1d_dsc", settings);
  const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 300'000});
  EXPECT_EQ(run.status, 0) << config.top << "\n" << run.report.dump(1);
  EXPECT_THAT(run.report.dump(), testing::Not(testing::HasSubstr("ports alone")));
  EXPECT_GT(run.report["counters"]["hits"], 1000);
  EXPECT_GT(run.report["counters"]["evicted_chunks"], 1000);
}

// A recording of the worked example, one request after the other, with the same bytes in every chunk. Bit 20
// makes up for bit 8, so that all lines fall into one of four sets.
std::string recording() {
  std::string text;
  const std::string data(256, '5'), all_bytes(32, 'f');
  int time = 0, id = 0;
  for (const auto& r : verif::decoupled_requests) {
    const std::uint64_t address = r.address | (r.address >> 8 & 1) << 20;
    text += fmt::format("Q {} {} {} {:x} {:x}", ++time, id, r.store ? 1 : 0, address, r.mask);
    text += r.store ? fmt::format(" {} {}\n", all_bytes, data) : "\n";
    text += fmt::format("A {} {} {:x}{}\n", ++time, id, r.store ? 0u : r.mask, r.store ? "" : " " + data);
    id = 1 - id;
  }
  return text;
}

}  // namespace

TEST(L1dDsc, FourTagsAWayAndVictimsByTag) {
  expect_same({"tags.decoupled.tags_per_way=4", "tags.decoupled.victim=tag", "counters.enable=true",
               "geometry.capacity_bytes=4096"});
}

TEST(L1dDsc, ThreeTagsInThreeWaysUnderMaskStores) {
  expect_same({"tags.decoupled.tags_per_way=3", "geometry.ways=3", "geometry.capacity_bytes=6144",
               "tags.store_scope=mask", "index.kind=pli", "index.latency=1", "probe.ports=true",
               "counters.enable=true"});
}

TEST(L1dDsc, UnderTheAdaptiveIndex) {
  expect_same({"index.kind=adi", "geometry.capacity_bytes=2048", "geometry.ways=2", "geometry.line_bytes=64",
               "geometry.chunk_bytes=16", "adaptive.period=16", "adaptive.counter_bits=4",
               "adaptive.idle=64"});
}

TEST(L1dDsc, WorkedExampleOnVerilog) {
  const gen::TempDir work("dsc");
  const std::string file = (work / "example.txt").string();
  gen::write_file_atomically(file, recording());
  for (const verif::ExampleOutcome& outcome : verif::decoupled_outcomes) {
    const char* victim = outcome.victim == hw::DecoupledVictim::way ? "way" : "tag";
    const auto run = verif::lock_step(
        gen::load_config("l1d_dsc", {"geometry.capacity_bytes=1024", "geometry.ways=2", "index.kind=lin",
                                     "index.taps=[[7], [8, 20]]", "mshr.entries=4",
                                     std::string("tags.decoupled.victim=") + victim, "counters.enable=true"}),
        {.replays = {file}, .coverage = false});
    ASSERT_EQ(run.status, 0) << run.report.dump(1);
    const auto& counters = run.report["replays"][0]["counters"];
    const std::string results = outcome.results;
    EXPECT_EQ(counters["hits"], std::ranges::count(results, 'H'));
    EXPECT_EQ(counters["misses"], std::ranges::count(results, 'M'));
    EXPECT_EQ(counters["partial_misses"], std::ranges::count(results, 'P'));
    EXPECT_EQ(counters["requests_down"], outcome.requests_down);
    EXPECT_EQ(counters["chunks_requested"], outcome.chunks_requested);
    EXPECT_EQ(counters["evicted_lines"], outcome.evicted_lines);
    EXPECT_EQ(counters["evicted_chunks"], outcome.evicted_chunks);
  }
}
