#include "hw/index/index_pri.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "hw/index/residue_plan.h"
#include "hw/index/residue_stages.h"
#include "hw/prim/pipeline.h"

namespace hw {
namespace {

using Kind = PlanStep::Kind;

// Columns of a row as slices and constants, most significant first.
rtl::Expr columns(const std::vector<RowBit>& bits, const rtl::Expr& address) {
  const auto joins = [](const RowBit& low, const RowBit& high) {
    if (low.address_bit < 0) return high.address_bit < 0;
    return high.address_bit == low.address_bit + 1 && high.inverted == low.inverted;
  };
  std::vector<rtl::Expr> parts;
  for (std::size_t low = 0, high = 0; low < bits.size(); low = ++high) {
    std::uint64_t constant = bits[low].one;
    while (high + 1 < bits.size() && joins(bits[high], bits[high + 1])) {
      ++high;
      constant |= std::uint64_t{bits[high].one} << (high - low);
    }
    if (bits[low].address_bit < 0) {
      parts.push_back(rtl::lit(static_cast<int>(high - low) + 1, constant));
    } else {
      const rtl::Expr slice = address.slice(bits[high].address_bit, bits[low].address_bit);
      parts.push_back(bits[low].inverted ? ~slice : slice);
    }
  }
  return rtl::cat({parts.rbegin(), parts.rend()});
}

rtl::Expr majority(const rtl::Expr& x, const rtl::Expr& y, const rtl::Expr& z) {
  return (x & y) | (z & (x | y));
}

class IndexPriBuilder {
 public:
  IndexPriBuilder(rtl::Module& m, const ResiduePlan& plan, const rtl::Expr& address, int latency)
      : m_(m), plan_(plan), address_(address), pipeline_(m, latency) {}

  // The remainder and the tag, both in the last stage.
  std::pair<rtl::Expr, rtl::Expr> run(const rtl::Expr& tag) {
    for (const PlanStep& step : plan_.steps) {
      if (!step.section.empty()) m_.section(step.section);
      made_.push_back(m_.let(step.name, value(step), step.doc));
      add_unused(step);
    }
    const PlanStep& last = plan_.steps.back();
    const rtl::Expr remainder =
        pipeline_.carry(made_.back(), last.name, last.stage, pipeline_.stages(), "set index");
    const std::pair result{remainder, pipeline_.carry(tag, "tag", 0, pipeline_.stages(), "tag")};
    return result;
  }

  void finish() { pipeline_.finish(); }

 private:
  // The last stage that reads the top bit of step `made`: registers behind it hold the low bits alone.
  int top_use(int made) const {
    int stage = plan_.steps[made].stage;
    for (const PlanStep& step : plan_.steps)
      for (const PlanOperand& from : step.from)
        if (from.step == made && from.high + 1 == plan_.steps[made].width)
          stage = std::max(stage, step.stage);
    return stage;
  }

  // Operand `i` as the step's stage sees it, `width` wide.
  rtl::Expr operand(const PlanStep& step, std::size_t i, int width) {
    const PlanOperand& from = step.from[i];
    const PlanStep& maker = plan_.steps[from.step];
    const int whole_until =
        from.high + 1 == maker.width ? step.stage : std::min(step.stage, top_use(from.step));
    rtl::Expr x = pipeline_.carry(made_[from.step], maker.name, maker.stage, whole_until, maker.name);
    if (from.low > 0 || from.high + 1 < maker.width) x = x.slice(from.high, from.low);
    x = pipeline_.carry(x, maker.name + "_low", whole_until, step.stage,
                        fmt::format("low bits of {}", maker.name));
    if (from.shift > 0) x = rtl::cat({x, rtl::lit(from.shift, 0)});
    return x.width() < width ? rtl::zext(x, width) : x;
  }

  rtl::Expr sum(const PlanStep& step) {
    rtl::Expr total = operand(step, 0, step.width);
    for (std::size_t i = 1; i < step.from.size(); ++i) {
      const rtl::Expr x = operand(step, i, step.width);
      total = step.from[i].subtracted ? total - x : total + x;
    }
    return step.value == 0 ? total : total + rtl::lit(step.width, step.value);
  }

