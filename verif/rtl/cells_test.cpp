// Cells: modules with parameters, one text for all values. What is delivered is the circuit that is verified,
// and a text that depends on a value is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "gen/delivered.h"
#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "hw/noc/link.h"
#include "hw/noc/vc_input.h"
#include "hw/noc/vc_output.h"
#include "hw/prim/fifo.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/register_file.h"
#include "hw/prim/sram.h"
#include "hw/rtl/enabled.h"
#include "hw/rtl/module_data.h"
#include "verif/rtl/thrown.h"

namespace {

using rtl::Module, rtl::Size;
using testing::ElementsAre, testing::HasSubstr;

// The module in a top of its own, as a unit has it.
Module used(const Module& part) {
  Module top("top", "for tests");
  std::vector<std::pair<std::string, rtl::Expr>> pins;
  for (const rtl::Signal& s : part.data().signals)
    if (s.role == rtl::Role::input || s.role == rtl::Role::output) pins.push_back(rtl::pass_on(top, s));
  top.instance(part, "part", pins, "The part.");
  return top;
}

std::vector<std::string> names_of(const Module& top) {
  std::vector<std::string> names;
  for (const auto& m : gen::delivered_verilog(top)) names.push_back(m.name);
  return names;
}

std::string all_of(const Module& top) {
  std::string text;
  for (const auto& m : gen::delivered_verilog(top)) text += m.text;
  return text;
}

gen::Finished run_on(const std::string& text, std::vector<std::string> argv) {
  const gen::TempDir work("cells");
  gen::write_file_atomically(work / "cells.v", text);
  argv.push_back("cells.v");
  return gen::run({.argv = std::move(argv), .folder = work.path()});
}

// Whether both texts are one circuit, register by register, by yosys.
bool same_circuit(const std::string& verified, const std::string& delivered) {
  const gen::TempDir work("cells");
  gen::write_file_atomically(work / "gold.v", verified);
  gen::write_file_atomically(work / "gate.v", delivered);
  std::string script;
  for (const char* side : {"gold", "gate"})
    script += fmt::format(
        "read_verilog {0}.v; hierarchy -check -top top; proc; flatten; memory_map; opt_clean; rename top "
        "{0}; "
        "design -stash {0}; ",
        side);
  script +=
      "design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; equiv_make gold gate "
      "equiv; "
      "hierarchy -top equiv; equiv_simple -undef; equiv_induct -undef; equiv_status -assert";
  const gen::Finished done = gen::run({.argv = {"yosys", "-q", "-p", script}, .folder = work.path()});
  EXPECT_TRUE(done.ok() || done.output.find("Found ") != std::string::npos) << done.output;
  return done.ok();
}

std::string apart(const Module& top) {
  std::string text;
  for (const Module& m : rtl::modules_of(top)) text += gen::verilog(m);
  return text;
}

// The cell stands in a function's instance, of a module of its own.
Module holder(int bits, const std::function<rtl::Expr(Module&, const rtl::Expr&)>& built) {
  Module m("holder", "for tests");
  const rtl::Expr out = built(m, m.input("bits", bits, "bits"));
  m.assign(m.output("out", out.width(), "out"), out);
  return m;
}
Module lowest(int bits) {
  return holder(bits, [](Module& m, const rtl::Expr& e) { return hw::lowest_of(m, "lowest", e, "lowest"); });
}
Module numbered(int bits) {
  return holder(bits, [](Module& m, const rtl::Expr& e) { return hw::number_of(m, "number", e, "number"); });
}
Module below(int groups, int group) {
  return holder(groups * group, [=](Module& m, const rtl::Expr& e) {
    return hw::below_in_groups(m, "below", e, group, "below");
  });
}
Module at_least(int count, int bits) {
  return holder(
      bits, [=](Module& m, const rtl::Expr& e) { return hw::at_least(m, "several", count, e, "several"); });
}

std::vector<Module> cells() {
  const hw::CrossbarParams one{.inputs = 3, .outputs = 2, .flit_bytes = 1, .vcs = 1, .vc_depth = 2},
      two{.inputs = 2, .outputs = 3, .flit_bytes = 2, .side_bits = 3, .vcs = 2, .vc_depth = 3};
  return {hw::fifo(1, 1),
          hw::fifo(1, 5),
          hw::fifo(2, 8),
          hw::fifo(5, 1),
          hw::fifo(7, 3),
          hw::sram_1rw(2, 1),
          hw::sram_1rw(5, 9),
          hw::sram_1rw_bytes(2, 8),
          hw::sram_1rw_bytes(5, 24),
          hw::sram_1r1w(2, 1),
          hw::sram_1r1w(9, 4),
          hw::register_file(2, 1),
          hw::register_file(5, 3),
          hw::link(1, 0),
          hw::link(3, 0),
          hw::link(1, 1),
          hw::link(3, 4),
          hw::vc_input(one),
          hw::vc_input(two),
          hw::vc_output(one),
          hw::vc_output(two),
          lowest(9),
          lowest(16),
          numbered(2),
          numbered(11),
          below(1, 5),
          below(4, 2),
          below(3, 8),
          at_least(2, 9),
          at_least(3, 16)};
}

// With an enable as well, where there are registers.
std::vector<Module> forms(const Module& plain) {
  if (!rtl::is_clocked(plain)) return {plain};
  return {plain, rtl::enabled(plain)};
}

}  // namespace

