// Every mistake that the construction library refuses, with the exact text and the line of the call.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hw/rtl/module.h"
#include "hw/rtl/names.h"
#include "hw/rtl/stream.h"
#include "verif/rtl/thrown.h"

using rtl::lit;
using rtl::Module;

namespace {

Module toy() { return Module("toy", "for tests"); }

// The text of the error behind the position, which must be the line of the call itself.
template <class Call>
std::string refusal(Call&& call, const rtl::Loc& loc = rtl::Loc::current()) {
  const std::string text = verif::thrown(call);
  const std::string place = fmt::format("verif/rtl/errors_test.cpp:{}: ", loc.line());
  return text.starts_with(place) ? text.substr(place.size()) : text;
}

// clang-format off: a call and the mistake in it stand on one line.

}  // namespace

TEST(Errors, Width) {
  auto m = toy();
  const auto a = m.input("a", 5, "x"), b = m.input("b", 6, "y");
  const auto y = m.output("y", 6, "y");
  EXPECT_EQ(refusal([&] { m.let("c", a ^ b, "z"); }),
            "[width] module 'toy': 'a ^ b' mixes 5 and 6 bits; widen with zext() or cut with trunc()");
  EXPECT_EQ(refusal([&] { m.assign(y, a); }),
            "[width] module 'toy': 'y' is 6 bits but 'a' is 5; widen with zext() or cut with trunc()");
  EXPECT_EQ(refusal([&] { zext(b, 5); }), "[width] module 'toy': zext('b', 5) narrows 6 bits; use trunc()");
  EXPECT_EQ(refusal([&] { mux(a, b, b); }), "[width] module 'toy': mux select 'a' is 5 bits, not 1");
  EXPECT_EQ(refusal([&] { mux(a.bit(0), a, b); }),
            "[width] module 'toy': 'a : b' mixes 5 and 6 bits; widen with zext() or cut with trunc()");
  EXPECT_EQ(refusal([&] { lit(3, 8); }), "[width] module '-': literal 8 does not fit 3 bits");
  EXPECT_EQ(refusal([&] { m.input("none", 0, "x"); }), "[width] module 'toy': 'none' is 0 bits wide");
  EXPECT_EQ(refusal([&] { m.comb("c", [&] { m.when(a, [] {}); }); }),
            "[width] module 'toy': when('a') tests 5 bits; reduce with any() or compare");
}

TEST(Errors, Name) {
  auto m = toy();
  const auto a = m.input("a", 5, "x");
  EXPECT_EQ(refusal([&] { m.input("a", 1, "x"); }),
            "[name] module 'toy': 'a' is already used in this module");
  EXPECT_EQ(refusal([&] { m.input("case", 1, "x"); }),
            "[name] module 'toy': 'case' is a reserved word of Verilog, SystemVerilog or C++");
  EXPECT_EQ(refusal([&] { m.input("logic", 1, "x"); }),
            "[name] module 'toy': 'logic' is a reserved word of Verilog, SystemVerilog or C++");
  EXPECT_EQ(refusal([&] { m.input("set", 1, "x"); }),
            "[name] module 'toy': 'set' is a reserved word of Verilog, SystemVerilog or C++");
  EXPECT_EQ(refusal([&] { m.input("Big", 1, "x"); }),
            "[name] module 'toy': 'Big' is not lower snake case: a letter first, then letters, digits and "
            "single underscores");
  EXPECT_EQ(refusal([&] { m.input("a__b", 1, "x"); }),
            "[name] module 'toy': 'a__b' has a double or closing underscore, which tools use for their own "
            "names");
  EXPECT_EQ(refusal([&] { m.input("clk", 1, "x"); }),
            "[name] module 'toy': 'clk' is the module's own clock or reset");
  EXPECT_EQ(refusal([&] { m.input("b", 1, ""); }),
            "[name] module 'toy': 'b' needs a few words saying what it carries");
  EXPECT_EQ(refusal([&] { m.reg("count", 1, 0, "x"); }),
            "[name] module 'toy': register 'count' needs a name that ends in _q");
  EXPECT_EQ(refusal([&] { (a ^ a).slice(3, 2); }),
            "[name] module 'toy': cannot slice 'a ^ a': Verilog slices names only; give it one with let()");
  EXPECT_EQ(refusal([&] { m.unused("low_bits", a, "x"); }),
            "[name] module 'toy': 'low_bits' must contain \"unused\", so that lint tools know");
  EXPECT_EQ(refusal([&] { Module("while", "x"); }),
            "[name] module 'while': the module's name is a reserved word of Verilog, SystemVerilog or C++");
}

