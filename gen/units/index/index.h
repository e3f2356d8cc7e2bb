// The family of set-index units for the commands: elaboration, co-simulation program, what areas stand
// beside.
//
// Every family of units has these functions, overloaded on its parameter struct; the commands visit the
// configuration's parameters and need no other change for a new family.
#pragma once
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/unit.h"
#include "hw/index/index_params.h"

namespace gen {

Unit elaborate(const hw::IndexParams& p, const std::string& top);

// Why such units cannot replay recorded traffic of a cache's ports, as the end of a sentence; empty when they
// can.
std::string replay_refusal(const hw::IndexParams& p);

// The main of the co-simulation program; `probes` are statements that add inner nets to `waves`.
std::string cosim_main(const hw::IndexParams& p, const std::string& probes);

// The same function written plainly, its lines in the given order: yosys's % by a constant, or each XOR tap
// after tap.
std::vector<AreaRequest> plain_forms(const hw::IndexParams& p, const std::string& top, std::uint32_t order);

// The C++ initialiser of the parameters, for programs that hold a golden instance.
std::string cpp_params(const hw::IndexParams& p);

}  // namespace gen
