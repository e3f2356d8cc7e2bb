#include "hw/prim/fifo.h"

#include <fmt/format.h>

#include "hw/rtl/stream.h"

namespace hw {

using rtl::Expr;

// Words move towards the front. An entry that is free always follows the input, and only `valid_q` says where
// the word counts: no entry needs the write position, and the last one not even an enable.
rtl::Module fifo(int entries, int width) {
  rtl::Module m(fmt::format("fifo_n{}_w{}", entries, width),
                fmt::format("A queue of {} word{} of {} bits; the front is a register.", entries,
                            entries == 1 ? "" : "s", width));
  const std::vector<rtl::Field> fields{{"data", width, "word"}};
  const auto in = rtl::input_stream(m, "in", fields, "a word enters");
  const auto out = rtl::output_stream(m, "out", fields, "the front word");
  const Expr valid = m.reg("valid_q", entries, 0, "entries that hold a word, from the front on");
  std::vector<Expr> entry;
  for (int k = 0; k < entries; ++k)
    entry.push_back(m.data_reg(fmt::format("entry{}_q", k), width,
                               k == 0 ? "the front" : fmt::format("{} behind the front", k)));

  const auto holds = [&](int k) { return entries == 1 ? valid : valid.bit(k); };
  m.assign(in.ready, ~holds(entries - 1));
  m.assign(out.valid, holds(0));
  m.assign(out["data"], entry[0]);
  const Expr push = m.let("push", in.valid & ~holds(entries - 1), "a word enters");
  const Expr pop = m.let("pop", out.ready & holds(0), "the front leaves");
  m.clocked("Count the words.", [&] {
    m.when(push & ~pop, [&] {
       m.set(valid, entries == 1 ? rtl::lit(1, 1) : rtl::cat({valid.slice(entries - 2, 0), rtl::lit(1, 1)}));
     }).otherwise([&] {
      m.when(pop & ~push, [&] {
        m.set(valid, entries == 1 ? rtl::lit(1, 0) : rtl::cat({rtl::lit(1, 0), valid.slice(entries - 1, 1)}));
      });
    });
  });
  m.clocked("Move the words.", [&] {
    for (int k = 0; k + 1 < entries; ++k)
      m.when(out.ready | ~holds(k),
             [&] { m.set(entry[k], rtl::mux(holds(k + 1), entry[k + 1], in["data"])); });
    const Expr last = entry[entries - 1];
    m.when(entries == 1 ? out.ready | ~valid : ~holds(entries - 1), [&] { m.set(last, in["data"]); });
  });
  return m;
}

}  // namespace hw