TEST(Errors, Range) {
  auto m = toy();
  const auto a = m.input("a", 5, "x"), i = m.input("i", 2, "x");
  const auto rows = m.mem("rows", 16, 8, "rows");
  EXPECT_EQ(refusal([&] { a.slice(7, 2); }),
            "[range] module 'toy': slice [7:2] of 'a' (5 bits) is out of range");
  EXPECT_EQ(refusal([&] { a.at(i); }),
            "[range] module 'toy': 'a' has 5 bits, in parts of 1, but the index 'i' can reach 4 parts");
  EXPECT_EQ(refusal([&] { a.part_below(i, 1); }),
            "[range] module 'toy': 'a' has 5 bits, in parts of 1, but the index 'i' can reach 4 parts");
  EXPECT_EQ(refusal([&] { m.load(rows, a); }),
            "[range] module 'toy': memory 'rows' has 16 rows but 'a' has 5 bits");
  EXPECT_EQ(refusal([&] { m.comb("c", [&] {
                            m.pick(i, {{1, [] {}}, {1, [] {}}}, [] {});
                          }); }),
            "[range] module 'toy': pick('i') lists 1 twice");
  auto other = toy();
  const auto half = other.input("half", 4, "x");
  const auto bytes = other.mem("bytes", 16, 8, "bytes");
  EXPECT_EQ(refusal([&] {
              other.clocked("c", [&] {
                other.loop("b", 4, [&](const rtl::Expr& b) { other.store_part(bytes, half, b, half); });
              });
            }),
            "[range] module 'toy': memory 'bytes' rows are 8 bits, in parts of 4, but the index 'b' is no "
            "loop over "
            "them");
}

TEST(Errors, PartsInGenerateLoops) {
  auto m = toy();
  const auto i = m.input("i", 2, "x");
  const auto y = m.output("y", 6, "y");
  const auto far = m.table("FAR", 3, {0, 6}, "x");
  m.repeat("each", 2, "x", [&](const rtl::Expr& n) {
    EXPECT_EQ(refusal([&] {
                y.stepped({{n, 2}}, 1, 2);
              }),
              "[range] module 'toy': 'y' has 6 bits, in parts of 2, but steps from part 1 to 3");
    EXPECT_EQ(refusal([&] {
                y.stepped({{i, 1}}, 0, 2);
              }),
              "[range] module 'toy': 'y' is stepped by 'i', which is no loop variable, or backwards");
    EXPECT_EQ(refusal([&] { y.part(far.part(n, 3), 1); }),
              "[range] module 'toy': 'y' has 6 bits, in parts of 1, but 'FAR[gi * 3 +: 3]' names "
              "part 6");
    m.assign(y.stepped({{n, 2}}, 0, 2), lit(2, 0));
    EXPECT_EQ(refusal([&] {
                m.assign(y.stepped({{n, 1}}, 1, 2), lit(2, 0));
              }),
              "[driver] module 'toy': 'y[gi * 2 + 2 +: 2]' is already driven by assign()");
  });
  EXPECT_EQ(refusal([&] { lit(6, 0).part(i, 1); }),
            "[name] module '-': cannot index '6'h0': Verilog indexes names only; give it one with let()");
  const auto a = m.output("a", 1, "x"), b = m.output("b", 1, "x");
  m.assign(rtl::cat({a, b}), lit(2, 0));
  EXPECT_EQ(refusal([&] {
              m.assign(rtl::cat({b, a}), lit(2, 0));
            }),
            "[driver] module 'toy': 'b' is already driven by assign()");
}

TEST(Errors, PinsThatDriveSeveralNets) {
  Module child("child", "for tests");
  child.assign(child.output("out", 2, "x"), lit(2, 0));
  auto m = toy();
  const auto a = m.wire("a", 1, "x"), b = m.output("b", 1, "x");
  const auto q = m.reg("q_q", 1, 0, "x");
  m.instance(child, "first", {{"out", rtl::cat({b, a})}}, "x");
  EXPECT_EQ(refusal([&] {
              m.instance(child, "second", {{"out", rtl::cat({b, a})}}, "x");
            }),
            "[driver] module 'toy': 'b' is already driven by instance first");
  EXPECT_EQ(refusal([&] {
              m.instance(child, "third", {{"out", rtl::cat({q, a})}}, "x");
            }),
            "[driver] module 'toy': 'q_q' is a register; third.out needs a wire");
  EXPECT_EQ(refusal([&] {
              m.instance(child, "fourth", {{"out", rtl::cat({lit(1, 0), a})}}, "x");
            }),
            "[scope] module 'toy': '1'd0' is not a signal of this module");
}

