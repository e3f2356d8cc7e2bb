// Protection distances: the worked example on model and Verilog, the number of protected lines, lock step at
// odd sizes, storage, refusals, injected faults.
#include "golden/policy/protection_distance.h"

#include <random>

#include "gen/unit/unit.h"
#include "hw/policy/protection_distance.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::ProtectionDistance;
using verif::high, verif::low, verif::stuck;

// Set 0 of the example by cycle: what comes, and what the unit says of it.
struct Cycle {
  unsigned fill_way, probe, hit_way, reserved, open, bypass;
  const char* left;  // RPD of ways 0 to 3 in this cycle
};

constexpr Cycle example[] = {
    {1, 0, 0, 0x0, 0xf, 0, "0000"}, {2, 0, 0, 0x0, 0xe, 0, "4000"}, {4, 0, 0, 0x0, 0xc, 0, "4400"},
    {8, 0, 0, 0x0, 0x8, 0, "4440"}, {0, 1, 0, 0x0, 0x0, 1, "4444"}, {0, 1, 4, 0x0, 0x0, 0, "3333"},
    {0, 1, 0, 0x0, 0x0, 1, "2242"}, {0, 1, 0, 0x0, 0x0, 1, "1131"}, {0, 1, 0, 0x0, 0xb, 0, "0020"},
    {0, 1, 0, 0x1, 0xa, 0, "0010"}, {0, 1, 0, 0x3, 0xc, 0, "0000"}, {0, 1, 0, 0xb, 0x4, 0, "0000"},
    {0, 1, 0, 0xf, 0x0, 1, "0000"}};

ProtectionDistance::Load load_of(const Cycle& c) {
  return {.probe = c.probe != 0,
          .hit = c.hit_way != 0,
          .way = c.hit_way,
          .reserved = c.reserved,
          .accept = c.probe != 0};
}

std::vector<std::string> sized(int sets, int ways, int distance) {
  return {fmt::format("index.sets={}", sets), fmt::format("geometry.ways={}", ways),
          fmt::format("bypass.protection_distance.distance={}", distance)};
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("protection_distance", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(ProtectionDistance, WorkedExample) {
  ProtectionDistance unit({.sets = 2});
  for (const Cycle& c : example) {
    std::string left;
    for (int w = 0; w < 4; ++w) left += std::to_string(unit.left(0, w));
    EXPECT_EQ(left, c.left);
    EXPECT_EQ(unit.open(0, c.reserved), c.open);
    EXPECT_EQ(unit.bypasses(load_of(c)), c.bypass != 0);
    unit.edge({.load = load_of(c), .fill = {.valid = c.fill_way != 0, .way = c.fill_way}});
  }
}

TEST(ProtectionDistance, WorkedExampleInVerilog) {
  std::string expected, bench =
                            "module bench;\n  reg clk = 0, rst = 1, probe = 0, hit = 0, fill = 0;\n  reg "
                            "[3:0] way = 0, reserved = 0, "
                            "fill_way = 0;\n  wire bypass;\n  wire [3:0] open;\n"
                            "  unit dut(.clk(clk), .rst(rst), .probe(probe), .index(1'b0), .hit(hit), "
                            ".way(way), .reserved(reserved), "
                            ".accept(probe), .fill(fill), .fill_index(1'b0), .fill_way(fill_way), "
                            ".kill(1'b0), .kill_index(1'b0), "
                            ".kill_way(4'd0), .flush(1'b0), .bypass(bypass), .open(open));\n"
                            "  initial begin\n    #1 clk = 1; #1 clk = 0; rst = 0;\n";
  for (const Cycle& c : example) {
    bench += fmt::format(
        "    probe = {}; hit = {:d}; way = {}; reserved = {}; fill = {:d}; fill_way = {};\n"
        "    #1 $display(\"%h %b\", open, bypass);\n    clk = 1; #1 clk = 0;\n",
        c.probe, c.hit_way != 0, c.hit_way, c.reserved, c.fill_way != 0, c.fill_way);
    expected += fmt::format("{:x} {}\n", c.open, c.bypass);
  }
  bench += "    $finish;\n  end\nendmodule\n";
  EXPECT_EQ(verif::simulated(hw::protection_distance({.sets = 2}, "unit"), bench), expected);
}

// When each fill comes before the set's next load; so a distance below the ways never bypasses.
TEST(ProtectionDistance, ProtectsAsManyLinesAsTheDistance) {
  std::mt19937_64 draw(7);
  for (const int distance : {1, 3, 4, 7}) {
    ProtectionDistance unit({.sets = 2, .ways = 8, .distance = distance});
    for (int n = 0; n < 20'000; ++n) {
      const bool hit = draw() % 2;
      const std::uint32_t open = unit.open(0, 0), way = hit ? 1u << draw() % 8 : open & ~(open - 1);
      unit.edge({.load = {.probe = true, .hit = hit, .way = hit ? way : 0, .accept = true}});
      if (!hit) unit.edge({.fill = {.valid = true, .way = way}});
      ASSERT_GE(std::popcount(unit.open(0, 0)), 8 - distance);
    }
  }
}

TEST(ProtectionDistance, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 2'000'000 : 100'000;
  verif::expect_same("protection_distance", sized(2, 7, 1), cycles, verif::fresh_seed(5));
}

TEST(ProtectionDistance, StoresWhatTheSpecificationCounts) {
  const auto bits = [](const std::vector<std::string>& settings) {
    return gen::published_bits(gen::elaborate(gen::load_config("protection_distance", settings)).accounts);
  };
  EXPECT_EQ(bits({}), 384);
  EXPECT_EQ(bits(sized(32, 4, 255)), 1024);
  EXPECT_EQ(gen::elaborate(gen::load_config("protection_distance", {})).facts["published_bits_of_16_cores"],
            6144);
}

TEST(ProtectionDistance, Refusals) {
  EXPECT_EQ(
      refusal({"bypass.protection_distance.distance=256"}),
      "-s bypass.protection_distance.distance=256: bypass.protection_distance.distance = 256: must be from 1 "
      "to 255; the nearest is 255");
  EXPECT_EQ(
      refusal({"index.sets=48"}),
      "-s index.sets=48: index.sets = 48: must be a power of two from 2 to 1024; the nearest are 32 and 64");
  EXPECT_EQ(refusal({"geometry.ways=17"}),
            "-s geometry.ways=17: geometry.ways = 17: must be from 1 to 16; the nearest is 16");
}

// The sound unit runs here, too.
TEST(ProtectionDistance, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"fails_age_lines", "", "load_set", "accept", high()},
      {"a_reserved_way_is_renewed", "", "way0_left", "reserved[0]", low()},
      {"the_way_with_the_tag_ages", "", "way1_left", "found[1]", low()},
      {"a_way_without_hit_is_renewed", "", "found", "{4{hit}}", high()},
      {"reserved_ways_are_open", "", "free", "~reserved", high()},
      {"hits_bypass", "", "bypass", "~hit", high()},
      {"bypasses_without_a_load", "", "bypass", "probe", high()},
      {"distances_wrap", "", "way0_left", "|way0_rpd", high()},
      {"a_distance_short", "_way", "rpd_q", "PROTECTION_DISTANCE", stuck(3)},
      {"kills_are_missed", "", "way2.kill", "kill_way[2]", low()},
      {"fills_go_into_all_ways", "", "way3.fill", "fill_way[3]", high()},
      {"a_flush_is_missed", "_way", "rpd_q", "flush", low()}};
  verif::expect_all_found("protection_distance", {}, faults);
}
