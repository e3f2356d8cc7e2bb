// Energies that can be added by hand: a counter of four bits, and a write and a read of a RAM macro.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/energy/energy_meter.h"
#include "gen/energy/second_opinion.h"
#include "gen/paths.h"
#include "gen/process.h"

namespace {

using nlohmann::json;

const std::string library_file = (gen::paths::source() / "verif/energy/samples/counter.lib").string();

std::vector<gen::PowerLibrary> libraries(const std::string& text) {
  return {gen::power_library({library_file, text}, {"INV", "NAND2", "AND2", "XOR2", "DFF", "RAM2X2"})};
}
std::vector<gen::PowerLibrary> libraries() { return libraries(gen::read_file(library_file)); }

json cell(const char* type, const json& pins) { return {{"type", type}, {"connections", pins}}; }

// Nets: clock 2, q 3 to 6, d 7 to 10, carries 11 and 12.
json counter() {
  json cells;
  for (int bit = 0; bit < 4; ++bit)
    cells["flop" + std::to_string(bit)] = cell("DFF", {{"CK", {2}}, {"D", {7 + bit}}, {"Q", {3 + bit}}});
  cells["d0"] = cell("INV", {{"A", {3}}, {"Y", {7}}});
  cells["d1"] = cell("XOR2", {{"A", {3}}, {"B", {4}}, {"Y", {8}}});
  cells["c1"] = cell("AND2", {{"A", {3}}, {"B", {4}}, {"Y", {11}}});
  cells["d2"] = cell("XOR2", {{"A", {11}}, {"B", {5}}, {"Y", {9}}});
  cells["c2"] = cell("AND2", {{"A", {11}}, {"B", {5}}, {"Y", {12}}});
  cells["d3"] = cell("XOR2", {{"A", {12}}, {"B", {6}}, {"Y", {10}}});
  return {{"ports",
           {{"clk", {{"direction", "input"}, {"bits", {2}}}},
            {"count", {{"direction", "output"}, {"bits", {3, 4, 5, 6}}}}}},
          {"cells", cells}};
}

// All sixteen counts, from a count of 0 on.
class Counter {
 public:
  explicit Counter(std::vector<gen::PowerLibrary> libraries)
      : libraries_(std::move(libraries)),
        netlist_(gen::read_netlist(counter(), libraries_, {})),
        simulation_(netlist_, {}, "clk"),
        meter_(netlist_, gen::net_loads(netlist_, {&libraries_[0].cells.at("INV"), 5}, "clk"), 1.0) {
    for (int cycle = 0; cycle < 32; ++cycle) {
      simulation_.rise();
      if (cycle >= 16) meter_.count_edge(simulation_);
      simulation_.fall();
      if (cycle >= 16) meter_.count_edge(simulation_);
      int count = 0;
      for (int bit = 3; bit >= 0; --bit)
        count = 2 * count + simulation_.value(netlist_.port("count")->nets[static_cast<std::size_t>(bit)]);
      EXPECT_EQ(count, cycle % 16);
      if (cycle >= 16) meter_.count_cycle(simulation_);
    }
  }

  gen::CellEnergy sum(const std::string& name) const {
    gen::CellEnergy sum;
    for (std::size_t c = 0; c < netlist_.cells.size(); ++c) {
      if (!netlist_.cells[c].name.starts_with(name)) continue;
      sum.internal_pj += meter_.cells()[c].internal_pj;
      sum.switching_pj += meter_.cells()[c].switching_pj;
      sum.leakage_nw_cycles += meter_.cells()[c].leakage_nw_cycles;
    }
    return sum;
  }
  double internal_fj(const std::string& name) const { return 1000 * sum(name).internal_pj; }
  double switching_fj(const std::string& name) const { return 1000 * sum(name).switching_pj; }
  double leakage_nw(const std::string& name) const { return sum(name).leakage_nw_cycles / 16; }
  const gen::Netlist& netlist() const { return netlist_; }
  const gen::EnergyMeter& meter() const { return meter_; }

