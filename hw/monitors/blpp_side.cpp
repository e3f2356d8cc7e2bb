#include "hw/monitors/blpp_side.h"

#include <fmt/format.h>

#include <bit>

#include "hw/monitors/blpp_params.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

BlppSide::BlppSide(rtl::Module& m, const BlppSidePlan& plan, const Expr& step_q, const std::string& factors)
    : m_(m), plan_(plan), step_q_(step_q) {
  const int second = std::bit_width(plan.factor);
  Expr before = in(plan.load, plan.load + plan.bits - 1);
  if (second) before = before | in(plan.again, plan.again + second - 1);
  load_ = moment("load", in(plan.load - 1, plan.load - 1), "the first operand is there");
  again_ = moment("again", in(plan.again - 1, plan.again - 1), "so is the second");
  goes_ = moment("goes", before, "a bit of the factor");
  scan_q_ = m_.data_reg(fmt::format("{}_scan_q", plan.name), blpp_sum_bits, factors);
}

// From one step to another, both included.
Expr BlppSide::in(int from, int to) const {
  const auto step = [](int n) { return lit(6, static_cast<std::uint64_t>(n)); };
  return from == to ? step_q_ == step(from) : (step_q_ >= step(from)) & (step_q_ < step(to + 1));
}

Expr BlppSide::moment(const char* what, const Expr& step_before, const char* doc) {
  const std::string name = fmt::format("{}_{}_q", plan_.name, what);
  const Expr now = m_.reg(name, 1, 0, doc);
  m_.clocked(fmt::format("From the step before, for the {} product: {}.", plan_.name, doc),
             [&] { m_.set(now, step_before); });
  return now;
}

void BlppSide::scans(const Expr& start, const Expr& sum, const Expr& shifts, const Expr& shifted,
                     const Expr& first) {
  const int bits = std::bit_width(plan_.factor);
  const Expr second = lit(blpp_sum_bits, bits ? std::uint64_t{plan_.factor} << (blpp_sum_bits - bits) : 0);
  const Expr next = rtl::cat({scan_q_.slice(blpp_sum_bits - 2, 0), lit(1, 0)});
  m_.clocked(fmt::format("The factor of the {} side.", plan_.name), [&] {
    m_.when(start, [&] { m_.set(scan_q_, sum); }).otherwise([&] {
      m_.when(load_ | again_, [&] { m_.set(scan_q_, mux(load_, first, second)); }).otherwise([&] {
        m_.when(goes_ | shifts, [&] { m_.set(scan_q_, mux(goes_, next, shifted)); });
      });
    });
  });
}

Expr BlppSide::product(const std::array<Expr, 3>& operands, const Expr& operand) {
  const Expr sum = m_.wire(fmt::format("{}_sum", plan_.name), plan_.shape.sum_bits, plan_.doc);
  m_.instance(blpp_product(plan_.shape, fmt::format("{}_{}", m_.name(), plan_.name)), plan_.name,
              {{"load", load_},
               {"again", again_},
               {"goes", goes_},
               {"factor_bit", scan_q_.bit(blpp_sum_bits - 1)},
               {"first", operands[0]},
               {"second", operands[1]},
               {"addend", operands[2]},
               {"operand", operand},
               {"sum", sum}},
              plan_.doc);
  return sum;
}

}  // namespace hw
