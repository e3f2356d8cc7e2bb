#include "gen/area/topology_parts.h"

#include <fmt/format.h>

#include "gen/area/request.h"
#include "hw/topology/plan.h"
#include "hw/topology/topology.h"

namespace gen {

std::vector<TopologyPart> topology_parts(const hw::TopologyParams& p, const std::string& top,
                                         const Liberty& liberty) {
  const hw::TopologyPlan plan = hw::plan_of(p);
  std::vector<TopologyPart> parts;
  std::vector<AreaRequest> requests;
  for (const hw::PartGroup& group : plan.parts) {
    parts.push_back({.name = group.name, .count = group.count});
    requests.push_back(area_request(
        group.name, group.build({.params = p, .plan = plan, .group = group, .top = top}).module, 0));
  }
  const std::vector<AreaResult> results = synthesize_all(requests, liberty);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].one = results[i];
  return parts;
}

std::string parts_table(const std::vector<TopologyPart>& parts) {
  std::string text = fmt::format("\n{:<28} {:>10} {:>12} {:>10}\n", "part, of one", "flops", "GE", "ns");
  for (const TopologyPart& part : parts)
    text += fmt::format("{:<28} {:>10} {:>12.0f} {:>10.2f}\n", fmt::format("{} {}", part.count, part.name),
                        part.one.flops, part.one.gate_equivalents, part.one.path_ns);
  for (const TopologyPart& part : parts)
    text += fmt::format("longest path of {}: {} -> {}\n", part.name, part.one.path_start, part.one.path_end);
  return text;
}

nlohmann::ordered_json parts_json(const std::vector<TopologyPart>& parts) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const TopologyPart& part : parts)
    json.push_back({{"name", part.name},
                    {"count", part.count},
                    {"flops", part.one.flops},
                    {"gate_equivalents", part.one.gate_equivalents},
                    {"path_ns", part.one.path_ns},
                    {"path", {{"start", part.one.path_start}, {"end", part.one.path_end}}}});
  return json;
}

}  // namespace gen
