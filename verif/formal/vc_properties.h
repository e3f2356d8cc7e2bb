// Properties of a crossbar with virtual channels, as Verilog around a unit, from
// docs/contracts/vc-crossbar.md: neighbours that may do all that is legal, and scoreboard kept from the
// ports.
#pragma once
#include <string>
#include <vector>

#include "verif/formal/prove.h"

namespace verif {

// Of a crossbar without side bits and with flits of one byte. J must be a power of two.
struct VcShape {
  int inputs, outputs, vcs, depth;
  bool single = false;  // packets of one flit only
};

enum class VcClaim {
  delivery,  // any one flit of a watched stream leaves in order, unchanged, at its output, and
             // nothing else passes for it: no loss out of order, no duplication, no mixing of data
  credits,   // no flit without a credit, no credit without a flit, one flit an input and cycle
  unmixed,   // heads and tails alternate on each output VC
  wait,      // single flits, one iteration: fewer than (I + 1)*V flits pass a head in front
  progress,  // the same with receivers that return each credit at once: it leaves within bounded time
};

// `unit_verilog`: the crossbar `unit` and what it instantiates. The watched stream is VC 0 of the last input.
Property vc_property(VcClaim claim, const VcShape& shape, const std::string& unit,
                     std::vector<std::string> unit_verilog);

}  // namespace verif
