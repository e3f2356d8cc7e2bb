// The draw that sends a new page to one of two nodes.
#include <array>

#include "hw/blpp/blpp.h"
#include "hw/prim/lfsr.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::zext;

constexpr int draw_steps = 16;  // of the LFSR between two pages

// Which bits of a state add up to each bit of the state `draw_steps` later.
std::vector<std::uint64_t> step_masks() {
  std::array<std::uint64_t, 16> masks;
  for (int bit = 0; bit < 16; ++bit) masks[static_cast<std::size_t>(bit)] = std::uint64_t{1} << bit;
  for (int step = 0; step < draw_steps; ++step) {
    const std::uint64_t entering = masks[0] ^ masks[2] ^ masks[3] ^ masks[5];
    for (std::size_t bit = 0; bit < 15; ++bit) masks[bit] = masks[bit + 1];
    masks[15] = entering;
  }
  std::vector<std::uint64_t> words(4);
  for (std::size_t bit = 0; bit < 16; ++bit) words[bit / 4] |= masks[bit] << 16 * (bit % 4);
  return words;
}

}  // namespace

rtl::Module blpp_place(const BlppParams&, const std::string& name) {
  rtl::Module m(name, "Node of a page: a draw against the part of the GPU node (ACI thesis, section 5.2).");
  const Expr request = m.input("request", 1, "a page is touched for the first time");
  const Expr gpu_full = m.input("gpu_full", 1, "the GPU node has no free page");
  const Expr cpu_full = m.input("cpu_full", 1, "the CPU node has no free page");
  const Expr p = m.input("p", 17, "part of the pages that goes to the GPU node, in 65,536ths");
  const Expr place_cpu = m.output("place_cpu", 1, "the page goes to the CPU node");

  m.section("The draw.");
  const Expr draw_q = m.reg("draw_q", 16, lfsr_seed, "LFSR of 16 bits");
  const Expr masks =
      m.let("masks", rtl::wide_lit(256, step_masks()), "bits that each bit is the parity of, 16 steps on");
  const Expr next = m.wire("next_draw", 16, "the LFSR after 16 steps");
  m.comb("Sixteen steps at once.", [&] {
    m.loop("b", 16, [&](const Expr& b) { m.set(next.at(b), rtl::parity(draw_q & masks.part(b, 16))); });
  });
  m.clocked("A draw for each page.", [&] { m.when(request, [&] { m.set(draw_q, next); }); });
  m.observe("draw", draw_q);

  m.section("A full node gives way to the other.");
  const Expr drawn_cpu = m.let("drawn_cpu", zext(draw_q, 17) >= p, "the draw is for the CPU node");
  m.assign(place_cpu, rtl::mux(drawn_cpu, ~cpu_full | gpu_full, gpu_full & ~cpu_full));
  return m;
}

}  // namespace hw
