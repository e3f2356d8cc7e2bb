// A topology as data: groups of like parts, the fabrics that join them, and which part sends and takes which
// messages at which port. Kinds of topology (hw/topology/kinds.h) make plans; the top is built from one.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/l1d/l1d.h"
#include "hw/topology/fabric.h"
#include "hw/topology/topology_params.h"
#include "hw/topology/waits.h"

namespace hw {

// A link that each part of a group has to a fabric: one class of messages, one way.
struct Endpoint {
  std::string link;  // of the part's ports: "to_noc1"
  int fabric = 0, message_class = 0;
  bool sends = false;           // else takes
  std::vector<int> ports = {};  // of the fabric, by number of the part
};

// An input of each part that does not change.
struct Tie {
  std::string port;
  int bits = 0;
  std::vector<int> values = {};  // by number of the part
};

struct PassedPort {
  std::string name;
  bool input = false;
  int width = 1;
  std::string doc;
};

struct BuiltPart {
  rtl::Module module;
  std::vector<PassedPort> passed = {};  // ports that the topology has too, one for each part of the group
  std::optional<L1dFacts> cache = {};   // of a part that holds a cache, and so has a flush pair
};

struct PartSite;

// Parts that are built alike, in the place of a core, a node or a slice.
struct PartGroup {
  std::string name;    // of instances, with a number behind it: "node"
  std::string module;  // "relay"
  int count = 0;
  std::function<BuiltPart(const PartSite&)> build = {};
  std::vector<Endpoint> ends = {};
  std::vector<Tie> ties = {};
  std::vector<Wait> waits = {};  // of queues and other things of a part, and of its links
};

struct TopologyPlan {
  HomeMap map = {};
  L1dParams cache = {};          // as built
  std::string caches = {};       // what holds them, in words: "40 nodes"
  int chapter = 5;               // of the thesis
  int queued_messages = 0;       // in the queues around a cache
  int hit_latency = 0;           // cycles of a load hit of one flit beside those of its cache
  int node_cycles = 1;           // of clk, to one of the network between cores and caches
  int slice_id_bits = 0;         // ids at the slices
  bool flushes_at_once = false;  // in one cycle, when all are ready: parts with caches have `flush_all`
  std::vector<std::shared_ptr<const Fabric>> fabrics = {};
  std::vector<PartGroup> parts = {};
};

// Cycles of a load hit of one flit, whose cache takes so many: from the transfer of its request on.
int latency_of_hit(const TopologyPlan& plan, int cache);

// By what fabrics move that move in one of so many cycles, and the ends of parts at them. Others of a plan
// are as slow, or move in each of a whole number of these.
struct FabricEnable {
  const char *name, *doc;
};
FabricEnable enable_of(const TopologyPlan& plan, int cycles);
int slowest_cycles(const TopologyPlan& plan);

// Ports of a class at its fabric, in the order of the groups and of their parts.
ClassPorts ports_of(const TopologyPlan& plan, int fabric, int message_class);

// Where a part of a topology is built.
struct PartSite {
  const TopologyParams& params;
  const TopologyPlan& plan;
  const PartGroup& group;
  std::string top;  // begins the names of all modules

  std::string name() const { return top + "_" + group.module; }
};

}  // namespace hw
