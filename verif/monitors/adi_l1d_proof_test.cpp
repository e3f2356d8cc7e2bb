// Proves of the L1 data cache with the adaptive index, of small geometry but from any state and for all
// inputs: no line survives a change of sel, neither as valid nor as on its way to become so; and a request
// that is looked up stands in the set that sel gives its line. And from the netlist: nothing but registers
// leaves the monitor, so that no path through it reaches the lookup.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "hw/l1d/adi_in_cache.h"
#include "hw/l1d/l1d.h"
#include "hw/monitors/adi_monitor.h"
#include "verif/formal/opened_unit.h"
#include "verif/full_tier.h"

namespace {

verif::Property property(const hw::L1dParams& p, const verif::Fault* fault = nullptr) {
  const hw::AdiMonitorParams monitor = hw::monitor_params(p);
  const int s = hw::index_bits(monitor), width = hw::sel_bits(monitor), low = hw::offset_bits(monitor);
  const int block = hw::block_address_bits(monitor);
  verif::OpenedUnit cache(hw::l1d(p, "unit").module, fault);
  cache.see({"valid_q", "row_valid_q"}, "tags");
  cache.see({"in_use", "flushed"}, "mshr");
  cache.see({"probe_valid_q", "probe_set_q", "probe_block_address", "again_q", "stayed_q", "moves_sel"});

  std::string past_sels, moved = "1'd0", sets_of_sel;
  for (int i = 0; i < s; ++i) {
    cache.see({fmt::format("sel{}", i)});
    past_sels += fmt::format(
        "  reg [{0}:0] past_sel{1} = 0;\n  always @(posedge clk) past_sel{1} <= sel{1};\n", width - 1, i);
    moved += fmt::format(" | (sel{0} != past_sel{0})", i);
    sets_of_sel += fmt::format(" & (probe_set_q[{0}] == address[sel{0}])", i);
  }
  return cache.property(fmt::format(
      "{}  wire [{}:0] address = {{{}'d0, probe_block_address, {}'d0}};\n"
      "  wire moved = {};\n"
      "  wire survivor = (|valid_q) | (|row_valid_q) | (|(in_use & ~flushed));\n"
      "  wire holds = (~again_q | stayed_q) & (~probe_valid_q | again_q | (1'd1{}));\n"
      "  wire apart = ~(moves_sel & again_q);  // proved of the monitor: sel rests after each move\n"
      "  reg past_holds = 1'd0, past_apart = 1'd0;\n"
      "  always @(posedge clk) begin\n    past_holds <= (holds & apart) | rst;\n    past_apart <= apart;\n  "
      "end\n"
      "  assign bad = (past_apart & moved & survivor) | (past_holds & ~holds);\nendmodule\n",
      past_sels, (1 << width) - 1, (1 << width) - block - low, low, moved, sets_of_sel));
}

hw::L1dParams small(hw::TagKind tags, int latency) {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = tags == hw::TagKind::sectored ? 16 : 32,
                  .capacity_bytes = 1024,
                  .ways = 8,
                  .tags = tags,
                  .adaptive = {.period = 4, .counter_bits = 2, .idle = 0},
                  .mshr_entries = 2,
                  .mshr_merges = 2,
                  .miss_queue = 2,
                  .core_id_bits = 1};
  p.index = {.kind = hw::IndexKind::adi,
             .address_bits = p.address_bits,
             .line_bytes = p.line_bytes,
             .sets = hw::sets_of(p),
             .latency = latency};
  return p;
}

}  // namespace

TEST(AdiL1dProof, NoLineSurvivesAChangeOfSel) {
  using Cache = std::pair<hw::TagKind, int>;
  for (const auto& [tags, latency] :
       verif::first_of<Cache>(1, {{hw::TagKind::conventional, 0}, {hw::TagKind::sectored, 2}})) {
    const auto result = verif::prove(property(small(tags, latency)));
    EXPECT_TRUE(result.proven()) << result.message;
    fmt::print("latency {}: {} by {}, {:.1f} s\n", latency, result.message, result.engine, result.seconds);
  }
}

TEST(AdiL1dProof, InjectedFaultsBreakIt) {
  const hw::L1dParams p = small(hw::TagKind::conventional, 0);
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"lines_outlive_a_change", "", "flush", "moves_sel", verif::only_with("flush_valid")},
           {"probes_while_it_changes", "", "probed", "~held_up", verif::high()},
           {"old_set", "", "looks_up", "again_q & probe_valid_q", verif::low()},
           {"entries_outlive_a_flush", "_mshr_entries", "flushed_q", "flush", verif::only_with("fill")}})
    EXPECT_EQ(verif::prove(property(p, &fault)).outcome, verif::Outcome::counterexample) << fault.what;
}

// Every output of the monitor is a flop's, and the cache takes nothing else from it.
TEST(AdiL1dProof, NothingButRegistersLeavesTheMonitor) {
  const gen::TempDir work("adi_registers");
  const hw::L1dParams p = small(hw::TagKind::conventional, 0);
  std::string script;
  for (const rtl::Module& m : rtl::modules_of(hw::adi_monitor(hw::monitor_params(p), "monitor").module)) {
    gen::write_file_atomically(work / (m.name() + ".v"), gen::verilog(m));
    script += fmt::format("read_verilog {}\n", (work / (m.name() + ".v")).string());
  }
  const std::string netlist = (work / "netlist.json").string();
  script += fmt::format("hierarchy -top monitor\nproc\nflatten\nopt\nwrite_json {}\n", netlist);
  gen::write_file_atomically(work / "run.ys", script);
  ASSERT_TRUE(gen::run({.argv = {"yosys", "-q", (work / "run.ys").string()}}).ok());
  const auto module = nlohmann::json::parse(gen::read_file(netlist))["modules"]["monitor"];
  std::map<int, std::string> driver;
  for (const auto& [name, cell] : module["cells"].items())
    for (const auto& [port, bits] : cell["connections"].items())
      for (const auto& bit : bits)
        if (cell["port_directions"][port] == "output") driver[bit.get<int>()] = cell["type"];
  std::map<std::string, int> outputs;
  for (const auto& [name, port] : module["ports"].items()) {
    if (port["direction"] != "output") continue;
    for (const auto& bit : port["bits"]) {
      ++outputs[name];
      EXPECT_THAT(driver[bit.get<int>()], testing::HasSubstr("dff")) << name;
    }
  }
  EXPECT_EQ(outputs, (std::map<std::string, int>{{"flush_valid", 1}, {"sel0", 5}, {"sel1", 5}}));
}