TEST(Errors, Driver) {
  auto m = toy();
  const auto a = m.input("a", 1, "x");
  const auto y = m.output("y", 2, "y");
  const auto q = m.reg("q_q", 1, 0, "x");
  m.assign(y.bit(0), a);
  EXPECT_EQ(refusal([&] { m.assign(y, zext(a, 2)); }),
            "[driver] module 'toy': 'y' is already driven by assign()");
  EXPECT_EQ(refusal([&] { m.assign(a, a); }), "[driver] module 'toy': 'a' is already driven by the parent");
  EXPECT_EQ(refusal([&] { m.assign(q, a); }),
            "[driver] module 'toy': 'q_q' is a register: set() it inside clocked()");
  EXPECT_EQ(refusal([&] { m.comb("c", [&] { m.set(q, a); }); }),
            "[driver] module 'toy': 'q_q' is a register; it cannot be set in a comb block");
  Module child("child", "c");
  child.assign(child.output("out", 1, "o"), child.input("in_bit", 1, "i"));
  EXPECT_EQ(refusal([&] {
              m.instance(child, "one", {{"in_bit", a}}, "c");
            }),
            "[driver] module 'toy': one.out is not connected");
  EXPECT_EQ(refusal([&] {
              m.instance(child, "two", {{"what", a}}, "c");
            }),
            "[name] module 'toy': module 'child' has no port 'what'");
}

TEST(Errors, BlocksOfOneDescription) {
  auto m = toy();
  const auto a = m.input("a", 1, "x");
  const auto y = m.output("y", 1, "y"), z = m.output("z", 1, "z");
  m.comb("Copy.", [&] { m.set(y, a); });
  m.comb("Copy.", [&] { m.set(z, a); });
  EXPECT_EQ(refusal([&] { m.comb("Copy.", [&] { m.set(y, a); }); }),
            "[driver] module 'toy': 'y' is already driven by comb \"Copy.\"");
  auto clocked = toy();
  const auto p = clocked.reg("p_q", 1, 0, "x"), r = clocked.reg("r_q", 1, 0, "x");
  clocked.clocked("Move.", [&] { clocked.set(p, r); });
  EXPECT_EQ(refusal([&] { clocked.clocked("Move.", [&] { clocked.set(r, p); }); }),
            "[name] module 'toy': another block is already described as \"Move.\"");
}

TEST(Errors, LatchAndOrderInACombinationalBlock) {
  auto m = toy();
  const auto a = m.input("a", 1, "x");
  const auto y = m.output("y", 1, "y"), z = m.output("z", 1, "z");
  EXPECT_EQ(refusal([&] { m.comb("pick y", [&] { m.when(a, [&] { m.set(y, a); }); }); }),
            "[latch] module 'toy': 'y' keeps its old value when no branch sets it; give it a default first "
            "in comb \"pick y\"");
  EXPECT_EQ(refusal([&] { m.comb("late", [&] { m.set(z, ~z); }); }),
            "[loop] module 'toy': 'z' is read before comb \"late\" has set it");
}

TEST(Errors, ScopeAndClock) {
  auto m = toy();
  auto other = Module("other", "d");
  const auto a = m.input("a", 1, "x"), b = other.input("b", 1, "x");
  EXPECT_EQ(refusal([&] { m.let("c", a & b, "z"); }),
            "[scope] module 'toy': 'b' belongs to module 'other'; connect it through a port");
  EXPECT_EQ(refusal([&] { m.set(a, a); }),
            "[scope] module 'toy': set('a') outside clocked() or comb(); use assign()");
  EXPECT_EQ(refusal([&] { m.when(a, [] {}); }),
            "[scope] module 'toy': when() outside clocked() or comb(); use mux() in an assign");
  EXPECT_EQ(refusal([&] {
              m.clocked({"clk_fast", "rst", 2}, "x", [] {});
            }),
            "[clock] module 'toy': 'clk_fast' is not a clock of this module; declare it with clock()");
}

TEST(Errors, Constants) {
  auto m = toy();
  auto other = Module("other", "d");
  const auto a = m.input("a", 2, "x");
  const auto top = m.constant("TOP", 2, 3), foreign = other.constant("LOW", 2, 1);
  EXPECT_EQ(refusal([&] { m.constant("Top", 2, 3); }),
            "[name] module 'toy': constant 'Top' is not upper snake case: a letter first, then letters, "
            "digits and single underscores");
  EXPECT_EQ(refusal([&] { m.constant("TOP__Q", 2, 3); }),
            "[name] module 'toy': constant 'TOP__Q' is not upper snake case: a letter first, then letters, "
            "digits and single underscores");
  EXPECT_EQ(refusal([&] { m.constant("TOP", 2, 2); }),
            "[name] module 'toy': constant 'TOP' has another value in this module");
  EXPECT_EQ(refusal([&] { m.constant("TOP", 3, 3); }),
            "[name] module 'toy': constant 'TOP' has another value in this module");
  EXPECT_EQ(refusal([&] { m.constant("WIDE", 2, 4); }), "[width] module '-': literal 4 does not fit 2 bits");
  EXPECT_EQ(refusal([&] { m.let("b", a == m.constant("WIDER", 3, 3), "y"); }),
            "[width] module 'toy': 'a == WIDER' mixes 2 and 3 bits; widen with zext() or cut with trunc()");
  EXPECT_EQ(refusal([&] { m.let("b", a == foreign, "y"); }),
            "[scope] module 'toy': 'LOW' belongs to module 'other'; connect it through a port");
  EXPECT_EQ(refusal([&] { m.reg("b_q", foreign, "y"); }),
            "[scope] module 'toy': constant 'LOW' belongs to module 'other'; declare it here too");
  EXPECT_EQ(refusal([&] { m.reg("b_q", a, "y"); }),
            "[scope] module 'toy': the reset value of 'b_q' is not a constant");
  EXPECT_EQ(refusal([&] { m.clocked("c", [&] {
                            m.pick(a, {{top, [] {}}, {top, [] {}}}, [] {});
                          }); }),
            "[range] module 'toy': pick('a') lists 3 twice");
}

