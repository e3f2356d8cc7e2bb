// Topologies held against the scoreboard of their cores alone, without the reference model.
#pragma once
#include <string>

#include "gen/cosim/program.h"

namespace verif {

inline void against(gen::ProgramSource& source, const std::string& what) {
  const std::string bench = "DcL1Bench<Vdut, params, Ports>";
  source.main.replace(source.main.find(bench), bench.size(),
                      "DcL1Bench<Vdut, params, Ports, verif::Against::" + what + ">");
}

inline void against_scoreboard(gen::ProgramSource& source) { against(source, "scoreboard"); }
// What their own checks find, of topologies that have them.
inline void against_own_checks(gen::ProgramSource& source) { against(source, "own_checks"); }

}  // namespace verif
