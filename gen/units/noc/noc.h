// The families of network units for the commands.
#pragma once
#include "gen/cosim/probe.h"
#include "gen/units/unit_kind.h"
#include "hw/noc/vc_crossbar_params.h"

namespace gen {

const UnitKind& arbiter_unit();
const UnitKind& allocator_unit();
const UnitKind& switch_unit();
const UnitKind& crossbar_unit();

// The registers that a crossbar's bench compares.
std::vector<ViewPort> crossbar_view(const hw::CrossbarParams& p);

// Names the ports of a crossbar, and its state where it is brought out, for the benches of verif/lockstep: a
// struct Ports.
std::string crossbar_ports(const hw::CrossbarParams& p);

}  // namespace gen
