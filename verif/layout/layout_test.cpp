// Layouts of small units: every net of the netlist is in the DEF, figures are those of its rows and wires,
// magic finds wires that touch, and big units are refused.
#include "gen/layout/layout.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "gen/layout/blif.h"
#include "gen/process.h"
#include "verif/full_tier.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The pins of each net, as "XOR2X1_3.A"; cells of a type have numbers in the order of the netlist.
using Pins = std::map<std::string, std::set<std::string>>;

Pins pins_of_netlist(const std::string& blif) {
  Pins pins;
  std::map<std::string, int> counts;
  std::istringstream lines(blif);
  for (std::string line, word; std::getline(lines, line);) {
    std::istringstream words(line);
    words >> word;
    const std::string kind = word;
    if (kind == ".inputs" || kind == ".outputs") {
      while (words >> word) pins[word].insert("PIN." + word);
    } else if (kind == ".gate") {
      std::string type;
      words >> type;
      const std::string cell = fmt::format("{}_{}", type, ++counts[type]);
      while (words >> word) {
        const std::size_t equals = word.find('=');
        pins[word.substr(equals + 1)].insert(cell + "." + word.substr(0, equals));
      }
    }
  }
  return pins;
}

Pins pins_of_def(const std::string& def) {
  const std::size_t begin = def.find("\nNETS "), end = def.find("\nEND NETS");
  std::istringstream words(def.substr(begin, end - begin));
  Pins pins;
  std::string net;
  bool in_pins = false;
  for (std::string word; words >> word;) {
    if (word == "-") words >> net, in_pins = true, pins[net];
    if (word == "+") in_pins = false;
    if (word != "(" || !in_pins) continue;
    std::string cell, pin;
    words >> cell >> pin;
    pins[net].insert(cell + "." + pin);
  }
  return pins;
}

// Cells of one type may be renumbered by the tools.
std::map<std::string, std::multiset<std::string>> by_type(const Pins& pins) {
  std::map<std::string, std::multiset<std::string>> types;
  for (const auto& [net, list] : pins)
    for (const std::string& pin : list)
      types[net].insert(std::regex_replace(pin, std::regex("^([A-Z0-9]+)_\\d+\\."), "$1."));
  return types;
}

class SmallLayout : public testing::Test {
 protected:
  static void SetUpTestSuite() { result_ = gen::layout_of(gen::load_config("index_pli")); }
  static gen::LayoutResult result_;
};
gen::LayoutResult SmallLayout::result_;

}  // namespace

TEST_F(SmallLayout, HasEveryNetOfTheNetlist) {
  const Pins netlist = pins_of_netlist(result_.blif), def = pins_of_def(result_.def);
  EXPECT_GT(netlist.size(), 50u);
  EXPECT_EQ(by_type(netlist), by_type(def));
  EXPECT_EQ(result_.report.nets, static_cast<int>(netlist.size()));
}

// As `l1forge area` counts them, and a buffer for each tag bit that is an address bit.
TEST_F(SmallLayout, FiguresAreThoseOfTheRows) {
  const gen::LayoutReport& r = result_.report;
  EXPECT_EQ(r.cells, 41 + 20);
  EXPECT_DOUBLE_EQ(r.cell_um2, 2296 + 20 * 24);
  EXPECT_EQ(r.failed_nets, 0);
  EXPECT_EQ(r.drc_errors, 0);
  EXPECT_EQ(r.tied_outputs, 0);
  EXPECT_GT(r.utilisation(), 0.8);
  EXPECT_LE(r.utilisation(), 1.0);
  EXPECT_LE(r.core_um2, r.width_um * r.height_um);
  EXPECT_NEAR(std::remainder(r.core_um2, 0.8 * 10), 0.0, 1e-6) << "sites of 0.8 x 10 um";
  EXPECT_GT(r.total_wire_um(), 500);
  EXPECT_GT(r.vias, r.nets);
  // Rows and cells do not overlap.
  const gen::DefLayout layout = gen::parse_def(result_.def);
  EXPECT_EQ(static_cast<int>(layout.cells.size()), r.cells + r.fillers);
  std::set<std::pair<double, double>> corners;
  for (const gen::DefCell& cell : layout.cells)
    EXPECT_TRUE(corners.emplace(cell.x, cell.y).second) << cell.name;
}

