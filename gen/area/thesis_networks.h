// The network areas of the DC-L1 thesis (figures 5.8 and 5.14, section 5.5.2): seven topologies of 80 cores
// and 32 slices beside the one crossbar of private caches, measured, by the model, and as published; static
// power beside them.
#pragma once
#include <optional>

#include "gen/area/network_area.h"

namespace gen {

struct ThesisRow {
  NetworkArea area;
  int published_percent = 0;                         // area beside the baseline
  std::optional<int> published_static_percent = {};  // static power, where the thesis states it
};

struct ThesisNetworks {
  NetworkArea baseline;
  std::vector<ThesisRow> rows;
  std::vector<WholeCrossbar> whole;
  double queue_storage_percent = 0;  // of the L1s, Q1 to Q4 of 40 nodes
};

// The topologies without their areas; crossbars, caches and queues are those of `p`.
ThesisNetworks thesis_topologies(const hw::TopologyParams& p);
ThesisNetworks thesis_networks(const hw::TopologyParams& p, const Liberty& liberty);
// The sum of parts beside a whole 8x4 and 10x8, those of Sh40+C10: some minutes.
std::vector<WholeCrossbar> thesis_whole(const hw::TopologyParams& p, const Liberty& liberty);

std::string thesis_table(const ThesisNetworks& networks);
std::string whole_table(const std::vector<WholeCrossbar>& whole);
nlohmann::ordered_json thesis_json(const ThesisNetworks& networks);

}  // namespace gen
