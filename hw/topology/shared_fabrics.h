// What joins cores and slices of shared L1s: two meshes, or two butterflies beside crossbars to the slices
// (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/topology/mesh.h"
#include "hw/topology/plan.h"

namespace hw {

struct SharedFabrics {
  std::vector<std::shared_ptr<const Fabric>> fabrics = {};
  std::vector<Endpoint> core_ends = {};   // in the order of SharedEnd
  std::vector<Endpoint> slice_ends = {};  // that of replies first
  int slice_id_bits = 0;
};

// A class of messages and the bits of its ids.
struct MessageIds {
  std::string name;
  int bits = 0;
};

// A mesh for classes of messages; replies have the flits of their mask, or all of the line.
std::shared_ptr<const Mesh> mesh_of(const TopologyParams& p, Network network,
                                    const std::vector<MessageIds>& ids, bool sectoring);

// Nodes, by which cores know each other: of the mesh; of a butterfly its ports.
int nodes_of(const TopologyParams& p);
// Homes and routes over the nodes. With a butterfly the slices are numbered behind the cores.
RouteParams route_of(const TopologyParams& p);

// Ids of a core's memory side have `memory_bits`.
SharedFabrics shared_fabrics(const TopologyParams& p, int memory_bits);

// Throw ParamError when no such networks, or no such links of a mesh, can be built.
void check_links(const MeshParams& mesh);
void check_fabrics(const TopologyParams& p);

}  // namespace hw
