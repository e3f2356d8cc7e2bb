#include "hw/noc/crossing_fifo.h"

#include <fmt/format.h>

#include "hw/noc/noc_ranges.h"
#include "hw/require.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit;

class CrossingFifoBuilder {
 public:
  CrossingFifoBuilder(const CrossingParams& p, rtl::Module& m)
      : p_(p), m_(m), place_bits_(rtl::clog2(static_cast<std::uint64_t>(p.entries))) {}

  void run() {
    const rtl::Clock fast = noc1_clock(m_), slow;
    const rtl::Clock &in_clock = p_.to_fast ? slow : fast, &out_clock = p_.to_fast ? fast : slow;
    const std::vector<rtl::Field> fields{{"data", p_.width, "word"}};
    const rtl::Stream in = rtl::input_stream(m_, "in", fields, "a word enters");
    const rtl::Stream out = rtl::output_stream(m_, "out", fields, "the front word");
    const Expr in_at = m_.reg("in_pointer_q", place_bits_ + 1, 0, "where the next word goes, {round, slot}");
    const Expr out_at = m_.reg("out_pointer_q", place_bits_ + 1, 0, "where the front is, {round, slot}");
    const Expr seen = m_.reg(p_.to_fast ? "out_seen_q" : "in_seen_q", place_bits_ + 1, 0,
                             "the fast side's pointer, as the slow side sees it");
    std::vector<Expr> words;
    for (int k = 0; k < p_.entries; ++k)
      words.push_back(m_.data_reg(fmt::format("word{}_q", k), p_.width, fmt::format("slot {}", k)));

    const Expr& out_view = p_.to_fast ? seen : out_at;
    const Expr& in_view = p_.to_fast ? in_at : seen;
    const Expr full =
        place_bits_ ? (round(in_at) ^ round(out_view)) & (place(in_at) == place(out_view)) : in_at ^ out_view;
    m_.assign(in.ready, ~m_.let("full", full, "as `in` sees it"));
    m_.assign(out.valid, out_at != in_view);
    m_.assign(out["data"], front(words, out_at));
    m_.clocked(in_clock, "A word enters.",
               [&] { m_.when(in.transfer(), [&] { m_.set(in_at, after(in_at)); }); });
    m_.clocked(in_clock, "Keep the word.", [&] {
      for (int k = 0; k < p_.entries; ++k)
        m_.when(p_.entries == 1 ? in.transfer() : in.transfer() & is_place(in_at, k),
                [&] { m_.set(words[static_cast<std::size_t>(k)], in["data"]); });
    });
    m_.clocked(out_clock, "The front leaves.",
               [&] { m_.when(out.transfer(), [&] { m_.set(out_at, after(out_at)); }); });
    m_.clocked("Look at the fast side.", [&] { m_.set(seen, p_.to_fast ? out_at : in_at); });
  }

 private:
  Expr round(const Expr& pointer) const { return place_bits_ ? pointer.bit(place_bits_) : pointer; }
  Expr place(const Expr& pointer) const { return pointer.slice(place_bits_ - 1, 0); }
  Expr is_place(const Expr& pointer, int k) const {
    return place(pointer) == lit(place_bits_, static_cast<unsigned>(k));
  }

  Expr after(const Expr& pointer) const {
    const Expr next = pointer + lit(place_bits_ + 1, 1);
    if (p_.entries == 1 << place_bits_) return next;
    return rtl::mux(is_place(pointer, p_.entries - 1), cat({~round(pointer), lit(place_bits_, 0)}), next);
  }

  Expr front(const std::vector<Expr>& words, const Expr& pointer) {
    if (p_.entries == 1) return words.front();
    Expr chosen;
    for (int k = 0; k < p_.entries; ++k) {
      const Expr one = words[static_cast<std::size_t>(k)] & rtl::replicate(p_.width, is_place(pointer, k));
      chosen = k ? chosen | one : one;
    }
    return chosen;
  }

  const CrossingParams& p_;
  rtl::Module& m_;
  int place_bits_;
};

}  // namespace

rtl::Clock noc1_clock(rtl::Module& m) {
  return m.clock("clk_noc1", "rst", noc1_ratio, "clock of NoC#1: rises with each edge of clk");
}

void check(const CrossingParams& p) {
  require_in(CrossingRanges::entries, "crossing.entries", p.entries, "use 4");
  require_in(CrossingRanges::width, "crossing.width", p.width, "use 8");
}

rtl::Module crossing_fifo(const CrossingParams& p, const std::string& name) {
  check(p);
  rtl::Module m(name, fmt::format("A queue of {} word{} of {} bits from {} (DC-L1 thesis, chapter 5).",
                                  p.entries, p.entries == 1 ? "" : "s", p.width,
                                  p.to_fast ? "clk to clk_noc1" : "clk_noc1 to clk"));
  CrossingFifoBuilder(p, m).run();
  return m;
}

rtl::Module crossing_fifo(const CrossingParams& p) {
  return crossing_fifo(
      p, fmt::format("crossing_fifo_n{}_w{}_{}", p.entries, p.width, p.to_fast ? "to_fast" : "to_slow"));
}

}  // namespace hw
