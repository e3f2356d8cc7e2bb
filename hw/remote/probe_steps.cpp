#include "hw/remote/probe_steps.h"

namespace hw {

using rtl::Expr;

rtl::Module probe_step(const ProbeHandlerParams& p, const std::string& name) {
  rtl::Module m(name, "A probe behind a core that it has been to (DC-L1 thesis, section 3.3.4).");
  const int core = core_or_none_bits(p.cores), pointer_width = pointer_bits(p);
  const Expr leader = m.input("leader", 1, "the probe looks for the line itself, not for who has it"),
             found = m.input("found", 1, "the core has the line"),
             targets = m.input("targets", list_bits(p), "cores of the probe's list, all ones for none"),
             pointer = m.input("pointer", pointer_width, "position of this core in the list");
  const Expr next_targets = m.output("next_targets", list_bits(p), "the list behind this core"),
             next_pointer = m.output("next_pointer", pointer_width, "position of the next core");
  const Expr erases = m.let("erases", ~leader & ~found, "a scout strikes this core from its list");
  m.comb("Cores that a scout's list still names have the line, or are not searched yet.", [&] {
    m.loop("place", p.coverage, [&](const Expr& k) {
      const Expr here = erases & (pointer == k.slice(pointer_width - 1, 0));
      m.set(next_targets.part(k, core), targets.part(k, core) | rtl::replicate(core, here));
    });
  });
  m.assign(next_pointer, pointer + rtl::lit(pointer_width, 1));
  return m;
}

rtl::Module probe_way(const ProbeHandlerParams& p, const std::string& name) {
  rtl::Module m(name, "Where a probe goes (DC-L1 thesis, section 3.3.4).");
  const int core = core_or_none_bits(p.cores), pointer_width = pointer_bits(p);
  const Expr targets = m.input("targets", list_bits(p), "cores of the probe's list, all ones for none"),
             pointer = m.input("pointer", pointer_width, "position of the next core in the list"),
             asker = m.input("asker", core, "the core that asks"),
             destination = m.output("destination", core, "the next core, or the one that requests");
  m.comb("Behind its last target a probe goes back.", [&] {
    m.set(destination, asker);
    m.loop("place", p.coverage, [&](const Expr& k) {
      const Expr target = targets.part(k, core);
      m.when((pointer == k.slice(pointer_width - 1, 0)) & ~rtl::all(target),
             [&] { m.set(destination, target); });
    });
  });
  return m;
}

}  // namespace hw
