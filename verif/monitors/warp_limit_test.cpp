// The warp limiter: the worked example on model and Verilog, lock step at odd sizes, injected faults.
#include "golden/monitors/warp_limit.h"

#include "gen/unit/unit.h"
#include "hw/monitors/warp_limit.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::inverted, verif::low, verif::other;

struct Step {
  unsigned launch, finish, waiting, limit, allowed;  // what it is allowed shows in the same cycle
};

// Launches all; then limit 2; slot 0 waits; slot 1 finishes; slot 1 is launched again; nobody waits, limit 4.
constexpr Step example[] = {{0xf, 0, 0, 2, 0},   {0, 0, 0, 2, 0x3}, {0, 0, 1, 2, 0x6}, {0, 0x2, 1, 2, 0x6},
                            {0x2, 0, 1, 2, 0xc}, {0, 0, 1, 2, 0xc}, {0, 0, 0, 4, 0xf}};

std::vector<std::string> slots(int warps) { return {fmt::format("limit.warps={}", warps)}; }

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("warp_limit", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(WarpLimit, WorkedExample) {
  golden::WarpLimit unit;
  for (const Step& step : example) {
    EXPECT_EQ(unit.allowed(step.waiting, step.limit), step.allowed);
    unit.edge(step.launch, step.finish);
  }
  EXPECT_THAT(unit.oldest_first(), testing::ElementsAre(0, 2, 3, 1));
}

TEST(WarpLimit, WorkedExampleInVerilog) {
  std::string bench =
      "module bench;\n  reg clk = 0, rst = 1;\n  reg [3:0] launch = 0, finish = 0, waiting = 0;\n"
      "  reg [2:0] limit = 0;\n  wire [3:0] allowed;\n"
      "  unit dut(.clk(clk), .rst(rst), .launch(launch), .finish(finish), .waiting(waiting), .limit(limit), "
      ".allowed(allowed));\n  initial begin\n    #1 clk = 1; #1 clk = 0; rst = 0;\n";
  std::string expected;
  for (const Step& s : example) {
    bench += fmt::format(
        "    launch = {}; finish = {}; waiting = {}; limit = {};\n    #1 $display(\"%h\", allowed);\n    clk "
        "= 1; "
        "#1 clk = 0;\n",
        s.launch, s.finish, s.waiting, s.limit);
    expected += fmt::format("{:x}\n", s.allowed);
  }
  bench += "    $finish;\n  end\nendmodule\n";
  EXPECT_EQ(verif::simulated(hw::warp_limit({.warps = 4}, "unit"), bench), expected);
}

TEST(WarpLimit, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 2'000'000 : 100'000;
  verif::expect_same("warp_limit", {}, cycles, verif::fresh_seed(3));
  verif::expect_same("warp_limit", slots(1), cycles, verif::fresh_seed(5));
  verif::expect_same("warp_limit", slots(7), cycles, verif::fresh_seed(7));
  if (!verif::full_tier()) return;
  verif::expect_same("warp_limit", slots(48), cycles, verif::fresh_seed(9));
  verif::expect_same("warp_limit", slots(64), cycles, verif::fresh_seed(11));
}

TEST(WarpLimit, StoresABitAPairOfSlots) {
  for (const int warps : {1, 4, 24, 48}) {
    const gen::Unit unit = gen::elaborate(gen::load_config("warp_limit", slots(warps)));
    EXPECT_EQ(gen::published_bits(unit.accounts), warps * (warps - 1) / 2);
  }
}

TEST(WarpLimit, Refusals) {
  EXPECT_EQ(refusal({"limit.warps=65"}),
            "-s limit.warps=65: limit.warps = 65: must be from 1 to 64; the nearest is 64");
  EXPECT_EQ(refusal({"limit.kind=static", "limit.warps=12", "limit.count=13"}),
            "-s limit.count=13: limit.count = 13: must be from 1 to the 12 warps of limit.warps; use "
            "limit.warps for "
            "no limit");
  EXPECT_EQ(refusal({"limit.warps=12"}), "") << "a count counts with a kind alone";
}

TEST(WarpLimit, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"waiting_warps_count", "", "present", "~waiting", high()},
      {"slots_without_warp_count", "", "present", "launched_q", high()},
      {"ends_are_missed", "", "launched_q", "~finish", high()},
      {"launches_are_missed", "", "launched_q", "launch", low()},
      {"the_limit_is_one_more", "_rank", "start", "4'd1", low()},
      {"absent_warps_may_issue", "", "allowed", "present", high()},
      {"a_younger_warp_counts", "", "rank6.older", "old6_q", high()},
      {"an_older_warp_does_not_count", "", "rank0.older", "", low()},
      {"a_new_warp_stays_old", "", "old1_q", "~launch[0]", high()},
      {"a_new_warp_is_not_the_youngest", "", "old6_q", "launch[6]", low()},
      {"order_is_lost_in_reset", "", "launched_q", verif::reset_value, high()}};
  verif::expect_all_found("warp_limit", slots(7), faults);
}