TEST(Cells, WhatIsDeliveredIsWhatIsVerified) {
  for (const Module& plain : cells())
    for (const Module& cell : forms(plain)) {
      const Module top = used(cell);
      EXPECT_TRUE(same_circuit(apart(top), all_of(top))) << cell.name();
    }
}

// Against statements that look for one bit after the other.
TEST(Cells, SearchesFindWhatTheySay) {
  const auto refers = [](int bits, int out, const std::string& body) {
    return fmt::format(
        "module top (input wire [{}:0] bits, output reg [{}:0] out);\n  integer i;\n"
        "  always @* begin\n    out = 0;\n    for (i = 0; i < {}; i = i + 1) {}\n  end\nendmodule\n",
        bits - 1, out - 1, bits, body);
  };
  const std::string lowest_bit = "if (bits[i] && out == 0) out[i] = 1;";
  EXPECT_TRUE(same_circuit(refers(9, 9, lowest_bit), all_of(used(lowest(9)))));
  EXPECT_TRUE(same_circuit(refers(16, 16, lowest_bit), all_of(used(lowest(16)))));
  EXPECT_TRUE(same_circuit(refers(11, 4, "if (bits[i]) out = out | i;"), all_of(used(numbered(11)))));
  const auto below_bit = [](int group) {
    return fmt::format("out[i] = i % {} != 0 && (bits[i - 1] || out[i - 1]);", group);
  };
  EXPECT_TRUE(same_circuit(refers(24, 24, below_bit(8)), all_of(used(below(3, 8)))));
  EXPECT_TRUE(same_circuit(refers(5, 5, below_bit(5)), all_of(used(below(1, 5)))));
  EXPECT_FALSE(same_circuit(refers(24, 24, below_bit(4)), all_of(used(below(3, 8)))));
  const auto counts = [](int bits, int count) {
    return fmt::format(
        "module top (input wire [{}:0] bits, output wire out);\n  integer i;\n  reg [7:0] sum;\n"
        "  always @* begin\n    sum = 0;\n    for (i = 0; i < {}; i = i + 1) sum = sum + bits[i];\n  end\n"
        "  assign out = sum >= {};\nendmodule\n",
        bits - 1, bits, count);
  };
  for (const int bits : {2, 5, 9, 16})
    for (const int count : {2, 3}) {
      EXPECT_TRUE(same_circuit(counts(bits, count), all_of(used(at_least(count, bits))))) << bits << count;
      EXPECT_FALSE(same_circuit(counts(bits, count - 1), all_of(used(at_least(count, bits)))))
          << bits << count;
    }
}

TEST(Cells, AnotherCircuitIsFound) {
  const Module top = used(hw::fifo(3, 2));
  const std::string text = all_of(top), sound = "valid_q <= pushed[DEPTH-1:0];";
  ASSERT_THAT(text, HasSubstr(sound));
  std::string broken = text;
  broken.replace(broken.find(sound), sound.size(), "valid_q <= popped[DEPTH-1:0];");
  EXPECT_FALSE(same_circuit(apart(top), broken));
}

TEST(Cells, NoToolHasARemark) {
  for (const Module& plain : cells())
    for (const Module& cell : forms(plain)) {
      const std::string text = all_of(used(cell));
      for (const auto& argv : {std::vector<std::string>{"verilator", "--lint-only", "-Wall",
                                                        "-Wno-DECLFILENAME", "--top-module", "top"},
                               {"iverilog", "-g2005", "-Wall", "-s", "top", "-o", "/dev/null"}}) {
        const gen::Finished done = run_on(text, argv);
        EXPECT_TRUE(done.ok()) << cell.name();
        EXPECT_EQ(done.output, "") << cell.name();
      }
    }
}

TEST(Cells, SizesShareAModule) {
  Module top("top", "for tests");
  for (const Module& part : {hw::fifo(2, 8), hw::fifo(3, 8), hw::fifo(2, 1)}) {
    std::vector<std::pair<std::string, rtl::Expr>> pins;
    for (const rtl::Signal& s : part.data().signals) {
      const std::string port = part.name() + "_" + s.name;
      if (s.role == rtl::Role::input) pins.emplace_back(s.name, top.input(port, s.width, s.doc));
      if (s.role == rtl::Role::output) pins.emplace_back(s.name, top.output(port, s.width, s.doc));
    }
    top.instance(part, part.name() + "_queue", pins, "A queue.");
  }
  EXPECT_THAT(names_of(top), ElementsAre("fifo", "top"));
  const std::string text = all_of(top);
  for (const char* instance :
       {"fifo #(.DEPTH(2), .WIDTH(8)) fifo_n2_w8_queue (", "fifo #(.DEPTH(3), .WIDTH(8)) fifo_n3_w8_queue (",
        "fifo #(.DEPTH(2), .WIDTH(1)) fifo_n2_w1_queue ("})
    EXPECT_THAT(text, HasSubstr(instance));
  EXPECT_EQ(rtl::modules_of(top).size(), 4) << "elsewhere they are modules of their own";
}

