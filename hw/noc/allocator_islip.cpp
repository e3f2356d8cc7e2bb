#include "hw/noc/allocator_islip.h"

#include <optional>

#include "hw/noc/islip_search.h"
#include "hw/noc/noc_ranges.h"
#include "hw/noc/round_robin.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr;

class AllocatorIslipBuilder {
 private:
  struct Side {
    std::string name;
    int count, width;                   // searches side by side, and lines of each
    std::optional<Expr> pointers = {};  // none for one line
    Expr used = {}, next = {};
  };

 public:
  AllocatorIslipBuilder(const AllocatorParams& p, rtl::Module& m)
      : p_(p), m_(m), pairs_(p.inputs * p.outputs) {}

  void run() {
    const auto request = m_.input("request", pairs_, "bit i*J + j: input i has something for output j");
    const auto grant =
        m_.output("grant", pairs_, "matched pairs in the same order: one an input and an output at most");
    outputs_ =
        make_side("offer", p_.outputs, p_.inputs, "per output, the inputs behind its last accepted offer");
    inputs_ = make_side("accept", p_.inputs, p_.outputs,
                        "per input, the outputs behind the last one that it accepted");
    if (p_.inputs > 1)
      by_output_ = m_.wire("accepted_by_output", pairs_, "pairs of the first iteration, bit j*I + i");
    Expr matched = iteration(1, request);
    if (p_.inputs > 1) turn(by_output_, matched, p_.inputs, p_.outputs);
    for (int k = 2; k <= p_.iterations; ++k) {
      const Expr more = iteration(k, unmatched(k, request, matched));
      matched =
          m_.let(fmt::format("matched_{}", k), matched | more, fmt::format("pairs after iteration {}", k));
    }
    m_.section("Outputs and the next pointers.");
    m_.assign(grant, matched);
    if (p_.inputs == 1 && p_.outputs == 1) return;
    m_.clocked("Pointers move past what was accepted in the first iteration.", [&] {
      for (const Side* side : {&outputs_, &inputs_})
        if (side->pointers) m_.set(*side->pointers, side->next);
    });
  }

 private:
  // Drives `out` with the same pairs in the other order: `rows` of `columns` bits become columns.
  void turn(const Expr& out, const Expr& pairs, int rows, int columns) {
    if (rows == 1 || columns == 1) return m_.assign(out, pairs);
    for (int c = 0; c < columns; ++c) {
      std::vector<Expr> bits;
      for (int r = rows - 1; r >= 0; --r) bits.push_back(pairs.bit(r * columns + c));
      m_.assign(out.slice(c * rows + rows - 1, c * rows), rtl::cat(bits));
    }
  }
  Expr turned(const std::string& name, const Expr& pairs, int rows, int columns, const std::string& doc) {
    const Expr out = m_.wire(name, pairs_, doc);
    turn(out, pairs, rows, columns);
    return out;
  }

  Side make_side(const std::string& name, int count, int width, const std::string& doc) {
    Side side{name, count, width};
    if (width == 1) return side;
    const int bits = count * pointer_bits(width);
    side.pointers = m_.reg(name + "_pointers_q", bits, 0, doc);
    side.next = m_.wire(name + "_pointers_next", bits, "pointers after this cycle");
    return side;
  }

  // The first iteration moves the pointers, by what is accepted of its choices; without `accepted` all are.
  Expr searches(const Side& side, int k, const Expr& lines, const std::optional<Expr>& accepted,
                const std::string& doc) {
    const std::string name = fmt::format("{}_{}", side.name, k);
    const Moves moves = k > 1 ? Moves::no : accepted ? Moves::if_accepted : Moves::each;
    if (side.width == 1) return m_.let(name, lines, doc);
    const int bits = pointer_bits(side.width);
    const Expr out = m_.wire(name, pairs_, doc);
    const auto search_of = [&](const Expr& lines_of, const std::optional<Expr>& accepted_of,
                               const Expr& out_of, const Expr& pointer, const Expr& next) {
      std::vector<std::pair<std::string, Expr>> pins{{"request", lines_of}, {"pointer", pointer}};
      if (moves == Moves::if_accepted) pins.emplace_back("accepted", *accepted_of);
      pins.emplace_back("grant", out_of);
      if (k == 1) pins.emplace_back("next", next);
      m_.instance(islip_search(side.width, moves, false), name + "_search", pins,
                  "Serves the first request at or after the pointer.");
    };
    if (side.count == 1) {
      search_of(lines, accepted, out, *side.pointers, side.next);
      return out;
    }
    m_.repeat(fmt::format("each_{}", name), side.count, doc, [&](const Expr& n) {
      std::optional<Expr> accepted_of;
      if (moves == Moves::if_accepted) accepted_of = accepted->part(n, side.width);
      search_of(lines.part(n, side.width), accepted_of, out.part(n, side.width), side.pointers->part(n, bits),
                side.next.part(n, bits));
    });
    return out;
  }

  Expr iteration(int k, const Expr& request) {
    const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, k); };
    m_.section(fmt::format("Iteration {}: offers of the outputs, then acceptance by the inputs.", k));
    const Expr asked = turned(name("asked"), request, p_.inputs, p_.outputs, "requests, bit j*I + i");
    const Expr offered = searches(outputs_, k, asked, by_output_, "each output's offer, bit j*I + i");
    const Expr offers = turned(name("offers"), offered, p_.outputs, p_.inputs, "the offers, bit i*J + j");
    return searches(inputs_, k, offers, {}, "the offer that each input accepts, bit i*J + j");
  }

  // Requests between inputs and outputs that have no partner yet.
  Expr unmatched(int k, const Expr& request, const Expr& matched) {
    const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, k); };
    const Expr outputs = m_.wire(name("outputs_taken"), p_.outputs, "outputs that are matched");
    const Expr open =
        m_.wire(name("open"), pairs_, "requests between inputs and outputs that are not matched");
    m_.comb(fmt::format("Requests left for iteration {}.", k), [&] {
      m_.set(outputs, rtl::lit(p_.outputs, 0));
      m_.loop("row", p_.inputs,
              [&](const Expr& i) { m_.set(outputs, outputs | matched.part(i, p_.outputs)); });
      m_.loop("open_row", p_.inputs, [&](const Expr& i) {
        const Expr taken = rtl::replicate(p_.outputs, rtl::any(matched.part(i, p_.outputs)));
        m_.set(open.part(i, p_.outputs), request.part(i, p_.outputs) & ~outputs & ~taken);
      });
    });
    return open;
  }

  const AllocatorParams& p_;
  rtl::Module& m_;
  int pairs_;
  Side outputs_, inputs_;
  Expr by_output_;
};

}  // namespace

void check(const AllocatorParams& p) {
  require_in(AllocatorRanges::inputs, "allocator.inputs", p.inputs, "use 8");
  require_in(AllocatorRanges::outputs, "allocator.outputs", p.outputs, "use 8");
  require_in(AllocatorRanges::iterations, "allocator.iterations", p.iterations,
             "use 1, the smallest and fastest");
}

rtl::Module allocator_islip(const AllocatorParams& p, const std::string& name) {
  check(p);
  rtl::Module m(
      name,
      fmt::format("iSLIP allocator of I = {} inputs and J = {} outputs, {} iteration{} (McKeown, iSLIP; "
                  "DC-L1 thesis, chapter 5).",
                  p.inputs, p.outputs, p.iterations, p.iterations == 1 ? "" : "s"));
  AllocatorIslipBuilder(p, m).run();
  return m;
}

}  // namespace hw