  // One comparison gates the constant, which is small. Two comparisons select among sums made beside them:
  // that is faster, and the short addresses that need two cannot be fast in another way.
  rtl::Expr correction(const PlanStep& step) {
    const rtl::Expr low = operand(step, 0, step.width);
    const auto constant = [&](std::uint64_t n) { return rtl::lit(step.width, n * step.value); };
    if (step.from.size() == 2) return low + rtl::mux(operand(step, 1, 1), constant(1), constant(0));
    rtl::Expr chosen = low;
    for (std::size_t n = 1; n < step.from.size(); ++n)
      chosen = rtl::mux(operand(step, n, 1), low + constant(n), chosen);
    return chosen;
  }

  rtl::Expr value(const PlanStep& step) {
    const int width = step.width, top = width - 1;
    const auto x = [&](int bits) { return operand(step, 0, bits); };
    const auto y = [&](int bits) { return operand(step, 1, bits); };
    const auto z = [&](int bits) { return operand(step, 2, bits); };
    switch (step.kind) {
      case Kind::row:
        return columns(step.bits, address_);
      case Kind::sum:
        return x(width) ^ y(width) ^ z(width);
      case Kind::majority:
        return majority(x(width), y(width), z(width));
      case Kind::carry: {
        const auto low = [&](const rtl::Expr& row) { return row.slice(top - 1, 0); };
        return rtl::cat({majority(low(x(width)), low(y(width)), low(z(width))), rtl::lit(1, 0)});
      }
      case Kind::around:
        return rtl::cat({x(width).slice(top - 1, 0), x(width).bit(top)});
      case Kind::add:
        return sum(step);
      case Kind::bits:
        return x(width);
      case Kind::reaches:
        return x(1) >= rtl::lit(x(1).width(), step.value);
      case Kind::all_ones:
        return rtl::all(x(1) & y(1));
      case Kind::clear:
        return x(width) & ~rtl::replicate(width, y(1));
      case Kind::correct:
        break;
    }
    return correction(step);
  }

  // Of a sum made for its carry-out the lower bits serve nobody.
  void add_unused(const PlanStep& step) {
    if (step.kind != Kind::bits) return;
    const PlanOperand& from = step.from[0];
    const rtl::Expr sum = made_[from.step];
    m_.unused(fmt::format("unused_{}", plan_.steps[from.step].name), sum.slice(from.low - 1, 0),
              "only the carry-out is read");
  }

  rtl::Module& m_;
  const ResiduePlan& plan_;
  rtl::Expr address_;
  Pipeline pipeline_;
  std::vector<rtl::Expr> made_;  // beside the plan's steps
};

}  // namespace

IndexUnit index_pri(const IndexParams& p, const std::string& name) {
  const int width = block_address_bits(p), low = offset_bits(p);
  ResiduePlan plan = residue_plan(width, index_bits(p));
  if (p.latency > 0) place_registers(plan, p.latency);
  const int known =
      std::bit_width(static_cast<unsigned>(plan.prime)) - 1;  // floor(log2 p) bits follow from (set, tag)

  rtl::Module m(
      name,
      fmt::format(
          "Block address modulo {}, the largest prime not above {} (ACI thesis, section 3.2.4). {} sets of "
          "{}-byte lines, {} of them unused.",
          plan.prime, p.sets, p.sets, p.line_bytes, p.sets - plan.prime));
  const auto address =
      m.input("block_address", width, fmt::format("A[{}:{}] of the byte address", p.address_bits - 1, low));
  const auto set_index =
      m.output("set_index", index_bits(p), fmt::format("set that may hold the block, below {}", plan.prime));
  const auto tag = m.output("tag", width - known, fmt::format("A[{}:{}]", p.address_bits - 1, low + known));

  IndexPriBuilder builder(m, plan, address, p.latency);
  const auto [remainder, high] = builder.run(address.slice(width - 1, known));
  m.section("Outputs");
  m.assign(set_index, remainder);
  m.assign(tag, high);
  builder.finish();

  IndexFacts facts;
  facts.tag_bits = width - known;
  facts.tag_reason =
      fmt::format("{} consecutive blocks share a tag, and no two of them leave the same remainder by {}",
                  1 << known, plan.prime);
  facts.prime = plan.prime;
  facts.unused_sets = p.sets - plan.prime;
  return {m, facts};
}

}  // namespace hw