TEST(Cells, ABlackBoxIsOfOneSize) {
  const Module top = used(hw::sram_1rw(5, 9));
  const auto modules = gen::delivered_verilog(top, gen::RamBodies::stubs);
  ASSERT_EQ(modules.size(), 2);
  EXPECT_EQ(modules[0].name, "sram_1rw_5x9_no_change");
  EXPECT_THAT(modules[0].text, HasSubstr("// sram_1rw_5x9_no_change: 5 rows of 9 bits, one access a cycle."));
  EXPECT_THAT(modules[0].text, HasSubstr("(* blackbox *)"));
  EXPECT_THAT(modules[0].text, Not(HasSubstr("ROWS")));
  EXPECT_THAT(modules[1].text, HasSubstr("sram_1rw_5x9_no_change part ("));
}

namespace {

// Two of one cell beside each other, whose second text has a number where the parameter belongs.
Module careless(int width) {
  Module m(fmt::format("careless_{}", width), "For tests.");
  m.cell("careless");
  const Size size = m.parameter("WIDTH", width, 8, "bits");
  const rtl::Expr in = m.input("in", size, "in");
  m.assign(m.output("out", size, "out"), in ^ rtl::replicate(width, rtl::lit(1, 1)));
  return m;
}

}  // namespace

TEST(Cells, ATextThatDependsOnAValueIsRefused) {
  Module top("top", "for tests");
  for (const int width : {3, 4})
    top.instance(careless(width), fmt::format("part{}", width),
                 {{"in", top.input(fmt::format("in{}", width), width, "in")},
                  {"out", top.output(fmt::format("out{}", width), width, "out")}},
                 "A part.");
  EXPECT_EQ(verif::thrown([&] { gen::delivered_verilog(top); }),
            "careless_4: the text of cell careless depends on the values of its parameters");
}

TEST(Cells, ParametersHaveNamesOfTheirOwn) {
  Module m("toy", "for tests");
  m.parameter("WIDTH", 3, 8, "bits");
  EXPECT_THAT(verif::thrown([&] { m.parameter("WIDTH", 3, 8, "bits"); }),
              HasSubstr("parameter 'WIDTH' is not upper snake case, or there is one of that name"));
  EXPECT_THAT(verif::thrown([&] { m.parameter("width", 3, 8, "bits"); }), HasSubstr("parameter 'width'"));
  EXPECT_THAT(verif::thrown([&] { m.cell("Cell"); }), HasSubstr("the cell's name is not lower snake case"));
}

TEST(Cells, SizesThatMeetByChanceAreRefused) {
  Module m("toy", "for tests");
  const Size a = m.parameter("A", 4, 8, "bits"), b = m.parameter("B", 4, 8, "bits");
  const rtl::Expr x = m.input("x", a, "x"), y = m.input("y", b, "y"), numbers = m.input("z", 8, "z");
  EXPECT_THAT(verif::thrown([&] { x& y; }), HasSubstr("'x & y' mixes A and B bits"));
  const rtl::Expr index = m.input("index", 1, "i");
  EXPECT_THAT(verif::thrown([&] { numbers.part(index, a); }), HasSubstr("a loop alone can index them"));
}

TEST(Cells, SizesAreWrittenOneWay) {
  const Size d = Size::named("DEPTH", 4), w = Size::named("WIDTH", 8);
  EXPECT_EQ((d + 1 - 1).text(), "DEPTH");
  EXPECT_EQ((d + 1) * w - 1, d * w + w - 1);
  EXPECT_EQ(((d + 1) * w - 1).text(), "DEPTH * WIDTH + WIDTH - 1");
  EXPECT_EQ((w * d - 1).text(false), "DEPTH*WIDTH-1");
  EXPECT_EQ((2 * w - d).text(), "2 * WIDTH - DEPTH");
  EXPECT_EQ((d - d).text(), "0");
  EXPECT_TRUE((d - d).is_number());
  EXPECT_EQ(address_bits(d + 1).text(), "$clog2(DEPTH+1)");
  EXPECT_EQ(address_bits(d + 1).value(), 3);
  EXPECT_EQ(divided(w, 8).text(), "WIDTH/8");
  EXPECT_EQ(divided(w * 2, 8).value(), 2);
}
