// The family of L1 data caches for the commands; what each function is for stands in gen/units/index/index.h.
#pragma once
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/unit.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

Unit elaborate(const hw::L1dParams& p, const std::string& top);
std::string replay_refusal(const hw::L1dParams& p);
std::string cosim_main(const hw::L1dParams& p, const std::string& probes);

// The baseline of the same geometry, where the index or the tags are not its own.
std::vector<AreaRequest> plain_forms(const hw::L1dParams& p, const std::string& top, std::uint32_t order);

std::string cpp_params(const hw::L1dParams& p);
std::string cpp_sets(const hw::SetList& sets);

}  // namespace gen
