// Placement in FPGAs: the registers around a unit, what nextpnr reports, and what is refused. A script plays
// nextpnr; the real one runs where it is installed.
#include "gen/area/placement.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <sstream>

#include "gen/area/fpga.h"
#include "gen/area/port_registers.h"
#include "gen/area/request.h"
#include "gen/config/config.h"
#include "gen/process.h"
#include "verif/environment.h"
#include "verif/full_tier.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string sample(const std::string& name) {
  return gen::read_file(verif::in_source("verif/area/samples/" + name));
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const gen::ToolError& e) {
    return e.what();
  }
  return "no complaint";
}

rtl::Module small_unit() {
  rtl::Module m("small_unit", "Two ports in, one out.");
  const auto first = m.input("first", 1, "a bit");
  const auto second = m.input("second", 3, "three bits");
  m.assign(m.output("sum", 3, "theirs"), second ^ rtl::cat({rtl::lit(2, 0), first}));
  return m;
}

// The cells of the module around a unit, as yosys hands them to nextpnr.
gen::FpgaCells cells_for_nextpnr(const gen::Unit& unit, const std::string& family) {
  const verif::TempFolder folder;
  gen::AreaRequest request = gen::area_request(unit.top.name(), unit.top, 0);
  request.sources.push_back({"around.v", gen::port_registers(unit.top)});
  gen::run_fpga_script(folder.path(), "place.ys", family, gen::port_registers_name, request);
  std::map<std::string, int> types;
  const json netlist = json::parse(folder.content("netlist.json"));
  for (const auto& [name, cell] : netlist.at("modules").at(gen::port_registers_name).at("cells").items())
    ++types[cell.at("type")];
  return gen::fpga_cells(types);
}

TEST(PortRegisters, AreOneShiftRegisterAndACaptureOfEachOutput) {
  EXPECT_EQ(gen::port_registers(small_unit()),
            "module port_registers (\n"
            "  input wire port_clock,\n"
            "  input wire port_serial\n"
            ");\n"
            "  reg first;\n"
            "  reg [2:0] second;\n"
            "  wire [2:0] sum;\n"
            "  (* keep *) reg [2:0] captured_sum;\n"
            "  always @(posedge port_clock) begin\n"
            "    {first, second} <= {first, second, port_serial};\n"
            "    captured_sum <= sum;\n"
            "  end\n"
            "  small_unit unit (\n"
            "    .first(first),\n"
            "    .second(second),\n"
            "    .sum(sum)\n"
            "  );\n"
            "endmodule\n");
  EXPECT_EQ(gen::port_bits(small_unit()), 7);
}

// What nextpnr gets has all of the unit's cells, its RAMs too, and a flip-flop more for each bit of its
// ports.
TEST(PortRegisters, KeepTheUnitWhole) {
  for (const char* preset : {"arbiter_round_robin", "written_filter"}) {
    const gen::Unit unit = gen::elaborate(gen::load_config(preset));
    for (const char* family : {"ecp5", "ice40"}) {
      const auto alone = gen::fpga(unit, family).total(), around = cells_for_nextpnr(unit, family);
      EXPECT_EQ(around.flops, alone.flops + gen::port_bits(unit.top)) << preset << " in " << family;
      EXPECT_GE(around.luts, alone.luts) << preset << " in " << family;
      EXPECT_GT(alone.luts, 0) << preset << " in " << family;
      EXPECT_EQ(around.block_rams, alone.block_rams) << preset << " in " << family;
      EXPECT_EQ(around.block_rams + around.distributed_rams > 0, !unit.storage.empty()) << preset;
    }
  }
}

TEST(PortRegisters, TakeUnitsOfOneClock) {
  const gen::Unit unit = gen::elaborate(gen::load_config("crossing_fifo"));
  EXPECT_EQ(complaint([&] { gen::port_registers(unit.top); }),
            "crossing_fifo has the clocks clk and clk_noc1; --place takes units of one clock");
}

TEST(Placement, ReadsWhatNextpnrReports) {
  const gen::PlacedRun run = gen::read_placed_run(sample("nextpnr.json"));
  EXPECT_NEAR(run.mhz, 349.284, 0.001);
  EXPECT_NEAR(run.path_ns, 1000 / run.mhz, 0.001);
  EXPECT_NEAR(run.routing_ns, 0.588 + 0.959, 0.001);
  EXPECT_EQ(run.from + " to " + run.to, "block_address[17] to index_4");
  ASSERT_EQ(run.cells.size(), 3u) << "kinds that are used";
  EXPECT_EQ(run.cells.at("ICESTORM_LC").used, 47);
  EXPECT_EQ(run.cells.at("ICESTORM_LC").available, 7680);
}

