// The adaptive-indexing monitor on the thesis' worked examples, golden and Verilog; its storage; what it
// refuses.
#include "golden/monitors/adi_monitor.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "gen/process.h"
#include "gen/unit/unit.h"
#include "hw/require.h"
#include "verif/monitors/sample.h"
#include "verif/rtl/thrown.h"

namespace {

using hw::AdiMonitorParams;
using Blocks = std::vector<std::uint64_t>;

// Drives the loads, all of them misses, far enough apart for each search, and prints sel.
std::string sel_of_verilog(const AdiMonitorParams& p, const std::string& name, const Blocks& loads) {
  gen::ProgramSource source = verif::adi_program(p, name);
  source.main =
      "#include <cstdio>\n#include \"Vdut.h\"\n\nint main() {\n  Vdut d;\n"
      "  const auto cycle = [&](bool rst, bool load, unsigned long block) {\n"
      "    d.rst = rst, d.probe_valid = d.probe_miss = load, d.probe_block_address = block, d.flush_ready = "
      "1;\n"
      "    d.clk = 0, d.eval(), d.clk = 1, d.eval();\n  };\n  cycle(true, false, 0);\n";
  for (const auto block : loads)
    source.main += fmt::format(
        "  cycle(false, true, {});\n  for (int gap = 0; gap < 100; ++gap) cycle(false, false, 0);\n", block);
  for (int i = 0; i < hw::index_bits(p); ++i)
    source.main += fmt::format("  std::printf(\"%d \", d.sel{});\n", i);
  source.main += "}\n";
  return gen::run({.argv = {gen::build_program(source).string()}}).output;
}

nlohmann::ordered_json storage(const std::vector<std::string>& settings) {
  return gen::elaborate(gen::load_config("adi_monitor", settings)).facts["storage_in_flops"];
}

}  // namespace

// Samples B2 B1 B0 = 001, 011, 001, 010, with T = 2^M; then A10 alone moves.
TEST(AdiMonitor, Figure7) {
  constexpr AdiMonitorParams p{.sets = 8, .period = 4, .counter_bits = 2, .idle = 0};
  const Blocks victimization{0b001, 0b011, 0b001, 0b010}, selection{0, 8, 0, 8};
  golden::AdiCore core(p);
  for (const auto b : victimization) core.load(b, true);
  EXPECT_EQ(core.entropy(0), 1);
  EXPECT_EQ(core.entropy(1), 2);
  EXPECT_EQ(core.entropy(2), 0);
  EXPECT_EQ(core.correlation(0, 1), 3);
  EXPECT_EQ(core.correlation(0, 2), 3);
  EXPECT_EQ(core.correlation(1, 2), 2);
  core.decide();
  EXPECT_EQ(core.victim(), 2);
  core.advance();
  for (const auto b : selection) core.access(b, true);
  EXPECT_THAT(core.sel(), testing::ElementsAre(7, 8, 10));

  Blocks all = victimization;
  all.insert(all.end(), selection.begin(), selection.end());
  EXPECT_EQ(sel_of_verilog(p, "figure7", all), "7 8 10 ");
}

// Index B0 stays; B1 is the victim because it is constant in the misses before.
TEST(AdiMonitor, Figure8) {
  constexpr AdiMonitorParams p{.sets = 4, .period = 5, .counter_bits = 3, .idle = 0};
  const Blocks victimization{1, 1, 1, 0, 0}, selection{0b001, 0b101, 0b010, 0b011, 0b110};  // B2 B1 B0
  golden::AdiCore core(p);
  for (const auto b : victimization) core.access(b, true);
  EXPECT_EQ(core.victim(), 1);
  for (const auto b : selection) core.load(b, false);
  core.decide();
  EXPECT_DOUBLE_EQ(core.mean_relative_period(9), 1);
  EXPECT_DOUBLE_EQ(core.mean_relative_period(8), 7.0 / 4);
  EXPECT_EQ(core.winner(), 9);
  EXPECT_EQ(core.exact_winner(), 9);

  Blocks all = victimization;
  all.insert(all.end(), selection.begin(), selection.end());
  EXPECT_EQ(sel_of_verilog(p, "figure8", all), "7 9 ");
}

