#include "cosim/harness/system_json.h"

#include <string>

namespace verif {

using Json = nlohmann::ordered_json;

Json json_of(const golden::IssueCycles& i) {
  return {{"issued", i.issued}, {"no_warp", i.no_warp},   {"scoreboard", i.scoreboard},
          {"load", i.load},     {"lsu_full", i.lsu_full}, {"barrier", i.barrier},
          {"empty", i.empty}};
}

Json json_of(const golden::CycleCauses& causes) {
  Json json;
  for (std::size_t i = 0; i < causes.cycles.size(); ++i)
    json[std::string(golden::cycle_cause_names[i])] = causes.cycles[i];
  return json;
}

void add_memory(Json& json, const golden::SystemMemoryFigures& memory) {
  const golden::L2Counters& l2 = memory.l2;
  json["l2"] = {{"accesses", l2.accesses}, {"hits", l2.hits},      {"misses", l2.misses},
                {"fails", l2.fails},       {"bytes", l2.bytes_in}, {"missed_bytes", l2.missed_bytes}};
  const golden::DramCounters& d = memory.dram;
  json["dram"] = {{"reads", d.reads},
                  {"writes", d.writes},
                  {"row_hits", d.row_hits},
                  {"row_misses", d.row_misses},
                  {"row_conflicts", d.row_conflicts},
                  {"bytes", d.bytes_read + d.bytes_written},
                  {"bytes_read", d.bytes_read},
                  {"busy_cycles", d.busy_cycles}};
  json["network"] = {{"request_flits", memory.request_flits}, {"reply_flits", memory.reply_flits}};
}

}  // namespace verif