TEST(Errors, KeysOfACase) {
  for (const bool wide : {true, false}) {
    auto m = toy();
    const auto a = m.input("a", 2, "x");
    const auto key = wide ? lit(3, 1) : a;
    EXPECT_EQ(refusal([&] { m.comb("c", [&] {
                              m.pick(a, {{key, [] {}}}, [] {});
                            }); }),
              fmt::format("[width] module 'toy': pick('a') lists '{}', which is not a constant of 2 bits",
                          wide ? "3'd1" : "a"));
  }
}

TEST(Errors, AConstantThatNothingUses) {
  const int line = __LINE__;
  auto m = toy();
  m.constant("LOST", 2, 1);
  const auto q = m.reg("a_q", m.constant("RESET", 2, 1), "x");
  m.clocked("c", [&] { m.pick(q, {{m.constant("KEY", 2, 2), [&] { m.set(q, lit(2, 0)); }}}, [] {}); });
  EXPECT_EQ(verif::thrown([&] { m.finish(); }),
            fmt::format("verif/rtl/errors_test.cpp:{}: [unused] module 'toy': nothing uses constant 'LOST'; "
                        "drop it",
                        line + 2));
}

TEST(Errors, OfTheWholeModule) {
  const int line = __LINE__;
  auto m = toy();
  const auto a = m.wire("a", 1, "x"), b = m.wire("b", 1, "y");
  m.assign(a, ~b);
  m.assign(b, a);
  m.output("y", 4, "y");
  m.input("z", 2, "never used");
  EXPECT_EQ(verif::thrown([&] { m.finish(); }),
            fmt::format("verif/rtl/errors_test.cpp:{}: [driver] module 'toy': nothing drives 'y'\n"
                        "verif/rtl/errors_test.cpp:{}: [unused] module 'toy': nothing reads 'z'; "
                        "drop it or name it in unused()\n"
                        "verif/rtl/errors_test.cpp:{}: [loop] module 'toy': combinational loop a -> b -> a",
                        line + 5, line + 6, line + 2));
}

TEST(Errors, LoopThroughAnInstance) {
  Module child("child", "passes a bit");
  child.assign(child.output("out", 1, "o"), child.input("in_bit", 1, "i"));
  auto m = toy();
  const auto a = m.wire("a", 1, "x"), b = m.wire("b", 1, "y");
  m.assign(a, ~b);
  m.instance(child, "pass", {{"in_bit", a}, {"out", b}}, "closes the loop");
  EXPECT_THAT(verif::thrown([&] { m.finish(); }), testing::HasSubstr("combinational loop a -> b -> a"));
}

TEST(Errors, UnreadBitsAreNamed) {
  auto m = toy();
  const auto a = m.input("a", 8, "x");
  m.assign(m.output("y", 4, "y"), a.slice(5, 2));
  EXPECT_THAT(verif::thrown([&] { m.finish(); }), testing::HasSubstr("nothing reads 'a[1:0]'"));
}

TEST(Errors, StreamWithoutThatField) {
  auto m = toy();
  const auto s = rtl::input_stream(m, "core_request", {{"id", 8, "request number"}}, "a request");
  EXPECT_THAT(verif::thrown([&] { s["mask"]; }),
              testing::HasSubstr("[name] module 'toy': stream 'core_request' has no field 'mask'"));
}

TEST(Names, ReservedWordsOfThreeLanguages) {
  for (const char* word : {"reg", "wor", "endspecify", "unique0", "always_comb", "nettype", "class",
                           "co_await", "constexpr", "eval"})
    EXPECT_TRUE(rtl::is_reserved(word)) << word;
  for (const char* word : {"way", "tag", "chunk", "a", "set_index"})
    EXPECT_TRUE(rtl::legal_name(word)) << word;
}
