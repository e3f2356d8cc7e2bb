// A bypassed load changes nothing: what the tag store, its replacement, reuse counts and links and the MSHR
// file show of themselves before a load that goes past the cache is what they show after it, on every tag
// organisation. No model is asked, and the simulator is not the lock step's. Injected faults break it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>

#include "gen/config/config.h"
#include "gen/cosim/probe.h"
#include "gen/ports.h"
#include "hw/l1d/l1d.h"
#include "verif/icarus.h"
#include "verif/mutate/injected_faults.h"

namespace {

using Settings = std::vector<std::string>;

constexpr int sets = 16, loads = 60;

hw::L1dParams small(const Settings& more) {
  Settings all{"geometry.capacity_bytes=1024",
               "geometry.line_bytes=32",
               "geometry.chunk_bytes=8",
               "geometry.ways=2",
               "mshr.entries=4",
               "mshr.merges=2",
               "mshr.miss_queue=3",
               "core.id_bits=5",
               "counters.enable=true"};
  all.insert(all.end(), more.begin(), more.end());
  return gen::load_config("l1d", all).get<hw::L1dParams>();
}

std::string range(int width) { return fmt::format("[{}:0] ", width - 1); }

int width_of(const rtl::Module& cache, const std::string& port) {
  const auto ports = gen::ports_of(cache);
  return std::ranges::find(ports, port, &gen::Port::name)->width;
}

// Ports of the cache as variables of the bench: its inputs are 0 but for what the bench drives.
std::string instance(const rtl::Module& cache) {
  std::string variables, pins;
  for (const gen::Port& p : gen::ports_of(cache)) {
    variables += fmt::format("  {} {}{}{};\n", p.direction == "input" ? "reg" : "wire", range(p.width),
                             p.name, p.direction == "input" ? " = 0" : "");
    pins += fmt::format("{0}.{1}({1})", pins.empty() ? "" : ", ", p.name);
  }
  return fmt::format("{}  {} dut ({});\n", variables, cache.name(), pins);
}

// All that tags and MSHR file show of a set, and of what belongs to none. A free MSHR entry has no way and
// no tag, with any contents of its registers.
std::string state_of(const rtl::Module& cache) {
  std::vector<std::string> values, names;
  std::string wires;
  int bits = 0;
  for (const gen::ShownValue& v : gen::shown_state(cache)) {
    const bool in_mshr = v.name.starts_with("mshr.");
    if (!v.name.starts_with("tags.") && !in_mshr) continue;
    int all = v.width;
    for (const rtl::Index& part : v.parts) all *= part.count;
    const std::string wire =
        v.name == "mshr.entries.in_use" ? "in_use" : fmt::format("value{}", names.size());
    wires += fmt::format("  wire {}{} = {};\n", range(all), wire, v.value);
    names.push_back(v.name);
    bits += all;
    const int entries = in_mshr && wire != "in_use" ? v.parts.front().count : 1, each = all / entries;
    for (int e = 0; e < entries; ++e)
      values.push_back(
          entries == 1 ? wire
                       : fmt::format("{0}[{1} +: {2}] & {{{2}{{in_use[{3}]}}}}", wire, e * each, each, e));
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"tags.valid", "tags.busy", "mshr.entries.in_use"}));
  EXPECT_THAT(names, testing::Contains(
                         testing::AllOf(testing::StartsWith("mshr.targets."), testing::EndsWith("count"))));
  return fmt::format(
      "  reg [3:0] look_at_set = 0;\n{0}  wire {1}state = {{{2}}};\n  reg {1}before [0:{3}];\n", wires,
      range(bits), fmt::join(values, ", "), sets - 1);
}

