// The picture of an energy report: pJ of each kind of access, stacked by what it consists of.
#pragma once
#include <nlohmann/json.hpp>

#include "gen/charts/chart.h"

namespace gen {

// Of the JSON of `l1forge energy`, which has `pj_parts`.
Chart energy_chart(const nlohmann::ordered_json& energy);

}  // namespace gen