TEST(Placement, RefusesAnUnreadableReport) {
  const json whole = json::parse(sample("nextpnr.json"));
  EXPECT_THAT(complaint([] { gen::read_placed_run("{"); }), StartsWith("nextpnr: its report cannot be read"));
  for (const char* key : {"fmax", "utilization"}) {
    json part = whole;
    part.erase(key);
    EXPECT_THAT(complaint([&] { gen::read_placed_run(part.dump()); }), HasSubstr(key));
  }
  json two = whole;
  two["fmax"]["other"] = {{"achieved", 1}};
  EXPECT_EQ(complaint([&] { gen::read_placed_run(two.dump()); }),
            "nextpnr: the report has 2 clocks in place of one");
}

TEST(Placement, FindsWhatTheDeviceHasTooFewOf) {
  const std::string log = sample("nextpnr_overfull.txt");
  const auto cells = gen::overfull_cells(log);
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells.at("ICESTORM_LC").used, 8309);
  EXPECT_EQ(cells.at("ICESTORM_LC").available, 7680);
}

// The folders of PATH that lack a program.
std::string path_without(const std::string& name) {
  std::string path;
  std::istringstream folders(getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!fs::exists(fs::path(folder) / name)) path += (path.empty() ? "" : ":") + folder;
  return path;
}

// `l1forge area` with a script as nextpnr.
class PlaceCommand : public testing::Test {
 protected:
  PlaceCommand() { fs::create_directories(folder_.path("bin")); }

  void nextpnr(const std::string& family, const std::string& script) const {
    const std::string file = folder_.write("bin/nextpnr-" + family,
                                           "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '(Version "
                                           "nextpnr-7)'; exit; fi\n" +
                                               script + "\n");
    fs::permissions(file, fs::perms::owner_all);
  }

  gen::Finished place(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "area");
    return verif::l1forge(arguments, folder_.path(),
                          {{"PATH", fmt::format("{}:{}", folder_.path("bin"), getenv("PATH"))},
                           {"XDG_CACHE_HOME", folder_.path("cache")}});
  }

  // One line, status 2.
  std::string refusal(const std::vector<std::string>& arguments) const {
    const auto done = place(arguments);
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    return done.output;
  }

  verif::TempFolder folder_;
};

TEST_F(PlaceCommand, ReportsEachSeed) {
  // It takes what nextpnr takes, and reports 100 MHz more for each seed.
  folder_.write("report.json", sample("nextpnr.json"));
  nextpnr("ice40", fmt::format(R"(echo "$@" >>{0}/calls
grep -q '"port_registers"' netlist.json || exit 3
while [ $# -gt 0 ]; do
  case $1 in --seed) seed=$2 ;; --report) report=$2 ;; esac
  shift
done
sed "s/\"achieved\": [0-9.]*/\"achieved\": ${{seed}}00/" {0}/report.json >$report)",
                               folder_.path()));
  const std::vector<std::string> call{"index_pli", "--fpga", "ice40", "--place", "--orders", "3"};
  const auto table = place(call);
  EXPECT_EQ(table.status, 0);
  EXPECT_THAT(
      table.output,
      HasSubstr(
          "clock: 200.0 MHz, 5.00 ns, median of 3 seeds, 100.0..300.0 MHz, after placement and routing by "
          "nextpnr-7\ndevice: iCE40HX8K, CT256, with a flip-flop at each of 50 port bits\n"
          "longest path: block_address[17] to index_4, 2.86 ns, 1.55 ns of it in wires\n"));
  EXPECT_THAT(table.output, testing::ContainsRegex("ICESTORM_LC +47 +7680\n"));
  EXPECT_THAT(folder_.content("calls"), HasSubstr("--hx8k --package ct256 "));

  auto to_json = call;
  to_json.insert(to_json.end(), {"--json", "-"});
  const auto placed = json::parse(place(to_json).output).at("placed");
  EXPECT_THAT(placed.at("mhz_by_seed"), ElementsAre(100, 200, 300));
  EXPECT_EQ(placed.at("mhz"), json::parse(R"({"median": 200.0, "min": 100.0, "max": 300.0})"));
  EXPECT_EQ(placed.at("ns"), 5.0);
  EXPECT_EQ(placed.at("block_rams"), 0);
  EXPECT_EQ(placed.at("port_bits"), 50);
  EXPECT_EQ(placed.at("used_cells").at("SB_IO"), json::parse(R"({"used": 2, "available": 206})"));
}

