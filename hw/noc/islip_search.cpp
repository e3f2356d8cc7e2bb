#include "hw/noc/islip_search.h"

#include <fmt/format.h>

#include "hw/noc/round_robin.h"
#include "hw/rtl/optional.h"

namespace hw {
namespace {

using rtl::Expr;

// Positions behind the one that is set, from position 1 on.
Expr behind(const Expr& one) {
  std::vector<Expr> bits;
  for (int k = one.width() - 2; k >= 0; --k) bits.push_back(rtl::any(one.slice(k, 0)));
  return rtl::cat(bits);
}

// The next pointer where each grant is used. There is one whenever somebody asks: one that is not above a
// position is below it.
Expr past_each(const Expr& asks, const Expr& grant, const Expr& pointer) {
  const int n = grant.width();
  std::vector<Expr> bits;
  for (int k = n - 2; k >= 0; --k)
    bits.push_back(k < n / 2 ? rtl::any(grant.slice(k, 0)) : asks & ~rtl::any(grant.slice(n - 1, k + 1)));
  return (pointer & rtl::replicate(n - 1, ~asks)) | rtl::cat(bits);
}

// The next pointer where the grant is accepted. Low positions look at what is accepted alone; for the others
// what lies behind the grant is known before.
Expr past_accepted(const Expr& accepted, const Expr& used, const Expr& grant, const Expr& pointer) {
  const int n = grant.width();
  std::vector<Expr> bits;
  for (int k = n - 2; k >= 0; --k)
    bits.push_back(k < n / 2 ? rtl::any(accepted.slice(k, 0)) : rtl::any(grant.slice(k, 0)) & used);
  return rtl::cat(bits) | (pointer & rtl::replicate(n - 1, ~used));
}

std::string name_of(int inputs, Moves moves, bool pairwise) {
  const char* what = moves == Moves::if_used       ? "offer"
                     : moves == Moves::if_accepted ? "answered"
                     : moves == Moves::each        ? "accept"
                                                   : "later";
  return fmt::format("islip_{}{}_i{}", what, pairwise ? "_pairwise" : "", inputs);
}

}  // namespace

// What lies behind a grant is known before it is accepted: only one bit is waited for.
rtl::Expr pointer_past(const rtl::Expr& chosen, const rtl::Expr& used, const rtl::Expr& pointer) {
  const auto all = [&](const Expr& bit) { return rtl::replicate(pointer.width(), bit); };
  return (behind(chosen) & all(used)) | (pointer & all(~used));
}

rtl::Module islip_search(int inputs, Moves moves, bool pairwise) {
  rtl::Module m(name_of(inputs, moves, pairwise),
                fmt::format("The first of {} requests at or after a pointer (McKeown, iSLIP).", inputs));
  const int bits = pointer_bits(inputs);
  const auto request = m.input("request", inputs, "inputs with a request");
  const auto pointer = m.input("pointer", bits, "positions behind the last grant, which come first");
  rtl::Optional used, accepted, next;
  if (moves == Moves::if_accepted) accepted = m.input("accepted", inputs, "the grant, if it is used");
  if (moves == Moves::if_used) used = m.input("used", 1, "the grant is used");
  const auto grant = m.output("grant", inputs, "granted input, one-hot; 0 without a request");
  if (moves != Moves::no) next = m.output("next", bits, "the pointer past a grant that is used");
  const bool direct = inputs <= widest_direct_choice;
  RoundRobin choice;
  if (direct) {
    choice.grant = direct_choice(m, request, pointer, {}, pairwise);
  } else {
    choice = round_robin(m, request, pointer);
    m.section("Outputs.");
  }
  m.assign(grant, choice.grant);
  if (moves == Moves::no) return m;
  if (moves == Moves::each) used = m.let("asks", rtl::any(request), "there is a grant");
  if (moves == Moves::if_accepted) used = rtl::any(*accepted);
  if (!direct)
    m.assign(*next, rtl::mux(*used, choice.next, pointer));
  else if (moves == Moves::if_used)
    m.assign(*next, pointer_past(grant, *used, pointer));
  else if (moves == Moves::if_accepted)
    m.assign(*next, past_accepted(*accepted, *used, grant, pointer));
  else
    m.assign(*next, past_each(*used, grant, pointer));
  return m;
}

}  // namespace hw
