// Area and static power of a topology's crossbars, by parts times count: buffers, multiplexers and
// allocators, beside the one crossbar of private caches and beside a model in crosspoints and ports (DC-L1
// thesis, figures 5.8 and 5.14).
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/liberty/liberty.h"
#include "hw/noc/vc_crossbar_params.h"
#include "hw/topology/topology_params.h"

namespace gen {

// Gate equivalents, or nW of leakage.
struct CrossbarParts {
  double buffers = 0;       // queues of the input VCs
  double multiplexers = 0;  // of the outputs, with their flit registers, and of the inputs' VCs
  double allocators = 0;    // all else: who may send, credits

  double sum() const { return buffers + multiplexers + allocators; }
};

struct CrossbarRow {
  std::string name;  // noc1_requests
  int count = 0, inputs = 0, outputs = 0, word_bits = 0;
  CrossbarParts one = {}, leakage = {};  // of one
};

struct NetworkArea {
  std::string name;
  std::vector<CrossbarRow> rows = {};
  int crosspoints = 0, ports = 0;  // of the request crossbars; replies mirror them

  CrossbarParts total() const, leakage() const;
  // Crosspoints I*J + 4.6 (I + J) of all request crossbars: the figures of DSENT, within some per cent.
  double model() const;
};

// The crossbars of the topology without their areas.
NetworkArea networks_of(const hw::TopologyParams& p, const std::string& name);

struct NamedTopology {
  std::string name;
  hw::TopologyParams params;
};

// The same with areas, for all of them. Parts are synthesized at two narrow widths of a flit and taken on to
// the real one: each bit of a flit has gates of its own, and the others do not change.
std::vector<NetworkArea> measured(const std::vector<NamedTopology>& topologies, const Liberty& liberty);

// One crossbar by its parts, and synthesized as a whole.
struct WholeCrossbar {
  hw::CrossbarParams crossbar;
  double parts = 0, whole = 0;  // gate equivalents
};
std::vector<WholeCrossbar> beside_whole(const std::vector<hw::CrossbarParams>& crossbars,
                                        const Liberty& liberty);

// The topology beside the baseline of its cores and slices.
std::string network_table(const NetworkArea& topology, const NetworkArea& baseline);
nlohmann::ordered_json network_json(const NetworkArea& topology, const NetworkArea& baseline);

// The baseline of a topology's cores and slices.
hw::TopologyParams baseline_of(hw::TopologyParams p);

}  // namespace gen