TEST_F(PlaceCommand, SaysWhatDoesNotFit) {
  folder_.write("log.txt", sample("nextpnr_overfull.txt"));
  nextpnr("ice40", fmt::format("cat {}; exit 125", folder_.path("log.txt")));
  EXPECT_EQ(
      refusal({"index_pli", "--fpga", "ice40", "--place"}),
      "l1forge: index_pli does not fit in iCE40HX8K, CT256: ICESTORM_LC 8309 of 7680, with a flip-flop at "
      "each of its 50 port bits; make it smaller by -s\n");
  nextpnr("ice40", "echo 'Info: routing'; echo 'ERROR: Failed to route arc 3'; echo '1 error'; exit 125");
  EXPECT_EQ(refusal({"index_pli", "--fpga", "ice40", "--place"}),
            "l1forge: nextpnr-ice40: index_pli: Failed to route arc 3\n");
  EXPECT_TRUE(!fs::exists(folder_.path("out.json")));
}

TEST_F(PlaceCommand, SaysThatNextpnrIsMissing) {
  const auto done =
      verif::l1forge({"area", "index_pli", "--fpga", "ecp5", "--place"}, folder_.path(),
                     {{"PATH", folder_.path("bin")}, {"XDG_CACHE_HOME", folder_.path("cache")}});
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.output,
            "l1forge: no nextpnr-ecp5 on PATH: ./forge area NAME --fpga ecp5 --place fetches it\n");
}

TEST_F(PlaceCommand, TakesTheFetchedOne) {
  nextpnr("ecp5", "echo 'ERROR: the fetched one'; exit 1");
  fs::create_directories(folder_.path("cache/l1forge/nextpnr-ecp5-0.11.1"));
  fs::rename(folder_.path("bin"), folder_.path("cache/l1forge/nextpnr-ecp5-0.11.1/bin"));
  const verif::Environment path("PATH", path_without("nextpnr-ecp5"));
  EXPECT_THAT(refusal({"index_pli", "--fpga", "ecp5", "--place"}), HasSubstr("the fetched one"));
}

TEST_F(PlaceCommand, RefusesBadUse) {
  nextpnr("ecp5", "exit 1");
  EXPECT_EQ(refusal({"index_pli", "--fpga", "xilinx7", "--place"}),
            "l1forge: --place: nextpnr is run for ecp5 and ice40, not for xilinx7\n");
  EXPECT_THAT(refusal({"index_pli", "--place"}), HasSubstr("--place requires --fpga"));
  EXPECT_EQ(refusal({"index_pli", "--fpga", "ecp5", "--orders", "3"}),
            "l1forge: --orders: with --fpga it counts the seeds of --place; give both\n");
  EXPECT_THAT(refusal({"crossing_fifo", "--fpga", "ecp5", "--place"}), HasSubstr("takes units of one clock"));
  EXPECT_THAT(refusal({"dc_l1", "--fpga", "ecp5", "--place"}), HasSubstr("is a topology of many caches"));
}

// The tool itself: a division takes longer than a few XOR gates, and all of a unit is placed.
TEST(PlacedUnits, HaveClocksByTheirLogic) {
  for (const char* family : {"ecp5", "ice40"}) {
    try {
      gen::check_placement(family);
    } catch (const gen::ToolError& missing) {
      if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
      GTEST_SKIP() << missing.what();
    }
    const auto placed = [&](const char* preset) {
      return gen::place(gen::elaborate(gen::load_config(preset)), family, 1).seeds.at(0);
    };
    const gen::PlacedRun xors = placed("index_bxi"), prime = placed("index_pri");
    EXPECT_GT(xors.mhz, 1.5 * prime.mhz) << family;
    EXPECT_NEAR(prime.path_ns, 1000 / prime.mhz, 0.01) << family;
    EXPECT_THAT(prime.from, StartsWith("block_address[")) << family;
    const std::string logic = std::string(family) == "ecp5" ? "TRELLIS_COMB" : "ICESTORM_LC";
    EXPECT_GT(prime.cells.at(logic).used, xors.cells.at(logic).used) << family;
  }
}

}  // namespace
