// An index whose stages keep the next request out: the cycles between hits, lock step on each kind of tags,
// what is refused, injected faults, and Verilog without it that stays as it is.
#include "gen/unit/unit.h"
#include "verif/l1d/golden_bench.h"
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/rtl/thrown.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::Flags, verif::high, verif::low, verif::with;

const Flags small{"geometry.capacity_bytes=2048",
                  "geometry.line_bytes=64",
                  "mshr.entries=4",
                  "mshr.merges=3",
                  "mshr.miss_queue=3",
                  "core.id_bits=5"};

}  // namespace

// L stages: a hit takes L cycles more, and the next one is accepted L + 1 cycles later. In a pipeline it is
// accepted in the next cycle.
TEST(IndexBlocking, GoldenTakesARequestEveryLPlusOneCycles) {
  for (const int latency : {1, 2, 4})
    for (const bool blocking : {false, true}) {
      hw::L1dParams p;
      p.index_blocking = blocking;
      p.index.latency = latency;
      verif::CaseBench bench(p);
      for (std::uint64_t way = 0; way < 4; ++way) bench.bring(way * 4096, way);
      const std::size_t before = bench.accepted.size();
      for (std::uint32_t i = 0; i < 20; ++i) bench.load(i, i % 4 * 4096);
      bench.tick(150);
      ASSERT_EQ(bench.answers.size(), 20u);
      EXPECT_EQ(bench.answers[0].cycle, bench.accepted[before] + 2 + latency);
      EXPECT_EQ(bench.answers[19].cycle, bench.answers[0].cycle + 19 * (blocking ? latency + 1 : 1));
    }
}

TEST(IndexBlocking, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 2'000'000 : 100'000;
  const auto same = [&](const std::string& preset, const Flags& settings) {
    verif::expect_same(preset, with(settings, {"index.blocking=true"}), cycles, verif::fresh_seed(17));
  };
  same("l1d", with(small, {"index.latency=2"}));
  same("l1d_dsc", with(small, {"index.latency=1", "core.request_slice=true"}));
  if (!verif::full_tier()) return;
  same("l1d_tsc_plus", {"geometry.capacity_bytes=4096", "mshr.entries=4", "index.latency=4"});
  same("l1d_adi", with(small, {"adaptive.period=64", "adaptive.idle=128", "index.latency=3"}));
  same("l1d", with(small, {"core.peeks=true", "index.latency=2"}));
  same("l1d_gpu", {"index.latency=2"});
}

TEST(IndexBlocking, NeedsStages) {
  EXPECT_EQ(verif::thrown([] { gen::elaborate(gen::load_config("l1d", {"index.blocking=true"})); }),
            "-s index.blocking=true: index.blocking = true: needs stages that hold a request, and "
            "index.latency = 0 has none; use index.latency = 1 or more");
}

TEST(IndexBlocking, InjectedFaultsAreFound) {
  const std::vector<verif::Fault> faults{
      {"takes_requests_at_any_time", "", "index_free", "", high()},
      {"takes_none", "", "index_free", "", low()},
      {"enters_unasked", "", "admitted", "index_free", high()},
      {"ready_of_no_free_stage", "", "core_request_ready", "index_free", high()}};
  verif::expect_all_found("l1d", with(small, {"index.latency=2", "index.blocking=true"}), faults);
}