// The timing of adi_monitor_params.h, cycle by cycle, on the model.
TEST(AdiMonitor, Timing) {
  constexpr AdiMonitorParams p{.sets = 8, .period = 4, .counter_bits = 2, .idle = 2};
  golden::AdiMonitor monitor(p);
  using In = golden::AdiMonitor::In;
  const auto load = [&](std::uint64_t b) {
    monitor.clock(In{.probe_valid = true, .probe_block_address = b, .probe_miss = true});
  };
  const auto phase = [&] { return monitor.core().phase(); };
  for (const auto b : {1, 3, 1, 2}) load(b);
  for (int cycle = 1; cycle <= 36; ++cycle) {  // S(S+1)/2 + N-B + 5
    EXPECT_EQ(phase(), golden::AdiPhase::victimization);
    load(0xff);  // not sampled
  }
  EXPECT_EQ(phase(), golden::AdiPhase::selection);
  for (const auto b : {0, 8, 0, 8}) load(b);
  for (int cycle = 1; cycle <= 28; ++cycle) {  // N-B+3
    EXPECT_FALSE(monitor.flush_valid());
    load(0xff);
  }
  for (int wait = 0; wait < 3; ++wait) {
    EXPECT_TRUE(monitor.flush_valid());
    EXPECT_EQ(monitor.sel()[2], 9);
    load(0xff);
  }
  EXPECT_TRUE(monitor.flush_valid());
  monitor.clock(In{.probe_valid = true, .flush_ready = true});
  EXPECT_FALSE(monitor.flush_valid());
  EXPECT_EQ(monitor.sel()[2], 10);
  EXPECT_EQ(phase(), golden::AdiPhase::idle);
  load(0);
  EXPECT_EQ(phase(), golden::AdiPhase::idle);
  load(0);
  EXPECT_EQ(phase(), golden::AdiPhase::victimization);
}

TEST(AdiMonitor, StorageIsThatOfTheThesis) {
  const auto adi = storage({});
  EXPECT_EQ(adi["victimization_bits"], 150);
  EXPECT_EQ(adi["selection_bits"], 546);
  EXPECT_EQ(adi["sel_bits"], 25);
  EXPECT_EQ(adi["valid_bits"], 16);
  const auto iacm = storage({"adaptive.period=250", "adaptive.counter_bits=8"});
  EXPECT_EQ(iacm["victimization_bits"], 120);
  EXPECT_EQ(iacm["selection_bits"], 504);
  EXPECT_EQ(iacm["sel_bits"], 25);
  EXPECT_EQ(16 * iacm["published_bits"].get<int>(), 10'384);  // of 16 cores, Table 3
}

TEST(AdiMonitor, NameOfTheTop) {
  EXPECT_EQ(
      gen::load_config("adi_monitor", {"index.sets=64", "adaptive.period=250", "adaptive.counter_bits=8",
                                       "adaptive.idle=0", "geometry.address_bits=40"})
          .top,
      "adi_monitor_n40_s64_t250_m8_i0");
}

TEST(AdiMonitor, ParametersThatAreRefused) {
  const auto refusal = [](AdiMonitorParams p) { return verif::thrown([&] { hw::check(p); }); };
  EXPECT_THAT(refusal({.period = 1025}),
              testing::EndsWith(
                  "adaptive.period = 1025: must be from 2 to 1024, which 10 counter bits can count; use "
                  "a shorter period or more adaptive.counter_bits"));
  EXPECT_THAT(refusal({.sets = 2048}),
              testing::EndsWith("index.sets = 2048: must be a power of two from 2 to 1024; use "
                                "32, the sets of the reference cache"));
  EXPECT_THAT(
      refusal({.idle = -1}),
      testing::EndsWith("adaptive.idle = -1: must be from 0 to 1048576; use 4096, four times the period"));
  EXPECT_EQ(refusal({.period = 1024, .counter_bits = 10, .idle = 0}), "nothing thrown");
  const auto place = [](const std::string& toml) {
    return verif::thrown([&] { gen::elaborate(gen::parse_config(toml, "my.toml")); });
  };
  EXPECT_EQ(
      place("preset = \"adi_monitor\"\n[adaptive]\nperiod = 2000\n"),
      "my.toml:3:10: adaptive.period = 2000: must be from 2 to 1024, which 10 counter bits can count; use a "
      "shorter period or more adaptive.counter_bits");
  EXPECT_EQ(place("preset = \"adi_monitor\"\nadaptive.counter_bits = 17\n"),
            "my.toml:2:25: adaptive.counter_bits = 17: must be from 2 to 16");
}
