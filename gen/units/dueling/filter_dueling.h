// The family of filter-dueling units for the commands; what each function is for stands in
// gen/units/index/index.h.
#pragma once
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/unit.h"
#include "hw/dueling/filter_dueling_params.h"

namespace gen {

Unit elaborate(const hw::FilterDuelingParams& p, const std::string& top);
std::string replay_refusal(const hw::FilterDuelingParams& p);
std::string cosim_main(const hw::FilterDuelingParams& p, const std::string& probes);

// None: there is no plainer form to compare with.
std::vector<AreaRequest> plain_forms(const hw::FilterDuelingParams& p, const std::string& top,
                                     std::uint32_t order);

std::string cpp_params(const hw::FilterDuelingParams& p);

}  // namespace gen
