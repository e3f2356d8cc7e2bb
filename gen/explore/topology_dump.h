// The letters of a request list's dump for the server of each request of a topology.
#pragma once
#include <string>

#include "golden/topology/functional_topology.h"

namespace gen {

struct DumpLines {
  std::string (*request)(const golden::Served&);
  const char* flush;  // "" for none
};
const DumpLines& dump_lines(hw::TopologyKind kind);

}  // namespace gen
