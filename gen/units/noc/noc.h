// The families of network units for the commands.
#pragma once
#include "gen/units/unit_kind.h"
#include "hw/noc/vc_crossbar_params.h"

namespace gen {

const UnitKind& arbiter_unit();
const UnitKind& allocator_unit();
const UnitKind& switch_unit();
const UnitKind& crossbar_unit();

// Names the ports of a crossbar for the benches of verif/lockstep: a struct Ports.
std::string crossbar_ports(const hw::CrossbarParams& p);

}  // namespace gen
