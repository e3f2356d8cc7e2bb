// The family of selectors between fine and coarse accesses for the commands; what each function is for stands
// in gen/units/index/index.h.
#pragma once
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/unit.h"
#include "hw/mode/mode_selector_params.h"

namespace gen {

Unit elaborate(const hw::ModeSelectorParams& p, const std::string& top);
std::string replay_refusal(const hw::ModeSelectorParams& p);
std::string cosim_main(const hw::ModeSelectorParams& p, const std::string& probes);

// None: there is no plainer form to compare with.
std::vector<AreaRequest> plain_forms(const hw::ModeSelectorParams& p, const std::string& top,
                                     std::uint32_t order);

std::string cpp_params(const hw::ModeSelectorParams& p);

}  // namespace gen
