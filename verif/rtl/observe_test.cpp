// What a module shows of its state leaves its Verilog as it is, and mistakes in it are refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gen/cosim/probe.h"
#include "gen/print_verilog.h"
#include "hw/prim/sram.h"
#include "verif/rtl/thrown.h"

using rtl::Expr;
using rtl::lit;
using rtl::Module;

namespace {

template <class Call>
std::string refusal(Call&& call, const rtl::Loc& loc = rtl::Loc::current()) {
  const std::string text = verif::thrown(call);
  const std::string place = fmt::format("verif/rtl/observe_test.cpp:{}: ", loc.line());
  return text.starts_with(place) ? text.substr(place.size()) : text;
}

// Four rows of 6 bits, the last that was written beside them.
struct Rows {
  explicit Rows(bool observed) {
    const Expr write = m.input("write", 1, "a row is written");
    const Expr row = m.input("row", 2, "its number");
    const Expr data = m.input("data", 6, "its value");
    const Expr out = m.output("read_data", 6, "a row");
    last_q = m.reg("last_q", 6, 0, "written last");
    m.instance(hw::sram_1r1w(4, 6), "store",
               {{"read", ~write},
                {"read_row", row},
                {"read_data", out},
                {"write", write},
                {"write_row", row},
                {"write_data", data & ~last_q}},
               "The rows.");
    m.clocked("Keep it.", [&] { m.set(last_q, data); });
    if (!observed) return;
    m.observe("last", last_q, {{"half", 2}});
    m.observe("row", m.stored("store", m.looked_at("line", 2)), {{"half", 2}});
    m.observe("top", m.stored("store", m.looked_at("line", 2)).slice(5, 4) ^ last_q.slice(1, 0));
  }
  Module m{"rows", "for tests"};
  Expr last_q;
};

}  // namespace

TEST(Observe, LeavesTheVerilogAlone) { EXPECT_EQ(gen::verilog(Rows(true).m), gen::verilog(Rows(false).m)); }

TEST(Observe, IsShownByTheWrapper) {
  const Rows rows(true);
  const auto shown = gen::shown_state(rows.m);
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0].name, "last");
  EXPECT_EQ(shown[0].width, 3);
  EXPECT_FALSE(shown[0].look);
  EXPECT_EQ(shown[0].value, "dut.last_q");
  EXPECT_EQ(shown[1].look, (rtl::Index{"line", 4}));
  EXPECT_EQ(shown[1].value, "dut.store.rows[look_at_line]");
  EXPECT_EQ(shown[2].value, "dut.store.rows[look_at_line][5:4] ^ dut.last_q[1:0]");
  const std::string wrapper = gen::probed(rows.m, false, shown).verilog;
  EXPECT_THAT(wrapper, testing::HasSubstr("input wire [1:0] look_at_line,\n"));
  EXPECT_THAT(wrapper, testing::HasSubstr("assign state0 = {122'd0, dut.last_q};  // last\n"));
}

TEST(Observe, RowsOfRamsInLoops) {
  Module m("rows", "for tests");
  const Expr read = m.input("read", 1, "read"), row = m.input("row", 2, "row"),
             data = m.input("data", 3, "data");
  const Expr high = m.output("high", 2, "high bits"), low = m.output("low", 4, "low bits");
  m.repeat("banks", 2, "Two.", [&](const Expr& bank) {
    m.instance(hw::sram_1r1w(4, 3), "store",
               {{"read", read},
                {"read_row", row},
                {"read_data", rtl::cat({high.at(bank), low.part(bank, 2)})},
                {"write", ~read},
                {"write_row", row},
                {"write_data", data}},
               "One.");
  });
  m.observe("bank1", m.stored("banks[1].store", m.looked_at("line", 2)));
  EXPECT_EQ(gen::shown_state(m).at(0).value, "dut.banks[1].store.rows[look_at_line]");
  EXPECT_EQ(refusal([&] { m.stored("banks[2].store", lit(2, 0)); }),
            "[name] module 'rows': there is no instance 'banks[2].store' before this line");
  EXPECT_EQ(refusal([&] { m.stored("store", lit(2, 0)); }),
            "[name] module 'rows': there is no instance 'store' before this line");
  EXPECT_THAT(gen::verilog(m), testing::HasSubstr("        .read_data({high[gi], low[gi * 2 +: 2]}),\n"));
}

TEST(Observe, Mistakes) {
  Rows rows(true);
  Module& m = rows.m;
  EXPECT_EQ(refusal([&] { m.observe("last", rows.last_q); }),
            "[name] module 'rows': 'last' is already observed in this module");
  EXPECT_EQ(refusal([&] { m.observe("some", Expr{}); }),
            "[scope] module 'rows': 'some' is given an empty Expr");
  const std::vector<rtl::Index> four{{"part", 4}};
  EXPECT_EQ(refusal([&] { m.observe("some", rows.last_q, four); }),
            "[range] module 'rows': 'some' has 6 bits, which are no 4 equal parts");
  EXPECT_EQ(refusal([&] { m.observe("some", m.looked_at("line", 2) ^ m.looked_at("column", 2)); }),
            "[scope] module 'rows': looks at a line and at a column at once");
  EXPECT_EQ(refusal([&] { m.stored("shop", lit(2, 0)); }),
            "[name] module 'rows': there is no instance 'shop' before this line");
  EXPECT_EQ(refusal([&] { m.looked_at("line", 0); }), "[width] module 'rows': 'line' is 0 bits wide");
  Module other("other", "for tests");
  EXPECT_EQ(refusal([&] { other.observe("last", rows.last_q); }),
            "[scope] module 'other': 'last_q' belongs to module 'rows'; observe it there");
}

// The number is an input of the wrapper, which the module itself does not have.
TEST(Observe, WhatIsLookedAtIsNoNet) {
  Module m("toy", "for tests");
  m.assign(m.output("y", 2, "y"), m.looked_at("line", 2));
  EXPECT_THAT(verif::thrown([&] { m.finish(); }),
              testing::HasSubstr("[scope] module 'toy': 'look_at_line' is for observe() alone"));
}
