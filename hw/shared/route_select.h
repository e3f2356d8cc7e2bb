// Where a core's request goes: to its own L1, to the line's home, or straight to the slice (DC-L1 thesis,
// section 4.3; docs/contracts/shared-l1.md).
#pragma once
#include <string>
#include <vector>

#include "hw/rtl/module.h"
#include "hw/shared/route_params.h"

namespace hw {

// Throws ParamError when nothing can be built from the parameters.
void check(const RouteParams& p);

// Nodes of the cores, by the core: nodes without a slice, ascending.
std::vector<int> core_nodes(const RouteParams& p);

// Inputs `core` and `node` say whose it is, `request_address`, `_kind`, `_shared`, `_written` what is asked;
// outputs `to_l1`, `to_home`, `direct`, one of them set, and `home_node` and `slice_node`, where those stand.
rtl::Module route_select(const RouteParams& p, const std::string& name);

}  // namespace hw
