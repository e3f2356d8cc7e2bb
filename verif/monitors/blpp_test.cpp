// Page placement: the thesis' nine kernels and the worked example on model and Verilog, the decision against
// exact fractions next to its threshold, lock step, the page table, storage, refusals, injected faults.
#include <random>
#include "golden/monitors/page_table.h"

#include "gen/unit/unit.h"
#include "hw/monitors/blpp.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::Blpp, golden::BlppEvents;
using testing::HasSubstr;
using verif::high, verif::low, verif::other_tie, verif::stuck;

// Table 7: miss rates of L1 and L2, traffic in GB/s.
struct Kernel {
  const char* name;
  double l1, l2, traffic;
  bool sensitive;
};
constexpr Kernel kernels[] = {
    {"2MM", .53, .24, 227.5, true},  {"GE", .57, .36, 222.3, true},  {"LM", .57, .00, 200.9, true},
    {"SC", .62, .40, 149.0, true},   {"ST", .60, .76, 162.7, true},  {"2DC", .23, .54, 188.0, false},
    {"BFS", .35, .36, 112.5, false}, {"CFD", .20, .71, 78.3, false}, {"II", .03, .19, 33.0, false}};

// Rates of 10,000 loads; flits of a period of 65,536 cycles at 700 MHz.
BlppEvents events_of(const Kernel& k) {
  const auto times = [](double rate) { return static_cast<std::uint64_t>(std::lround(10'000 * rate)); };
  return {.a1 = 10'000,
          .m1 = times(k.l1),
          .a2 = 10'000,
          .m2 = times(k.l2),
          .flits = static_cast<std::uint64_t>(k.traffic / .7 * 65536 / 32)};
}

// p of the Verilog's evaluation for each of these sums, from reset.
std::vector<std::string> evaluated(const hw::BlppParams& p, const std::vector<BlppEvents>& all) {
  std::string sums;
  for (const BlppEvents& e : all)
    sums += fmt::format("    evaluate({}, {}, {}, {}, {});\n", e.a1, e.m1, e.a2, e.m2, e.flits);
  const std::string bench = fmt::format(
      "module bench;\n  reg clk = 0, rst = 1, start = 0;\n  reg [31:0] a1, m1, a2, m2, flits;\n  wire [16:0] "
      "p;\n"
      "  integer n;\n"
      "  unit dut(.clk(clk), .rst(rst), .start(start), .a1_sum(a1), .m1_sum(m1), .a2_sum(a2), .m2_sum(m2), "
      ".over(flits > 32'd{1}), .p(p));\n"
      "  task evaluate(input [31:0] in_a1, input [31:0] in_m1, input [31:0] in_a2, input [31:0] in_m2, "
      "input [31:0] in_flits);\n    begin\n"
      "      rst = 1; #1 clk = 1; #1 clk = 0; rst = 0; start = 1;\n"
      "      a1 = in_a1; m1 = in_m1; a2 = in_a2; m2 = in_m2; flits = in_flits;\n"
      "      #1 clk = 1; #1 clk = 0; start = 0;\n"
      "      for (n = 1; n < 64; n = n + 1) begin\n        if (p != 65536) $display(\"early\");\n"
      "        #1 clk = 1; #1 clk = 0;\n      end\n      $display(\"%0d\", p);\n    end\n  endtask\n"
      "  initial begin\n{0}    $finish;\n  end\nendmodule\n",
      sums, hw::traffic_limit(p));
  std::vector<std::string> lines;
  std::istringstream text(verif::simulated(hw::blpp_evaluate(p, "unit"), bench));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string expected_part(const hw::BlppParams& p, const BlppEvents& e) {
  const Blpp::Decision decision = Blpp::decision(p, e);
  return std::to_string(decision.loads && decision.shared() ? hw::shared_part(p) : Blpp::one);
}

void expect_evaluated(const hw::BlppParams& p, const std::vector<BlppEvents>& all) {
  const auto got = evaluated(p, all);
  ASSERT_EQ(got.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(got[i], expected_part(p, all[i]))
        << fmt::format("{} {} {} {} {}", all[i].a1, all[i].m1, all[i].a2, all[i].m2, all[i].flits);
}

// Pairs of sums between which the latency test turns over: one miss at the L1s apart.
std::vector<BlppEvents> around_the_threshold(const hw::BlppParams& p, std::mt19937_64& draw, int pairs) {
  std::vector<BlppEvents> all;
  while (static_cast<int>(all.size()) < 2 * pairs) {
    const auto any = [&] { return draw() >> (32 + draw() % 31); };
    BlppEvents e{.a1 = any(), .m1 = 0, .a2 = any(), .m2 = 0, .flits = ~std::uint32_t{0}};
    e.m2 = e.a2 ? draw() % (e.a2 + 1) : 0;
    if (e.a1 == 0 || Blpp::decision(p, e).near) continue;
    std::uint64_t far = 0, near = e.a1;
    e.m1 = near;
    if (!Blpp::decision(p, e).near) continue;
    while (near - far > 1) {
      e.m1 = (near + far) / 2;
      (Blpp::decision(p, e).near ? near : far) = e.m1;
    }
    for (const std::uint64_t m1 : {far, near}) {
      e.m1 = m1;
      all.push_back(e);
    }
  }
  return all;
}

const std::vector<std::string> small{"blpp.period=1024"};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("blpp", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(Blpp, KernelsOfTheThesis) {
  std::vector<BlppEvents> all;
  for (const Kernel& kernel : kernels) {
    all.push_back(events_of(kernel));
    EXPECT_EQ(Blpp::decision({}, all.back()).shared(), kernel.sensitive) << kernel.name;
  }
  const auto parts = evaluated({}, all);
  ASSERT_EQ(parts.size(), std::size(kernels));
  for (std::size_t i = 0; i < std::size(kernels); ++i)
    EXPECT_EQ(parts[i], kernels[i].sensitive ? "46811" : "65536") << kernels[i].name;
  EXPECT_FALSE(Blpp::decision({}, events_of(kernels[5])).near) << "2DC: the latency ratio is too high";
  EXPECT_FALSE(Blpp::decision({}, events_of(kernels[6])).busy) << "BFS: the traffic is too low";
}

TEST(Blpp, WorkedExampleOfPlacement) {
  // A period that shares the pages, then six requests.
  Blpp unit({.period = 1024});
  for (int cycle = 0; cycle < 1024 + 64; ++cycle)
    unit.edge({.events = {.a1 = 100, .m1 = 60, .a2 = 60, .m2 = 30, .flits = 200}});
  EXPECT_EQ(unit.part(), 46'811u);
  std::string draws, nodes;
  for (int page = 0; page < 6; ++page) {
    draws += fmt::format("{:04X} ", unit.draw());
    nodes += unit.place_cpu({.request = true}) ? "CPU " : "GPU ";
    unit.edge({.request = true});
  }
  EXPECT_EQ(draws, "ACE1 4722 C437 E39D 8815 EF52 ");
  EXPECT_EQ(nodes, "GPU GPU CPU CPU GPU CPU ");
  int gpu = 0;
  for (unsigned x = 1; x < 65'536; ++x) gpu += x < 46'811;
  EXPECT_EQ(gpu, 46'810);
}

TEST(Blpp, EvaluationEqualsExactFractions) {
  std::mt19937_64 draw(3);
  const int pairs = verif::full_tier() ? 2'000 : 150;
  expect_evaluated({}, around_the_threshold({}, draw, pairs));
  const hw::BlppParams widest{.gpu_bandwidth = 1,
                              .cpu_bandwidth = 4095,
                              .ratio_tenths = 100,
                              .l1_latency = 1,
                              .l2_latency = 1023,
                              .gpu_memory_latency = 1023,
                              .cpu_memory_latency = 1023,
                              .link_latency = 1023};
  expect_evaluated(widest, around_the_threshold(widest, draw, pairs / 3));
  const hw::BlppParams never{.gpu_bandwidth = 4095, .cpu_bandwidth = 1, .ratio_tenths = 10};
  const std::uint32_t most = ~std::uint32_t{0};
  expect_evaluated(never, {{most, most, most, most, most}, {1, 1, 1, 1, most}, {}});
  expect_evaluated({}, {{most, most, most, most, most},
                        {0, most, most, most, most},
                        {1, 0, 0, 0, most},
                        {65'536, 65'536, 65'535, 65'535, most},
                        {10, 6, 0, most, most},
                        {10, most, 10, most, most}});
}

// Loads and misses of few: every one of them, more misses than loads and none included.
TEST(Blpp, EvaluationOfAllSmallCounts) {
  const std::uint64_t most = verif::full_tier() ? 7 : 3;
  std::vector<BlppEvents> all;
  for (std::uint64_t n = 0; n < (most + 1) * (most + 1) * (most + 1) * (most + 1); ++n) {
    const std::uint64_t a2 = n / (most + 1), m1 = a2 / (most + 1), m2 = m1 / (most + 1);
    all.push_back({n % (most + 1), m1 % (most + 1), a2 % (most + 1), m2, ~std::uint32_t{0}});
  }
  expect_evaluated({}, all);
}

TEST(Blpp, LockStep) {
  verif::expect_same("blpp", small, verif::full_tier() ? 3'000'000 : 200'000, verif::fresh_seed(5));
}

// As shipped: periods are long, and each goal is reached nevertheless.
TEST(Blpp, LockStepAtDefaults) {
  verif::expect_same("blpp", {}, verif::full_tier() ? 4'000'000 : 2'000'000, verif::fresh_seed(1));
}

TEST(Blpp, StaticRatio) {
  EXPECT_EQ(hw::fixed_part({.mode = hw::BlppMode::fixed, .ratio = .7143}), 46'812u);
  verif::expect_same("blpp", {"blpp.mode=static", "blpp.ratio=0.7143"}, 20'000, 1);
}

TEST(PageTable, PagesStayUntilTheirNodeIsFull) {
  const hw::BlppParams p{.mode = hw::BlppMode::fixed, .ratio = 0, .gpu_pages = 1, .cpu_pages = 2};
  const Blpp unit(p);
  golden::PageTable table(p);
  EXPECT_EQ(table.touch(0, unit).node, golden::Node::cpu);
  EXPECT_FALSE(table.touch(4095, unit).placed);
  EXPECT_EQ(table.touch(4096, unit).node, golden::Node::cpu);
  EXPECT_EQ(table.touch(8192, unit).node, golden::Node::gpu) << "the CPU node is full";
  EXPECT_FALSE(table.touch(0, unit).placed);
  EXPECT_EQ(table.touch(12'288, unit).node, golden::Node::cpu)
      << "both are full: the CPU node replaces its own";
  EXPECT_EQ(table.replaced(), 1u);
  EXPECT_FALSE(table.touch(0, unit).placed) << "used later than 4096";
  EXPECT_TRUE(table.touch(4096, unit).placed);
}

TEST(Blpp, StoresWhatItSays) {
  const auto bits = [](const std::vector<std::string>& settings) {
    return gen::published_bits(gen::elaborate(gen::load_config("blpp", settings)).accounts);
  };
  EXPECT_EQ(bits({}), 5 * 32 + 16 + 17 + 16);
  EXPECT_EQ(bits({"blpp.mode=static"}), 16);
}

TEST(Blpp, Refusals) {
  EXPECT_EQ(refusal({"blpp.ratio=1.5"}),
            "-s blpp.ratio=1.5: blpp.ratio = 1.5: must be a number from 0 to 1; the nearest is 1");
  EXPECT_EQ(refusal({"blpp.ratio=much"}),
            "-s blpp.ratio=much: blpp.ratio = \"much\": must be a number from 0 to 1");
  EXPECT_EQ(refusal({"blpp.ratio=nan"}),
            "-s blpp.ratio=nan: blpp.ratio = nan: must be a number from 0 to 1; the "
            "nearest is 0");
  EXPECT_EQ(refusal({"blpp.period=100"}),
            "-s blpp.period=100: blpp.period = 100: must be from 1024 to 1048576; the nearest is 1024");
}

// The sound unit runs here, too.
TEST(Blpp, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"a_period_is_short", "_counters", "last_q", "CYCLE_BEFORE_LAST", stuck(1021)},
      {"sums_go_on", "_counters", "m2_q", "~{32{last}}", high()},
      {"the_last_cycle_is_lost", "_counters", "a1_q", "a1_sum", verif::other("a1_q")},
      {"traffic_at_the_limit", "_counters", "over", "(LOWER_LIMIT + 9'h100) < flits_lowest", other_tie()},
      {"traffic_with_a_carry", "_counters", "over", "(LOWER_LIMIT + 9'h100) < flits_lowest", low()},
      {"a_carry_passes_any_part", "_counters_sum", "passes_1", "ones_q[0]", high()},
      {"a_part_of_ones_is_kept", "_counters_sum", "ones_q", "~{2{last}}", high()},
      {"no_loads_are_judged", "_evaluate", "some_q", "", high()},
      {"no_load_below_is_none", "_evaluate", "a2_some", "~(|a2_q[15:0])", low()},
      {"traffic_is_ignored", "_evaluate", "p_q", "busy_q", high()},
      {"latency_is_ignored", "_evaluate", "p_q", "near", high()},
      {"pairs_are_not_shifted", "_evaluate", "left_scan_q", "a1_next", verif::other("left_scan_q")},
      {"misses_are_not_shifted", "_evaluate", "right_scan_q", "m1_next", verif::other("right_scan_q")},
      {"the_second_factor_is_lost", "_evaluate", "right_goes_q", "step_q < 6'h34", low()},
      {"carries_are_lost", "_evaluate_right", "carry_q", "carry_out", low()},
      {"upper_blocks_stand", "_evaluate_left", "goes_before_q", "goes_by_block[3:0]", low()},
      {"a_step_too_soon", "_evaluate", "p_q", "LAST_STEP", stuck(62)},
      {"the_draw_stays", "_place", "draw_q", "request", low()},
      {"a_full_gpu_node_takes_pages", "_place", "place_cpu", "gpu_full & ~cpu_full", low()},
      {"a_full_cpu_node_takes_pages", "_place", "place_cpu", "~cpu_full | gpu_full", high()}};
  verif::expect_all_found("blpp", small, faults, {.cycles = 200'000});
}
