// Parameters of topologies of L1 caches and their networks, shared by the hardware and its reference model
// (DC-L1 thesis, chapters 3 to 5; docs/contracts/dc-l1.md, shared-l1.md, remote-core.md).
#pragma once
#include "hw/l1d/l1d_params.h"
#include "hw/noc/butterfly_params.h"
#include "hw/noc/mesh_params.h"
#include "hw/noc/packet_params.h"
#include "hw/remote/remote_params.h"
#include "hw/shared/shared_params.h"

namespace hw {

enum class TopologyKind { baseline, private_nodes, shared_nodes, clustered, cdxbar, shared, remote };

struct NodeParams {
  int queue = 4;          // entries of each of Q1 to Q4, and of a relay's queues
  bool sectoring = true;  // replies to cores carry the requested flits; else all of the line
  bool squeeze = true;    // a home that is a bit field is cut from the cache's address

  bool operator==(const NodeParams&) const = default;
};

// The sizes of a topology; which keys a kind ignores: docs/contracts/dc-l1.md.
struct TopologyShape {
  TopologyKind kind = TopologyKind::clustered;
  int cores = 80;     // X
  int nodes = 40;     // Y: divides X, X/Y a power of two
  int slices = 32;    // L, a multiple of Y/Z (clustered, cdxbar)
  int clusters = 10;  // Z: divides Y

  bool operator==(const TopologyShape&) const = default;
};

struct TopologyParams {
  TopologyShape shape = {};
  bool boost = false;   // NoC#1 on clk_noc1, twice as fast; with a clock_ratio in half as many cycles of clk
  int clock_ratio = 1;  // cycles of clk to one of the crossbars; even with boost, or 1
  VcSelect vc_select = VcSelect::destination;
  NodeParams node = {};
  int flit_bytes = 32;  // F: from a chunk to a line, a power of two
  int vcs = 4;          // V
  int vc_depth = 4;     // D
  int iterations = 1;
  SharedParams shared = {};  // of kind shared, with its mesh
  RemoteParams remote = {};  // of kind remote, with its mesh
  MeshParams mesh = {};
  ButterflySize butterfly = {};  // with VCs, clock and links of the mesh
  // A core's share: address_bits, capacity and MSHR entries of one core. Its index alone is that of the
  // caches as built: sets of a node, address_bits after the squeeze.
  L1dParams l1d = {};

  bool operator==(const TopologyParams&) const = default;
};

}  // namespace hw
