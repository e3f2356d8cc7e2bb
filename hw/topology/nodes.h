// DC-L1 nodes behind NoC#1 and NoC#2: private to some cores (PrY), shared by all (ShY) or by those of a
// cluster (ShY+CZ; DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include "hw/topology/kinds.h"

namespace hw {

extern const KindRow private_nodes, shared_nodes, clustered;

// What hierarchical crossbars have in common with clusters of nodes.
void check_clusters(const TopologyShape& s);
HomeMap cluster_homes(const TopologyShape& s);

}  // namespace hw
