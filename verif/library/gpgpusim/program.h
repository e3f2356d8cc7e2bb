// Random instructions for the stand-in of GPGPU-Sim's load-store unit.
#pragma once
#include <vector>

#include "verif/library/gpgpusim/stand_in.h"
#include "verif/parameters/golden_parameters.h"

namespace verif {

// Loads of few lines, so that they meet each other and stores; some are of one line, some of many.
inline std::vector<StandInInstruction> program(unsigned instructions, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<StandInInstruction> all;
  for (unsigned n = 0; n < instructions; ++n) {
    StandInInstruction inst;
    inst.kind = draw.percent(75)   ? StandInInstruction::Kind::load
                : draw.percent(90) ? StandInInstruction::Kind::store
                                   : StandInInstruction::Kind::atomic;
    inst.warp = static_cast<unsigned>(draw.below(24));
    const unsigned lines =
        draw.percent(60) || inst.kind == StandInInstruction::Kind::atomic ? 1 : 1 + draw.below(8);
    for (unsigned line = 0; line < lines; ++line)
      inst.lines.push_back(
          {0x7f0000000000 + 128 * draw.below(80), 1 + static_cast<unsigned>(draw.below(15))});
    all.push_back(inst);
  }
  return all;
}

}  // namespace verif
