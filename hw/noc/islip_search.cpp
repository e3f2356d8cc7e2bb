#include "hw/noc/islip_search.h"

#include <fmt/format.h>

#include "hw/noc/round_robin.h"

namespace hw {
namespace {

using rtl::Expr;

// A pointer over `lines` that moves past the line that is used; without one it stays.
Expr moved(const Expr& used, const Expr& pointer) {
  std::vector<Expr> bits;
  for (int k = used.width() - 2; k >= 0; --k)
    bits.push_back(rtl::any(used.slice(k, 0)) | (pointer.bit(k) & ~rtl::any(used)));
  return rtl::cat(bits);
}

}  // namespace

rtl::Module islip_search(int inputs, bool moves, bool pairwise) {
  rtl::Module m(fmt::format("islip_{}{}_i{}", pairwise ? "offer" : "accept", moves ? "" : "_later", inputs),
                fmt::format("The first of {} requests at or after a pointer (McKeown, iSLIP).", inputs));
  const int bits = pointer_bits(inputs);
  const auto request = m.input("request", inputs, "who asks");
  const auto pointer = m.input("pointer", bits, "positions behind the last grant, which come first");
  const Expr used = moves ? m.input("used", inputs, "the grant where it is accepted, else 0") : Expr{};
  const auto grant = m.output("grant", inputs, "who is served, one-hot; 0 without a request");
  const Expr next = moves ? m.output("next", bits, "the pointer past an accepted grant") : Expr{};
  if (inputs <= widest_direct_choice) {
    m.assign(grant, direct_choice(m, request, pointer, {}, pairwise));
    if (moves) m.assign(next, moved(used, pointer));
    return m;
  }
  const RoundRobin choice = round_robin(m, request, pointer);
  m.section("Outputs.");
  m.assign(grant, choice.grant);
  if (moves) m.assign(next, rtl::mux(rtl::any(used), choice.next, pointer));
  return m;
}

}  // namespace hw
