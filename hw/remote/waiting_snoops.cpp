#include "hw/remote/waiting_snoops.h"

#include "hw/rtl/stream.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

rtl::Module waiting_snoops(int line_bits, const std::string& name) {
  rtl::Module m(name, "Two snoops wait for the L1, the older first (DC-L1 thesis, chapter 3).");
  const std::vector<rtl::Field> fields{{"line", line_bits, "block address"}};
  const auto in = rtl::input_stream(m, "in", fields, "a snoop of the handler");
  const auto out = rtl::output_stream(m, "out", fields, "the older snoop");
  const Expr taken_q = m.reg("taken_q", 2, 0, "slots with a snoop"),
             first_q = m.reg("first_q", 1, 0, "slot of the older snoop"),
             next_q = m.reg("next_q", 1, 0, "slot of the next snoop that comes"),
             line0_q = m.data_reg("line0_q", line_bits, "block address in slot 0"),
             line1_q = m.data_reg("line1_q", line_bits, "block address in slot 1");
  m.assign(in.ready, ~rtl::all(taken_q));
  m.assign(out.valid, rtl::any(taken_q));
  m.assign(out["line"], mux(first_q, line1_q, line0_q));
  const Expr comes = m.let("comes", in.valid & ~rtl::all(taken_q), "a snoop comes"),
             goes = m.let("goes", out.ready & rtl::any(taken_q), "the older snoop goes");
  const auto slot = [](const Expr& at, const Expr& event) { return rtl::cat({event & at, event & ~at}); };
  m.clocked("The slots.", [&] {
    m.set(taken_q, (taken_q | slot(next_q, comes)) & ~slot(first_q, goes));
    m.set(first_q, first_q ^ goes);
    m.set(next_q, next_q ^ comes);
  });
  m.clocked("A free slot follows what comes.", [&] {
    m.when(~taken_q.bit(0), [&] { m.set(line0_q, in["line"]); });
    m.when(~taken_q.bit(1), [&] { m.set(line1_q, in["line"]); });
  });
  return m;
}

}  // namespace hw
