#include "hw/prim/fifo.h"

#include <fmt/format.h>

#include "hw/rtl/stream.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::Size;

// Words move towards the front. An entry that is free always follows the input, and only `valid_q` says where
// the word counts: no entry needs the write position, and the last one not even an enable.
rtl::Module fifo(const Size& entries, const Size& word_bits) {
  rtl::Module m(fmt::format("fifo_n{}_w{}", entries.value(), word_bits.value()),
                "A queue of DEPTH words of WIDTH bits; the front is a register.");
  m.cell("fifo");
  const Size depth = m.parameter("DEPTH", entries, 2, "words");
  const Size width = m.parameter("WIDTH", word_bits, 8, "bits of a word");
  const std::vector<rtl::Field> fields{{"data", width.value(), "word", width}};
  const auto in = rtl::input_stream(m, "in", fields, "a word enters");
  const auto out = rtl::output_stream(m, "out", fields, "the front word");
  const Expr valid = m.reg("valid_q", depth, 0, "entries that hold a word, from the front on");
  const Expr entries_q = m.data_reg("entries_q", depth * width, "the words, from the front on");

  const Expr pushed =
      m.let("pushed", cat({valid, lit(1, 1)}), "valid_q after a push; bit DEPTH: all are taken");
  const Expr popped =
      m.let("popped", cat({lit(1, 0), valid}), "bit 0: there is a front; above: valid_q after a pop");
  m.assign(in.ready, ~pushed.bit(depth));
  m.assign(out.valid, popped.bit(0));
  m.assign(out["data"], entries_q.slice(width - 1, 0));
  const Expr push = m.let("push", in.valid & ~pushed.bit(depth), "a word enters");
  const Expr pop = m.let("pop", out.ready & popped.bit(0), "the front leaves");
  m.clocked("Count the words.", [&] {
    m.when(push & ~pop, [&] { m.set(valid, pushed.slice(depth - 1, 0)); }).otherwise([&] {
      m.when(pop & ~push, [&] { m.set(valid, popped.slice(depth, 1)); });
    });
  });
  m.clocked("Move the words.", [&] {
    m.loop("k", depth - 1, [&](const Expr& k) {
      m.when(out.ready | ~valid.at(k), [&] {
        m.set(entries_q.part(k, width),
              rtl::mux(valid.stepped({{k, 1}}, 1, 1), entries_q.stepped({{k, 1}}, 1, width), in["data"]));
      });
    });
    m.when(~pushed.bit(depth), [&] { m.set(entries_q.stepped({}, depth - 1, width), in["data"]); });
  });
  return m;
}

}  // namespace hw
