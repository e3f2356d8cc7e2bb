#include "hw/policy/protected_ways.h"

#include "hw/policy/protection_row.h"

namespace hw {

using rtl::Expr;

std::optional<Expr> ProtectedWays::open_ways(rtl::Module& m, const ProbeStage&) {
  return open_ = m.wire("open_ways", p_.ways, "ways of the set that are neither protected nor reserved");
}

rtl::Condition ProtectedWays::instead_of_allocation(rtl::Module& m, const ProbeStage&) {
  return none_open_ = m.wire("none_open", 1, "the load finds no way with its tag, and none is open");
}

void ProtectedWays::follow(rtl::Module& m, const ProbeStage& probe, const WaysUsed& ways) {
  const Expr& set = probe.request.set_index;
  const Expr matches = m.let("way_matches", ways.matches, "a way holds the line, or waits for it");
  m.instance(protection_row(p_, m.name() + "_protection"), "protection",
             {{"probe", probe.decision.load},
              {"index", set},
              {"hit", matches},
              {"way", ways.probe},
              {"reserved", ways.reserved},
              {"accept", probe.commit.load_fires},
              {"fill", probe.fill.found},
              {"fill_index", probe.fill.set_index},
              {"fill_way", ways.fill},
              {"kill", ways.empties & matches},
              {"kill_way", ways.probe},
              {"flush", probe.flush},
              {"moves", probe.next.moves},
              {"comes", probe.next.comes},
              {"enter_index", probe.next.set_index},
              {"bypass", none_open_},
              {"open", open_}},
             "Protection of lines.");
}

}  // namespace hw
