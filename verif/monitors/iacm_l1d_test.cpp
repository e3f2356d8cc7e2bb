// The cache with a controller of its own in lock step with golden: kernels that start in each state of the
// controller and of the adaptive index; storage, refusals, and faults injected between the parts.
#include <gmock/gmock.h>

#include "gen/unit/unit.h"
#include "golden/cache/functional_l1d.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"

namespace {

using Settings = std::vector<std::string>;

// Rounds and periods so short that every meeting comes many times.
Settings small(const std::string& order, const Settings& more = {}) {
  Settings all{"geometry.capacity_bytes=1024",
               "geometry.line_bytes=32",
               "geometry.chunk_bytes=8",
               "geometry.ways=4",
               "mshr.entries=4",
               "mshr.merges=3",
               "mshr.miss_queue=3",
               "core.id_bits=5",
               "counters.enable=true",
               "adaptive.period=16",
               "adaptive.counter_bits=4",
               "limit.warps=6",
               "iacm.period=9",
               "iacm.adi_idle=11",
               "iacm.order=" + order};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string refusal(const std::string& preset, const Settings& settings) {
  try {
    gen::elaborate(gen::load_config(preset, settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(IacmL1d, EveryMeetingOfItsParts) {
  for (const Settings& settings :
       {small("parallel", {"tags.kind=sectored", "tags.replacement=nru", "limit.linear_from=best"}),
        small("awl", {"index.kind=pli", "bypass.kind=mrpb"})}) {
    const gen::Config config = gen::load_config("l1d_iacm", settings);
    SCOPED_TRACE(config.top);
    const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 500'000});
    EXPECT_EQ(run.status, 0) << run.report.dump(1);
    EXPECT_GT(run.report["coverage"]["counts"].value("limit moves", 0), 100);
  }
}

// As in the thesis' Table 3, account by account; what it does not count stands beside them.
TEST(IacmL1d, StoresWhatTheSpecificationCounts) {
  const auto unit = [](const std::string& preset, const Settings& settings = {}) {
    return gen::elaborate(gen::load_config(preset, settings));
  };
  const gen::Unit iacm = unit("l1d_iacm"), of_core = unit("l1d_iacm", {"limit.scope=core", "limit.warps=48"});
  const auto counted = [](const gen::Unit& of, const Settings& names) {
    std::int64_t bits = 0;
    for (const auto& account : of.accounts)
      if (account.published && std::ranges::count(names, account.name)) bits += account.bits();
    return bits;
  };
  const Settings adi{"victimization", "selection", "selected bits"}, awl{"adaptive warp limiting"},
      idle{"IPC without a search"}, bypass{"protection distance"};
  EXPECT_EQ(counted(iacm, adi), 649);
  EXPECT_EQ(counted(iacm, awl), 74);
  EXPECT_EQ(counted(of_core, awl), 78);
  EXPECT_EQ(counted(iacm, idle), 38);
  EXPECT_EQ(counted(iacm, bypass), 384);
  EXPECT_THAT((std::vector{16 * counted(iacm, adi), 16 * counted(iacm, awl), 16 * counted(iacm, idle),
                           16 * counted(iacm, bypass)}),
              testing::ElementsAre(10'384, 1'184, 608, 6'144));
  const std::int64_t plain = gen::published_bits(unit("l1d").accounts);
  EXPECT_EQ(gen::published_bits(iacm.accounts) - plain, 1'145);
  EXPECT_EQ(gen::published_bits(of_core.accounts) - plain, 1'149);
  for (const char* beside : {"phase", "result", "period without a search", "bounds of a change, kept ahead"})
    EXPECT_TRUE(std::ranges::any_of(iacm.accounts, [&](const auto& account) {
      return account.name == beside && !account.published;
    })) << beside;
}

TEST(IacmL1d, NamesOfTheTop) {
  const auto name = [](const std::string& preset, const Settings& settings) {
    return gen::load_config(preset, settings).top;
  };
  EXPECT_EQ(name("l1d_iacm", {"adaptive.idle=7", "limit.scope=core"}), "l1d_iacm");
  EXPECT_EQ(name("l1d_iacm", {"iacm.order=awl_adi", "limit.warps=48"}), "l1d_iacm_warps48_order_awl_adi");
  EXPECT_EQ(name("l1d", {"limit.kind=static", "limit.warps=48", "iacm.period=9"}), "l1d");
}

TEST(IacmL1d, Refusals) {
  EXPECT_EQ(refusal("l1d", {"limit.kind=adaptive"}),
            "-s limit.kind=adaptive: limit.kind = adaptive: needs a controller, which searches the number of "
            "warps; set iacm.order, to adi_awl or awl, or use limit.kind = \"none\"");
  EXPECT_EQ(
      refusal("l1d", {"iacm.order=adi_awl", "limit.kind=adaptive"}),
      "-s iacm.order=adi_awl: iacm.order = adi_awl: runs the adaptive index; use index.kind = \"adi\", or "
      "iacm.order = \"awl\"");
  EXPECT_EQ(refusal("l1d_adi", {"iacm.order=parallel"}),
            "-s iacm.order=parallel: iacm.order = parallel: runs adaptive warp limiting; use limit.kind = "
            "\"adaptive\", or iacm.order = \"adi\"");
  EXPECT_EQ(refusal("l1d_iacm", {"limit.warps=65"}),
            "-s limit.warps=65: limit.warps = 65: must be from 1 to 64");
  EXPECT_EQ(refusal("l1d_adi", {"iacm.order=adi"}), "");
  EXPECT_EQ(refusal("l1d_iacm", {"iacm.order=awl"}), "") << "the index stays as it is";
}

// Without time nothing is issued: the first round of the adaptive index is the only one, until a kernel
// starts.
TEST(IacmL1d, UntimedARoundAKernel) {
  const auto rounds = [](const Settings& settings, bool kernel) {
    const auto cache =
        golden::FunctionalL1d::make(gen::load_config("l1d_iacm", settings).get<hw::L1dParams>());
    const auto loads = [&](std::uint64_t step) {
      for (std::uint64_t n = 0; n < 4000; ++n) {
        const golden::Request request{.mask = 1, .address = n % 200 * step};
        cache->access({&request, 1}, nullptr);
      }
    };
    loads(4096);
    golden::MonitorInputs starts;
    starts["kernel_start"] = 1;
    if (kernel) cache->notify(starts);
    loads(65536);
    return cache->adi_events().selections;
  };
  EXPECT_EQ(rounds({}, false), 1);
  EXPECT_EQ(rounds({}, true), 2);
  EXPECT_EQ(rounds({"iacm.order=awl_adi"}, true), 0);
}

const verif::Fault faults[] = {
    {"rounds_never_start", "", "monitor.adi_start", "", verif::low()},
    {"rounds_never_end", "", "controller.round_done", "", verif::low()},
    {"kernels_are_not_reported", "", "controller.kernel_start", "", verif::low()},
    {"instructions_are_not_reported", "", "controller.issued", "", verif::low()},
    {"totals_are_not_reported", "", "controller.total", "", verif::stuck(6)},
    {"the_monitor_begins_by_itself", "_monitor", "phase_q", "PHASE_IDLE", verif::stuck(0)},
    {"a_start_keeps_the_samples", "_monitor", "victimization.clear", "begins", verif::low()},
    {"a_start_keeps_the_count", "_monitor", "count_q", "phase_ends | begins", verif::other("phase_ends")},
    {"a_start_arranges_on", "_monitor", "arranging_q", "~begins", verif::high()},
    {"the_load_of_the_start_is_sampled", "_monitor", "sampled_miss", "~begins", verif::high()},
    {"a_cancelled_search_flushes", "_monitor", "decided", "~begins", verif::high()},
    {"a_search_ends_outside_its_phase", "_monitor", "decided", "searching_winner", verif::high()},
    {"a_flush_is_no_end", "_monitor", "round_done", "flush_q", verif::low()}};

TEST(IacmL1d, EveryBrokenCopyIsFound) {
  verif::expect_all_found("l1d_iacm", small("adi_awl"), faults, {.cycles = 600'000});
}

}  // namespace