// Narrow loads fill the cache. Then each wide load is compared, in peace and with a memory that holds its
// fills back; and each narrow load that goes past a full cache.
std::string bench(const rtl::Module& cache, bool reads_degrees) {
  const std::string wide = reads_degrees ? "core_request_degree = d; core_request_first = 1; " : "";
  const std::string steer = reads_degrees ? "    tucd = 5; hit_rate_low = 1; buffer_free = ~0;\n" : "";
  const int id_bits = width_of(cache, "memory_request_id");
  return fmt::format(
      R"(`timescale 1ns/1ns
module bench;
{0}{1}  integer set, n, head, tail, direct_head, direct_tail, changed, unseen, stalled, seed;
  reg hold = 0, differs;
  reg {2}fetches [0:65535];
  reg {2}directs [0:65535];
  reg [3:0] fetch_masks [0:65535];
  reg [3:0] direct_masks [0:65535];
  always #5 clk = ~clk;
  // Answers: those of loads that went past the cache first; fills unless they are held back.
  always @(posedge clk) if (!rst) begin
    if (memory_request_valid && memory_request_ready) begin
      if (memory_request_id[{3}]) begin
        directs[direct_tail] = memory_request_id; direct_masks[direct_tail] = memory_request_mask;
        direct_tail = direct_tail + 1;
      end else begin
        fetches[tail] = memory_request_id; fetch_masks[tail] = memory_request_mask; tail = tail + 1;
      end
    end
    if (memory_response_valid && memory_response_ready) begin
      if (memory_response_id[{3}]) direct_head = direct_head + 1; else head = head + 1;
    end
    unseen = unseen + event_bypasses_load; stalled = stalled + event_bypasses_stall;
  end
  always @(negedge clk) begin
    memory_response_valid = 0;
    if (direct_head < direct_tail) begin
      memory_response_valid = 1;
      memory_response_id = directs[direct_head]; memory_response_mask = direct_masks[direct_head];
    end else if (!hold && head < tail) begin
      memory_response_valid = 1;
      memory_response_id = fetches[head]; memory_response_mask = fetch_masks[head];
    end
  end
  task idle(input integer cycles); repeat (cycles) @(negedge clk); endtask
  task load(input integer a, input [5:0] d);
    begin
      core_request_valid = 1; core_request_address = a; core_request_id = core_request_id + 1;
      core_request_mask = 1 + $unsigned($random(seed)) % 15; {4}
      #1 while (!core_request_ready) begin @(negedge clk); #1; end
      @(negedge clk) core_request_valid = 0;
      idle(12);
    end
  endtask
  function integer any(input integer lines);
    any = 32 * ($unsigned($random(seed)) % lines);
  endfunction
  task remember;
    for (set = 0; set < {5}; set = set + 1) begin look_at_set = set; #1 before[set] = state; end
  endtask
  task compare;
    begin
      differs = 0;
      for (set = 0; set < {5}; set = set + 1) begin
        look_at_set = set; #1 if (state !== before[set]) differs = 1;
      end
      @(negedge clk);
    end
  endtask
  task passes(input [5:0] degree);
    begin : one
      integer gone;
      gone = unseen + stalled;
      remember; @(negedge clk); load(any(128), degree); compare;
      if (unseen + stalled != gone && differs) changed = changed + 1;
    end
  endtask
  initial begin
    seed = 7; head = 0; tail = 0; direct_head = 0; direct_tail = 0; changed = 0; unseen = 0; stalled = 0;
    core_response_ready = 1; memory_request_ready = 1; rst = 1;
{6}    idle(3); rst = 0;
    for (n = 0; n < 150; n = n + 1) load(any(48), 1);
    for (n = 0; n < {7}; n = n + 1) begin passes(6); load(any(48), 1); end
    for (n = 0; n < {7}; n = n + 1) begin
      hold = n % 30 < 29; if (!hold) idle(40);
      passes(n % 2 ? 6 : 1);
    end
    $display("unseen %0d, stalled %0d, changed %0d", unseen, stalled, changed);
    $finish;
  end
endmodule
)",
      instance(cache), state_of(cache), range(id_bits), id_bits - 1, wide, sets, steer, loads);
}

struct Outcome {
  int unseen = -1, stalled = -1, changed = -1;  // loads that bypassed, and bypasses that changed something
};

Outcome outcome(const Settings& settings, const verif::Fault* fault = nullptr) {
  const hw::L1dParams p = small(settings);
  EXPECT_EQ(hw::sets_of(p), sets);
  const rtl::Module cache = hw::l1d(p, "unit").module;
  const std::string said =
      verif::simulated(verif::texts_of(cache, fault), bench(cache, hw::reads_degrees(p.bypass)));
  Outcome result;
  std::sscanf(said.c_str(), "unseen %d, stalled %d, changed %d", &result.unseen, &result.stalled,
              &result.changed);
  return result;
}

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const Settings follows{"bypass.kind=bucl", "bypass.bucl.follow=true", "bypass.bucl.sub_partitions=3"};

}  // namespace

TEST(BypassState, NothingChangesOnAnyTagOrganisation) {
  for (const Settings& organisation : std::vector<Settings>{
           {"tags.kind=conventional"},
           {"tags.kind=sectored", "tags.replacement=nru"},
           {"tags.kind=sectored", "tags.replacement=random"},
           {"tags.kind=split", "tags.split.groups=2"},
           {"tags.kind=split", "tags.split.groups=2", "mode.kind=coarse"},
           {"tags.kind=decoupled", "tags.decoupled.tags_per_way=3"},
           {"tags.kind=reuse_filter", "tags.reuse_filter.ways=4", "tags.reuse_filter.threshold=0"}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(organisation, " ")));
    const Outcome bucl = outcome(with(organisation, follows));
    EXPECT_GE(bucl.unseen, loads);
    EXPECT_GT(bucl.stalled, 5);
    EXPECT_EQ(bucl.changed, 0);
  }
  const Outcome mrpb = outcome({"bypass.kind=mrpb"});
  EXPECT_EQ(mrpb.unseen, 0);
  EXPECT_GT(mrpb.stalled, 10);
  EXPECT_EQ(mrpb.changed, 0);
}

TEST(BypassState, InjectedFaultsChangeSomething) {
  for (const verif::Fault& fault :
       std::vector<verif::Fault>{{"looked_up_all_the_same", "", "load", "~unseen", verif::high()},
                                 {"touches_all_the_same", "", "tags.load", "", verif::other("load")},
                                 {"takes_a_line_too", "", "tags.allocate", "", verif::other("no_hit")}})
    EXPECT_GT(outcome(follows, &fault).changed, 0) << fault.what;
}