TEST_F(SmallLayout, ThePictureHasAllCellsAndWires) {
  const std::string& svg = result_.svg;
  const auto count = [&](const std::string& what) {
    int n = 0;
    for (std::size_t at = 0; (at = svg.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(count("fill=\"#e5e7eb\""), result_.report.cells);
  std::size_t wires = 0;
  for (const gen::DefWire& wire : gen::parse_def(result_.def).wires) wires += wire.length() > 0 ? 1 : 0;
  std::size_t drawn = 0;
  const std::regex path("<path d=\"([^\"]*)\"[^>]*stroke-opacity=\"0.9\"");
  for (std::sregex_iterator m(svg.begin(), svg.end(), path), end; m != end; ++m)
    drawn += static_cast<std::size_t>(std::ranges::count((*m)[1].str(), 'M'));
  EXPECT_EQ(drawn, wires);
  EXPECT_THAT(svg, HasSubstr("index_pli: "));
}

// A wire across all others, and a DEF that nobody can read.
TEST_F(SmallLayout, MagicFindsWiresThatTouch) {
  EXPECT_EQ(gen::wire_errors(result_.def, "index_pli"), 0);
  std::string broken = result_.def;
  const std::size_t net = broken.find("+ ROUTED metal3");
  ASSERT_NE(net, std::string::npos);
  broken.insert(net, "+ ROUTED metal3 ( 100 135 ) ( 7000 * )\n");
  EXPECT_GT(gen::wire_errors(broken, "index_pli"), 0);
  EXPECT_THROW(gen::wire_errors("nothing\n", "index_pli"), gen::ToolError);
  std::string unread = result_.def;  // by magic: another name of the same section
  unread.replace(unread.find("\nCOMPONENTS "), 12, "\nCOMPONENTZ ");
  EXPECT_THROW(gen::wire_errors(unread, "index_pli"), gen::ToolError);
}

TEST(Layout, NetlistsHaveOnePinANet) {
  const auto module = nlohmann::json::parse(R"({
    "ports": {"a": {"direction": "input", "bits": [2, 3]}, "unread": {"direction": "input", "bits": [9]},
              "same": {"direction": "output", "bits": [2]}, "x": {"direction": "output", "bits": [4, 4, "0"]}},
    "cells": {"g": {"type": "NAND2X1", "connections": {"A": [2], "B": [5], "Y": [4]}},
              "h": {"type": "INVX1", "connections": {"A": [3], "Y": [5]}}}})");
  const gen::Blif blif = gen::blif_of(module, "unit");
  EXPECT_EQ(blif.text,
            ".model unit\n.inputs a[0] a[1]\n.outputs same x[0] x[1]\n.gate BUFX2 A=a[0] Y=same\n"
            ".gate BUFX2 A=x[0] Y=x[1]\n.gate NAND2X1 A=a[0] B=n5 Y=x[0]\n.gate INVX1 A=a[1] Y=n5\n.end\n");
  EXPECT_EQ(blif.cells, 4);
  EXPECT_EQ(blif.tied_outputs, 1);
  auto tied = module;
  tied["cells"]["h"]["connections"]["A"][0] = "1";
  EXPECT_THROW(gen::blif_of(tied, "unit"), gen::ToolError);
}

TEST(Layout, ReadsDef) {
  const gen::DefLayout layout = gen::parse_def(
      "UNITS DISTANCE MICRONS 100 ;\nDIEAREA ( -320 -300 ) ( 680 700 ) ;\nCOMPONENTS 1 ;\n"
      "- g_1 INVX1 + PLACED ( 40 50 ) FS ;\nEND COMPONENTS\nNETS 2 ;\n- n ( PIN n ) ( g_1 A )\n"
      "+ ROUTED metal1 ( 100 200 ) ( 300 * ) ( * 250 )\n NEW metal2 ( 300 250 ) M2_M1 ;\n- m ( g_1 Y ) ;\n"
      "END NETS\nSPECIALNETS 2 ;\n- n\n+ ROUTED metal1 40 ( 0 0 ) ( 10 * ) ;\n"
      "- vdd\n+ FIXED metal6 160 ( 0 -300 ) ( * 700 )\n ;\nEND SPECIALNETS\n");
  EXPECT_DOUBLE_EQ(layout.right - layout.left, 10);
  ASSERT_EQ(layout.cells.size(), 1u);
  EXPECT_DOUBLE_EQ(layout.cells[0].x, 0.4);
  EXPECT_EQ(layout.nets, 2);
  EXPECT_EQ(layout.vias, 1);
  double length = 0;
  for (const gen::DefWire& wire : layout.wires) length += wire.length();
  EXPECT_NEAR(length, 2 + 0.5 + 0.1, 1e-9);
  ASSERT_EQ(layout.stripes.size(), 1u);
  EXPECT_DOUBLE_EQ(layout.stripes[0].length(), 10);
  EXPECT_THROW(gen::parse_def(""), gen::ToolError);
  EXPECT_THROW(gen::parse_def("UNITS DISTANCE MICRONS 100 ; DIEAREA ( 1 x"), gen::ToolError);
  EXPECT_THROW(gen::parse_def("UNITS DISTANCE MICRONS 100 ; DIEAREA ( 1 2 ) ( 3 4 ) ; COMPONENTS 1 ; - g"),
               gen::ToolError);
}

TEST(LayoutCommand, RefusesBigUnitsAndMissingTools) {
  const verif::TempFolder folder;
  const auto refused = [&](const std::string& unit, const std::string& why) {
    const auto done = verif::l1forge({"layout", unit, "-o", folder.path("out")});
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.output, HasSubstr(why));
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
  };
  refused("l1d", "l1forge: layout: l1d has 23 RAMs: ");
  refused("dc_l1", "l1forge: layout: dc_l1 is a topology of many caches: ");
  // Tools of another folder: yosys and tclsh are there, graywolf is not.
  std::filesystem::create_directory(folder.path("bin"));
  for (const char* tool : {"yosys", "tclsh"})
    std::filesystem::create_symlink(gen::find_tool(tool), folder.path(std::string("bin/") + tool));
  const auto lacking =
      verif::l1forge({"layout", "index_pli", "-o", folder.path("out")}, {}, {{"PATH", folder.path("bin")}});
  EXPECT_EQ(lacking.status, 2);
  EXPECT_EQ(lacking.output,
            "l1forge: graywolf: not found on PATH; install it by: apt-get install graywolf\n");
  EXPECT_THAT(verif::TempFolder().names(), IsEmpty());
}

TEST(LayoutCommand, WritesDefPictureAndReport) {
  const verif::TempFolder folder;
  const auto run = [&] {
    return verif::l1forge({"layout", "index_bxi", "-o", folder.path("out"), "--json", folder.path("a.json")});
  };
  const auto done = run();
  ASSERT_TRUE(done.ok()) << done.output;
  EXPECT_THAT(done.output, HasSubstr("nets without a route  0\n"));
  const auto json = nlohmann::json::parse(folder.content("a.json"));
  EXPECT_EQ(json["failed_nets"], 0);
  EXPECT_GT(json["wire_um"], 0);
  const std::string def = folder.content("out/index_bxi.def"), svg = folder.content("out/index_bxi.svg");
  // The tools' results do not change from run to run.
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(folder.content("out/index_bxi.def"), def);
  EXPECT_EQ(folder.content("out/index_bxi.svg"), svg);
  folder.write("out/index_bxi.def", "mine\n");
  EXPECT_THAT(run().output, HasSubstr("l1forge did not write it"));
  EXPECT_EQ(folder.content("out/index_bxi.def"), "mine\n");
}

// Flops too: a thousand cells.
TEST(LayoutCommand, LaysOutAThousandCells) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": half a minute";
  const gen::LayoutResult result = gen::layout_of(gen::load_config("mode_selector"));
  EXPECT_GT(result.report.cells, 1000);
  EXPECT_EQ(result.report.failed_nets, 0);
  EXPECT_EQ(result.report.drc_errors, 0);
  EXPECT_EQ(by_type(pins_of_netlist(result.blif)), by_type(pins_of_def(result.def)));
}