 private:
  std::vector<gen::PowerLibrary> libraries_;
  gen::Netlist netlist_;
  gen::GateSimulation simulation_;
  gen::EnergyMeter meter_;
};

// Half of the load a toggle at 1 V. q0 drives INV 1, XOR2 2, AND2 1.5 and the output's 5; q1 and q2 drive
// XOR2, AND2 and the output, q3 XOR2 and the output; d drive a flop's 1, carries XOR2 and AND2, the last one
// XOR2.
TEST(CounterEnergy, ChargesOfNetsAreThoseByHand) {
  const Counter counter(libraries());
  EXPECT_NEAR(counter.switching_fj("flop0"), 16 * 9.5 / 2, 1e-9);
  EXPECT_NEAR(counter.switching_fj("flop1"), 8 * 8.5 / 2, 1e-9);
  EXPECT_NEAR(counter.switching_fj("flop2"), 4 * 8.5 / 2, 1e-9);
  EXPECT_NEAR(counter.switching_fj("flop3"), 2 * 7.0 / 2, 1e-9);
  EXPECT_NEAR(counter.switching_fj("d0"), 16 * 0.5, 1e-9);
  EXPECT_NEAR(counter.switching_fj("d1"), 8 * 0.5, 1e-9);
  EXPECT_NEAR(counter.switching_fj("c1"), 8 * 3.5 / 2, 1e-9);
  EXPECT_NEAR(counter.switching_fj("c2"), 4 * 2.0 / 2, 1e-9);
  // The clock is an input: 32 toggles of four pins of 2 fF.
  EXPECT_NEAR(
      1000 * counter.meter().outside_pj()[static_cast<std::size_t>(counter.netlist().port("clk")->nets[0])],
      32 * 8.0 / 2, 1e-9);
}

// q0 toggles at each edge, with D other than Q: CK takes 6 + 1, half of the 16 toggles rise with 10 + 9.5,
// the others fall with 12 + 9.5; D has transitions of 0.1 ns, half of the way from 1 to 2 and from 2 to 3.
TEST(CounterEnergy, FlopsTakeTheirTables) {
  const Counter counter(libraries());
  const double q0 = 16 * (6 + 1) + 8 * 19.5 + 8 * 21.5 + 8 * 1.5 + 8 * 2.5;
  EXPECT_NEAR(counter.internal_fj("flop0"), q0, 1e-9);
  // q3 toggles twice in 16 edges.
  const double q3 = 2 * (6 + 1) + 14 * (3 + 1) + (10 + 7.0) + (12 + 7.0) + 1.5 + 2.5;
  EXPECT_NEAR(counter.internal_fj("flop3"), q3, 1e-9);
}

// The inverter: transitions of 0.1 ns and a load of 1 fF lie at 2.1 for a rise, 3.1 for a fall. XOR2 toggle
// by A, with B at 0 or 1 half of the time: 7 - 2 or 4 + 3 of two supplies, never the 100 without a condition.
// AND2 rise by A, and fall by both, which is the mean of 6 and 10.
TEST(CounterEnergy, GatesTakeTheTablesOfWhatMovedThem) {
  const Counter counter(libraries());
  EXPECT_NEAR(counter.internal_fj("d0"), 8 * 2.1 + 8 * 3.1, 1e-9);
  EXPECT_NEAR(counter.internal_fj("d1"), 4 * 5.0 + 4 * 7.0, 1e-9);
  EXPECT_NEAR(counter.internal_fj("c1"), 4 * 4.0 + 4 * 8.0, 1e-9);
  EXPECT_NEAR(counter.internal_fj("c2"), 2 * 4.0 + 2 * 8.0, 1e-9);
}

TEST(CounterEnergy, LeakageIsThatOfTheStates) {
  const Counter counter(libraries());
  EXPECT_NEAR(counter.leakage_nw("flop"), 40, 1e-9);
  EXPECT_NEAR(counter.leakage_nw("d0"), 2, 1e-9);  // 1 and 3 by turns
  EXPECT_NEAR(counter.leakage_nw(""), 40 + 2 + 3 * 6 + 2 * 5, 1e-9);
}

// As in ASAP7, whose flip-flops keep the complement: it is 1 where the co-simulation begins with 0. Counter
// compares each count.
TEST(CounterEnergy, FlopsOfComplementsBeginWithTheSameCount) {
  std::string text = gen::read_file(library_file);
  for (const auto& [old, now] :
       {std::pair<std::string, std::string>{"next_state : \"D\"", "next_state : \"!D\""},
        {"function : \"IQ\"", "function : \"IQN\""}}) {
    ASSERT_NE(text.find(old), std::string::npos) << old;
    text.replace(text.find(old), old.size(), now);
  }
  EXPECT_NEAR(Counter(libraries(text)).switching_fj("flop0"), Counter(libraries()).switching_fj("flop0"),
              1e-9);
}

// Rises by A of XOR2 are counted where they happen: another table moves the sum by what it must.
TEST(CounterEnergy, AnotherTableGivesAnotherEnergy) {
  std::string text = gen::read_file(library_file);
  const std::string old = "rise_power (energies) { values (\"1, 2\", \"3, 4\"); }";
  text.replace(text.find(old), old.size(), "rise_power (energies) { values (\"1, 2\", \"3, 14\"); }");
  // A quarter of 10, weighed by the tenth of the axis of loads: 0.5 x 0.1 x 10.
  EXPECT_NEAR(Counter(libraries(text)).internal_fj("d0") - Counter(libraries()).internal_fj("d0"), 8 * 0.5,
              1e-9);
}

// The conditions of the energies, and what moved an output, are given to OpenSTA; loads, transitions and
// tables are its own.
TEST(CounterEnergy, OpenStaHasTheSameSums) {
  const Counter counter(libraries());
  gen::Liberty liberty = gen::user_liberty({library_file});
  liberty.load_ff = 5;
  const gen::CellPower opinion = gen::second_opinion(counter.netlist(), counter.meter(), liberty, "clk", 4);
  const double cycle_ns = 16 * 4;
  EXPECT_NEAR(opinion.switching, counter.sum("").switching_pj / cycle_ns, 1e-3 * opinion.switching);
  EXPECT_NEAR(opinion.internal, counter.sum("").internal_pj / cycle_ns, 1e-3 * opinion.internal);
}

// Nets: clock 2, enable 3, write 4, address 5, in 6 and 7, out 8 and 9.
json ram() {
  return {{"ports",
           {{"clk", {{"direction", "input"}, {"bits", {2}}}},
            {"enable", {{"direction", "input"}, {"bits", {3}}}},
            {"write", {{"direction", "input"}, {"bits", {4}}}},
            {"row", {{"direction", "input"}, {"bits", {5}}}},
            {"in", {{"direction", "input"}, {"bits", {6, 7}}}},
            {"out", {{"direction", "output"}, {"bits", {8, 9}}}}}},
          {"cells",
           {{"ram",
             cell("RAM2X2",
                  {{"CK", {2}}, {"EN", {3}}, {"WR", {4}}, {"AD", {5}}, {"DI", {6, 7}}, {"DO", {8, 9}}})}}}};
}

// Data rise once while EN is 1: 0.5. The write takes 50, the read 40, the cycle without an access 1.
TEST(MacroEnergy, AWriteAndAReadAreThoseByHand) {
  const auto all = libraries();
  const gen::Netlist netlist = gen::read_netlist(ram(), all, {"RAM2X2"});
  const gen::RamFunction function{.pins = {.clock = "CK",
                                           .access = "EN",
                                           .write = "WR",
                                           .read = "",
                                           .address = "AD",
                                           .data_in = "DI",
                                           .mask = "",
                                           .data_out = "DO"},
                                  .words = 2,
                                  .bits = 2};
  gen::GateSimulation simulation(netlist, {function}, "clk");
  gen::EnergyMeter meter(netlist, gen::net_loads(netlist, {&all[0].cells.at("INV"), 0}, "clk"), 1.0);
  const auto cycle = [&](bool enable, bool write, bool bit) {
    simulation.set_input(netlist.port("enable")->nets[0], enable);
    simulation.set_input(netlist.port("write")->nets[0], write);
    simulation.set_input(netlist.port("in")->nets[1], bit);
    simulation.rise();
    meter.count_edge(simulation);
    simulation.fall();
    meter.count_edge(simulation);
    meter.count_cycle(simulation);
    return simulation.value(netlist.port("out")->nets[1]);
  };
  EXPECT_FALSE(cycle(true, true, true));   // no edge before it
  EXPECT_FALSE(cycle(true, false, true));  // the edge of the write
  EXPECT_TRUE(cycle(false, false, true));  // that of the read
  EXPECT_TRUE(cycle(false, false, true));  // and one without an access
  EXPECT_EQ(meter.writes(), std::vector<std::int64_t>{1});
  EXPECT_EQ(meter.reads(), std::vector<std::int64_t>{1});
  // The clock's first rise is no edge of the RAM, but one of its pin, before which EN was 0.
  EXPECT_NEAR(1000 * meter.cells()[0].internal_pj, 1 + 0.5 + 50 + 40 + 1, 1e-9);
  EXPECT_NEAR(meter.cells()[0].leakage_nw_cycles, 4 * 50, 1e-9);
}

}  // namespace
