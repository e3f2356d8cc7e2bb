// Properties of the FIFO between clk and clk_noc1, as Verilog around a unit: neighbours that may do all that
// the handshake allows, and scoreboard kept from the ports.
#pragma once
#include <string>

#include "verif/formal/prove.h"

namespace verif {

enum class CrossingClaim {
  order,    // a word that is shown is inside, and any one word leaves in order, once: none is lost or
            // doubled
  bounded,  // never more words inside than there are entries
  moves,    // a word that is inside is shown, and a free entry is offered, within four cycles of clk_noc1
};

// Of a FIFO of words of one bit. The proof has one clock, that of clk_noc1: every edge of clk is one of its
// edges, so blocks on clk become blocks on clk_noc1 that act in every second cycle.
Property crossing_property(CrossingClaim claim, int entries, bool to_fast, const std::string& unit,
                           std::string unit_verilog);

}  // namespace verif
