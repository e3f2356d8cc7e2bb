#include "hw/noc/arbiter_round_robin.h"

#include "hw/noc/noc_ranges.h"
#include "hw/noc/round_robin.h"
#include "hw/require.h"

namespace hw {

void check(const ArbiterParams& p) {
  require_in(ArbiterRanges::inputs, "arbiter.inputs", p.inputs, "use 8, the cores of a cluster");
}

rtl::Module arbiter_round_robin(const ArbiterParams& p, const std::string& name) {
  check(p);
  rtl::Module m(
      name, fmt::format("Round-robin arbiter of {} inputs (DC-L1 thesis, chapter 5): the first request at or "
                        "after a pointer, which moves one past each grant that is used.",
                        p.inputs));
  const auto request = m.input("request", p.inputs, "inputs with a request");
  const auto advance = m.input("advance", 1, "the grant of this cycle is used: move the pointer");
  const auto grant = m.output("grant", p.inputs, "granted input, one-hot; 0 without a request");
  if (p.inputs == 1) {
    m.assign(grant, request);
    m.unused("unused_advance", advance, "one input needs no pointer");
    return m;
  }
  const int bits = pointer_bits(p.inputs);
  const auto pointer = m.reg("pointer_q", bits, 0, "positions behind the last grant, which come first");
  const RoundRobin choice = round_robin(m, request, pointer);
  m.section("Outputs and the next pointer.");
  m.assign(grant, choice.grant);
  m.clocked("The pointer moves past a grant that is used.",
            [&] { m.when(advance & choice.any, [&] { m.set(pointer, choice.next); }); });
  return m;
}

}  // namespace hw
