// The draw that sends a new page to one of two nodes.
#include "hw/monitors/blpp.h"
#include "hw/prim/lfsr.h"

namespace hw {
using rtl::Expr, rtl::lit, rtl::zext;

rtl::Module blpp_place(const BlppParams&, const std::string& name) {
  rtl::Module m(name, "Node of a page: a draw against the part of the GPU node (ACI thesis, section 5.2).");
  const Expr request = m.input("request", 1, "a page is touched for the first time");
  const Expr gpu_full = m.input("gpu_full", 1, "the GPU node has no free page");
  const Expr cpu_full = m.input("cpu_full", 1, "the CPU node has no free page");
  const Expr p = m.input("p", 17, "part of the pages that goes to the GPU node, in 65,536ths");
  const Expr place_cpu = m.output("place_cpu", 1, "the page goes to the CPU node");

  m.section("The draw.");
  const Expr draw_q = m.reg("draw_q", 16, lfsr_seed, "LFSR of 16 bits");
  const Expr next = lfsr_after_16(m, "next_draw", draw_q);
  m.clocked("A draw for each page.", [&] { m.when(request, [&] { m.set(draw_q, next); }); });
  m.observe("draw", draw_q);

  m.section("A full node gives way to the other.");
  const Expr drawn_cpu = m.let("drawn_cpu", zext(draw_q, 17) >= p, "the draw is for the CPU node");
  m.assign(place_cpu, rtl::mux(drawn_cpu, ~cpu_full | gpu_full, gpu_full & ~cpu_full));
  return m;
}

}  // namespace hw
