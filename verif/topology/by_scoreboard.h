// Topologies held against the scoreboard of their cores alone, without the reference model.
#pragma once
#include <string>

#include "gen/cosim/program.h"

namespace verif {

inline void against_scoreboard(gen::ProgramSource& source) {
  const std::string bench = "DcL1Bench<Vdut, params, Ports>";
  source.main.replace(source.main.find(bench), bench.size(),
                      "DcL1Bench<Vdut, params, Ports, verif::Against::scoreboard>");
}

}  // namespace verif
