#include "hw/noc/link.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr;

rtl::Module link(int stages, int word_bits) {
  rtl::Module m(
      fmt::format("link_s{}_w{}", stages, word_bits),
      fmt::format("A link of {} register{} (DC-L1 thesis, chapter 4).", stages, stages == 1 ? "" : "s"));
  const Expr in_valid = m.input("in_valid", 1, "something enters");
  const bool words = word_bits > 0;
  const Expr in_word = words ? m.input("in_word", word_bits, "a flit, or the VC of a credit") : Expr{};
  const Expr out_valid = m.output("out_valid", 1, "something leaves");
  const Expr out_word = words ? m.output("out_word", word_bits, "a flit, or the VC of a credit") : Expr{};
  Expr valid = in_valid, word = in_word;
  for (int s = 1; s <= stages; ++s) {
    const Expr valid_q = m.reg(fmt::format("valid{}_q", s), 1, 0, fmt::format("stage {} has something", s));
    const Expr word_q =
        words ? m.data_reg(fmt::format("word{}_q", s), word_bits, "a flit, or the VC of a credit") : Expr{};
    m.clocked(fmt::format("Stage {}.", s), [&] {
      m.set(valid_q, valid);
      if (words) m.set(word_q, word);
    });
    valid = valid_q, word = word_q;
  }
  m.assign(out_valid, valid);
  if (words) m.assign(out_word, word);
  return m;
}

}  // namespace hw
