// Area of what stands between a topology's networks: each kind of part once, whole, RAMs as black boxes.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "hw/topology/topology_params.h"

namespace gen {

struct TopologyPart {
  std::string name;  // core, node, slice
  int count = 0;
  AreaResult one = {};
};

// Modules of a topology called `top`.
std::vector<TopologyPart> topology_parts(const hw::TopologyParams& p, const std::string& top,
                                         const Liberty& liberty);
std::string parts_table(const std::vector<TopologyPart>& parts);
nlohmann::ordered_json parts_json(const std::vector<TopologyPart>& parts);

}  // namespace gen
