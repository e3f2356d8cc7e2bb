#include "hw/noc/link.h"

#include <fmt/format.h>

#include "hw/rtl/optional.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::Size;

rtl::Module link(int stages, int word_bits) {
  const bool words = word_bits > 0;
  rtl::Module m(fmt::format("link_s{}_w{}", stages, word_bits),
                words ? "A link of STAGES registers (DC-L1 thesis, chapter 4)."
                      : "A link of STAGES registers without a word (DC-L1 thesis, chapter 4).");
  m.cell(words ? "link" : "link_without_word");
  const Size depth = m.parameter("STAGES", stages, 1, "registers one behind the other");
  const Size width = words ? m.parameter("WIDTH", word_bits, 8, "bits of a word") : Size(0);
  const char* word = "a flit, or the VC of a credit";
  const Expr in_valid = m.input("in_valid", 1, "something enters");
  rtl::Optional in_word, out_word, word_q, all;
  if (words) in_word = m.input("in_word", width, word);
  const Expr out_valid = m.output("out_valid", 1, "something leaves");
  if (words) out_word = m.output("out_word", width, word);
  const Expr valid_q = m.reg("valid_q", depth, 0, "stages that have something");
  if (words) word_q = m.data_reg("word_q", depth * width, "words of the stages");
  const Expr valids = m.let("valids", cat({valid_q, in_valid}), "of the stages behind the input");
  if (words) all = m.let("words", cat({*word_q, *in_word}), "of the stages behind the input");
  m.clocked("One stage further.", [&] {
    m.set(valid_q, valids.slice(depth - 1, 0));
    if (words) m.set(*word_q, all->slice(depth * width - 1, 0));
  });
  m.assign(out_valid, valids.bit(depth));
  if (words) m.assign(*out_word, all->stepped({}, depth, width));
  return m;
}

}  // namespace hw
