// BUCL in topologies: which kinds have it and by which ports; in a node of two cores of which one sends wide
// loads alone and the other narrow ones, neither starves.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>

#include "gen/config/config.h"
#include "gen/ports.h"
#include "gen/unit/unit.h"
#include "hw/topology/topology.h"
#include "verif/icarus.h"
#include "verif/mutate/injected_faults.h"
#include "verif/parameters/small_topologies.h"

namespace {

using verif::Flags;

std::string refusal(const Flags& settings) {
  try {
    gen::elaborate(gen::load_config("dc_l1", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

std::vector<std::string> port_names(const Flags& settings) {
  std::vector<std::string> names;
  for (const gen::Port& port : gen::ports_of(gen::elaborate(gen::load_config("dc_l1", settings)).top))
    names.push_back(port.name);
  return names;
}

Flags with_bucl(const std::string& kind) {
  return verif::with(verif::small_topology(kind), verif::bucl_flags);
}

rtl::Module two_cores_a_node() {
  const Flags flags =
      verif::with(with_bucl("private_nodes"), {"topology.cores=2", "topology.nodes=1", "topology.slices=1"});
  return hw::dc_l1(gen::load_config("dc_l1", flags).get<hw::TopologyParams>(), "unit").module;
}

// Ports of the topology as variables of the bench, 0 but for what the bench drives.
std::string instance(const rtl::Module& top) {
  std::string variables, pins;
  for (const gen::Port& p : gen::ports_of(top)) {
    const bool input = p.direction == "input";
    variables +=
        fmt::format("  {} [{}:0] {}{};\n", input ? "reg" : "wire", p.width - 1, p.name, input ? " = 0" : "");
    pins += fmt::format("{0}.{1}({1})", pins.empty() ? "" : ", ", p.name);
  }
  return fmt::format("{}  unit dut ({});\n", variables, pins);
}

// A core that always asks, for a line of its own each time, with as many requests under way as it has ids. Of
// each it shows how many were answered and how long one has waited to be accepted.
std::string core(int n, int degree) {
  return fmt::format(
      R"(
  reg [31:0] busy{0} = 0;
  integer left{0} = 0, sent{0} = 0, answers{0} = 0, waits{0} = 0, longest{0} = 0;
  always @(posedge clk) if (!rst) begin
    if (core{0}_request_valid && core{0}_request_ready) begin
      busy{0}[core{0}_request_id] = 1; sent{0} = sent{0} + 1; waits{0} = 0;
      left{0} = left{0} == 0 ? {1} - 1 : left{0} - 1;
    end else if (core{0}_request_valid) begin
      waits{0} = waits{0} + 1;
      if (waits{0} > longest{0}) longest{0} = waits{0};
    end
    if (core{0}_response_valid) begin busy{0}[core{0}_response_id] = 0; answers{0} = answers{0} + 1; end
  end
  always @(negedge clk) if (!rst) begin
    core{0}_request_id = sent{0}; core{0}_request_valid = !busy{0}[sent{0} % 32];
    core{0}_request_mask = 1; core{0}_request_address = 64 * (sent{0} + 1000 * {0});
    core{0}_request_degree = {1}; core{0}_request_first = left{0} == 0;
    core{0}_response_ready = 1;
  end
)",
      n, degree);
}

struct Progress {
  int answers[2] = {0, 0}, longest[2] = {0, 0};
};

// 1,500 cycles with a memory that answers one request in `every` cycles.
Progress progress(int degree0, int degree1, int every, const verif::Fault* fault = nullptr) {
  const rtl::Module top = two_cores_a_node();
  const std::string bench = fmt::format(
      R"(`timescale 1ns/1ns
module bench;
{}{}{}
  integer head = 0, tail = 0, now = 0;
  reg [15:0] ids [0:8191];
  reg [7:0] masks [0:8191];
  always #5 clk = ~clk;
  always @(posedge clk) if (!rst) begin
    now = now + 1;
    if (slice0_request_valid && slice0_request_ready) begin
      ids[tail] = slice0_request_id; masks[tail] = slice0_request_mask; tail = tail + 1;
    end
    if (slice0_response_valid && slice0_response_ready) head = head + 1;
  end
  always @(negedge clk) begin
    slice0_request_ready = tail - head < 4;
    slice0_response_valid = head < tail && now % {} == 0;
    slice0_response_id = ids[head]; slice0_response_mask = masks[head];
  end
  initial begin
    rst = 1; node0_tucd = 5; node0_hit_rate_low = 1; node0_buffer_free = ~0;
    repeat (3) @(negedge clk);
    rst = 0;
    repeat (1500) @(negedge clk);
    $display("%0d %0d %0d %0d", answers0, answers1, longest0, longest1);
    $finish;
  end
endmodule
)",
      instance(top), core(0, degree0), core(1, degree1), every);
  const std::string said = verif::simulated(verif::texts_of(top, fault), bench);
  Progress p;
  EXPECT_EQ(std::sscanf(said.c_str(), "%d %d %d %d", p.answers, p.answers + 1, p.longest, p.longest + 1), 4);
  fmt::print("degrees {} and {}, a reply in {} cycles: {} and {} answers, waits up to {} and {} cycles\n",
             degree0, degree1, every, p.answers[0], p.answers[1], p.longest[0], p.longest[1]);
  return p;
}

// Each core gets at least a third of what the memory answers, and no request waits longer than the replies to
// the requests that may be ahead of it take.
constexpr int ahead = 8;

bool fair(const Progress& p, int every) {
  return *std::ranges::min_element(p.answers) > 1500 / every / 3 &&
         *std::ranges::max_element(p.longest) < ahead * every;
}

}  // namespace

TEST(BuclTopology, FitsWhereALoadComesToOneCache) {
  for (const char* kind : {"shared_nodes", "clustered"})
    EXPECT_EQ(
        refusal(with_bucl(kind)),
        "-s bypass.kind=bucl: bypass.kind = bucl: one load's requests go to several caches here, none of "
        "which sees the first of each load; use mrpb, or topology.kind = \"baseline\" or "
        "\"private_nodes\"");
  EXPECT_EQ(refusal({"topology.kind=baseline", "bypass.kind=bucl", "bypass.bucl.follow=false"}),
            "-s bypass.bucl.follow=false: bypass.bucl.follow = false: one update unit serves the GPU: the "
            "caches of a topology follow it; use true");
  EXPECT_THAT(port_names(with_bucl("baseline")),
              testing::IsSupersetOf({"core3_request_degree", "core3_request_first", "core3_tucd",
                                     "core3_hit_rate_low", "core3_buffer_free"}));
  EXPECT_THAT(port_names(with_bucl("private_nodes")),
              testing::IsSupersetOf({"core3_request_degree", "core3_request_first", "node1_tucd",
                                     "node1_hit_rate_low", "node1_buffer_free"}));
  EXPECT_THAT(port_names(verif::small_topology("private_nodes")),
              testing::Not(testing::Contains("core3_request_degree")));
}

TEST(BuclTopology, WideAndNarrowLoadsOfANodeStarveNobody) {
  for (const int every : {1, 8}) {
    EXPECT_TRUE(fair(progress(32, 1, every), every));
    EXPECT_TRUE(fair(progress(1, 32, every), every));
  }
}

TEST(BuclTopology, AnUnfairNodeIsFound) {
  const verif::Fault fault{"always_the_first_core", "vc_output_i2", "head_inputs_q", "", verif::low()};
  EXPECT_FALSE(fair(progress(32, 1, 8, &fault), 8));
}
