// A product that takes a bit of its factor in each cycle, in blocks that are a cycle behind each other.
#include "hw/monitors/blpp_product.h"

#include <fmt/format.h>

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::zext;

// The value in block b's cycle, by block: the input, and what it was in the cycles before.
Expr staggered(rtl::Module& m, const std::string& name, const Expr& input, int blocks) {
  const Expr before =
      m.reg(name + "_before_q", blocks - 1, 0, name + " in the cycles before, the last first");
  const Expr each = m.let(name + "_by_block", rtl::cat({before, input}), "the input, as each block sees it");
  m.clocked(fmt::format("Delays {} by a cycle for each block.", name),
            [&] { m.set(before, each.slice(blocks - 2, 0)); });
  return each;
}

// What each block but the highest leaves for the one above in the next cycle; the lowest is left nothing.
Expr from_below(rtl::Module& m, const std::string& name, const Expr& left, int blocks) {
  const Expr kept = m.reg(name + "_q", blocks - 1, 0, "left for the block above in the cycle before");
  m.clocked(fmt::format("Leave each {} for the block above.", name), [&] { m.set(kept, left); });
  return m.let(name + "_in", rtl::cat({kept, lit(1, 0)}), "each block's input from the block below");
}

}  // namespace

rtl::Module blpp_product(const BlppProductShape& s, const std::string& name) {
  const int blocks = s.blocks, bits = s.block_bits(), all = bits * blocks;
  rtl::Module m(name,
                fmt::format("A product, a bit of its factor in each cycle from the highest, in {} blocks "
                            "of {} bits; a block is a cycle behind the one below, so that no carry "
                            "crosses a block within a cycle.",
                            blocks, bits));
  const Expr load = m.input("load", 1, "first + second become the operand, and the sum 0");
  const Expr again = m.input("again", 1, "sum + addend become the operand, and the sum 0");
  const Expr goes = m.input("goes", 1, "the sum doubles and takes the operand if the factor's bit is 1");
  const Expr factor_bit = m.input("factor_bit", 1, "of the factor");
  const auto operand_input = [&](const std::string& port, const char* doc) {
    const Expr value = m.input(port, s.operand_bits, doc);
    return all == s.operand_bits ? value : m.let(port + "_blocks", zext(value, all), port + " in all blocks");
  };
  const Expr first = operand_input("first", "stays from `load` on until all blocks have it");
  const Expr second = operand_input("second", "stays from `load` on until all blocks have it");
  const Expr addend = operand_input("addend", "stays from `again` on until all blocks have it");
  const Expr operand = m.output("operand", s.operand_bits, "the value to be multiplied");
  const Expr sum = m.output("sum", s.sum_bits, "the product so far");

  m.section("The work of each block, a cycle behind the block below.");
  const Expr loads = staggered(m, "load", load, blocks);
  const Expr agains = staggered(m, "again", again, blocks);
  const Expr steps = staggered(m, "goes", goes, blocks);
  const Expr factor = staggered(m, "factor_bit", factor_bit, blocks);

  m.section("A block's one sum serves operand and product.");
  const Expr operand_q = m.data_reg("operand_q", all, "the value to be multiplied");
  const Expr sum_q = m.data_reg("sum_q", all, "the product so far");
  std::vector<Expr> tops, doubled;
  for (int b = blocks - 2; b >= 0; --b) tops.push_back(sum_q.bit(bits * (b + 1) - 1));
  const Expr top_in = from_below(m, "top", rtl::cat(tops), blocks);
  for (int b = blocks - 1; b >= 0; --b) {
    doubled.push_back(sum_q.slice(bits * (b + 1) - 2, bits * b));
    doubled.push_back(top_in.bit(b));
  }
  const Expr twice = m.let("twice", rtl::cat(doubled), "the sum doubled, in each block as of its step");
  const Expr adds = m.wire("adds", all, "one side of each block's sum");
  const Expr to = m.wire("to", all, "the other side");
  m.comb("A step, a new operand from outside, or from the product.", [&] {
    m.loop("b", blocks, [&](const Expr& b) {
      const Expr step = replicate(bits, factor.at(b)) & operand_q.part(b, bits);
      m.set(adds.part(b, bits),
            mux(steps.at(b), step, mux(loads.at(b), second.part(b, bits), addend.part(b, bits))));
      m.set(to.part(b, bits), mux(steps.at(b), twice.part(b, bits),
                                  mux(loads.at(b), first.part(b, bits), sum_q.part(b, bits))));
    });
  });
  std::vector<Expr> carries, next;
  const Expr carry_out = m.wire("carry_out", blocks - 1, "of the sums of the lower blocks");
  const Expr carry_in = from_below(m, "carry", carry_out, blocks);
  for (int b = blocks - 1; b >= 0; --b) {
    const auto with_carry = [&](const Expr& side) {
      return rtl::cat({lit(1, 0), side.slice(bits * (b + 1) - 1, bits * b), carry_in.bit(b)});
    };
    const Expr total = m.let(fmt::format("total_{}", b), with_carry(adds) + with_carry(to),
                             "the block's sum behind a bit for the carry that comes in");
    const bool highest = b + 1 == blocks;
    m.unused(fmt::format("unused_{}", b),
             highest ? rtl::cat({total.bit(bits + 1), total.bit(0)}) : total.bit(0),
             highest ? "a sum is no wider, and the carry was there twice" : "the carry was there twice");
    if (!highest) carries.push_back(total.bit(bits + 1));
    next.push_back(total.slice(bits, 1));
  }
  m.assign(carry_out, rtl::cat(carries));
  const Expr total = m.let("total", rtl::cat(next), "all blocks' sums");
  m.clocked("Take a new operand, or a bit of the factor.", [&] {
    m.loop("b", blocks, [&](const Expr& b) {
      m.when(steps.at(b), [&] { m.set(sum_q.part(b, bits), total.part(b, bits)); }).otherwise([&] {
        m.when(loads.at(b) | agains.at(b), [&] {
          m.set(operand_q.part(b, bits), total.part(b, bits));
          m.set(sum_q.part(b, bits), lit(bits, 0));
        });
      });
    });
  });
  m.assign(operand, operand_q.slice(s.operand_bits - 1, 0));
  m.assign(sum, sum_q.slice(s.sum_bits - 1, 0));
  return m;
}

}  // namespace hw
