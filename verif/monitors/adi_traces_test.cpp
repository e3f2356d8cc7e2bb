// Adaptive indexing over the bundled traces: where sel goes, and how often counting changes finds the winner
// of the exact mean relative period.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "cosim/l1d/lru_cache.h"
#include "cosim/units/adi_stimulus.h"
#include "gen/paths.h"
#include "golden/index/index_pli.h"
#include "golden/monitors/adi_monitor.h"

namespace {

struct Timeline {
  std::vector<std::vector<int>> history;  // of sel, ascending, after each change
  std::int64_t loads = 0, misses = 0;
  std::int64_t low_misses = 0, pli_misses = 0;  // of the same cache with a static index
  int selections = 0, agreed = 0;
};

// The monitor beside a cache of 4 ways that it indexes. `window`: see TraceLoads, 1 is the file's order.
template <hw::AdiMonitorParams P>
Timeline over(const std::string& trace, std::size_t window) {
  Timeline run;
  golden::AdiCore core(P);
  constexpr int block_bits = P.address_bits - std::countr_zero(static_cast<unsigned>(P.line_bytes));
  constexpr hw::IndexParams pli{.kind = hw::IndexKind::pli, .sets = P.sets};
  verif::LruCache cache(P.sets, 4), by_low_bits(P.sets, 4), by_pli(P.sets, 4);
  verif::TraceLoads loads({(gen::paths::source() / "verif/traces" / trace).string()}, P.line_bytes,
                          ~std::uint64_t{0} >> (64 - block_bits), window);
  const auto note = [&] {
    run.history.emplace_back(core.sel().begin(), core.sel().end());
    std::ranges::sort(run.history.back());
  };
  note();
  for (std::uint64_t block; loads.next(block); ++run.loads) {
    const bool miss = cache.misses(core.set_of(block), block);
    run.misses += miss;
    run.low_misses += by_low_bits.misses(static_cast<unsigned>(block % P.sets), block);
    run.pli_misses += by_pli.misses(golden::IndexPli<pli>::set_of(block).to_uint(), block);
    if (!core.load(block, miss)) continue;
    core.decide();
    if (core.phase() == golden::AdiPhase::selection)
      ++run.selections, run.agreed += core.exact_winner() == core.winner();
    const bool changes = core.changes_sel();
    core.advance();
    if (changes) cache.flush(), note();
  }
  return run;
}

std::string words(const Timeline& run) {
  std::string text;
  for (const auto& sel : run.history) text += fmt::format("  sel {}\n", fmt::join(sel, " "));
  const auto rate = [&](std::int64_t misses) {
    return 100.0 * static_cast<double>(misses) / static_cast<double>(run.loads);
  };
  return fmt::format(
      "{}  {} loads miss in {:.1f} %, by low bits in {:.1f} %, by PLI in {:.1f} %; exact MRP agrees in {} of "
      "{} "
      "selections\n",
      text, run.loads, rate(run.misses), rate(run.low_misses), rate(run.pli_misses), run.agreed,
      run.selections);
}

constexpr const char* atax = "atax256_first_warps.rec.xz";
constexpr hw::AdiMonitorParams defaults{};
constexpr hw::AdiMonitorParams iacm{.period = 250, .counter_bits = 8, .idle = 1000};

}  // namespace

// The 32 lanes of a warp differ in A[18:14] only: by the low bits they share one set.
TEST(AdiTraces, AtaxConvergesOnItsRowBits) {
  const Timeline file_order = over<iacm>(atax, 1), interleaved = over<defaults>(atax, 4096);
  fmt::print("{}, a period of 250, the file's order:\n{}", atax, words(file_order));
  fmt::print("{}, the defaults, warps interleaved:\n{}", atax, words(interleaved));
  for (const Timeline& run : {file_order, interleaved})
    EXPECT_THAT(run.history.back(), testing::ElementsAre(14, 15, 16, 17, 18));
  EXPECT_LT(file_order.misses, file_order.low_misses / 10);
}

TEST(AdiTraces, CountingChangesAgreesWithTheExactPeriod) {
  int selections = 0, agreed = 0;
  for (const char* trace : {atax, "streamcluster_two_launches.rec.xz"})
    for (const Timeline& run : {over<defaults>(trace, 4096), over<iacm>(trace, 4096), over<iacm>(trace, 1)}) {
      fmt::print("{}\n{}", trace, words(run));
      selections += run.selections, agreed += run.agreed;
    }
  fmt::print("exact MRP and counted changes choose the same bit in {} of {} selections ({:.0f} %)\n", agreed,
             selections, 100.0 * agreed / selections);
  EXPECT_GT(selections, 100);
  EXPECT_GT(agreed, selections / 2);
}
