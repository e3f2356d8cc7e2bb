// What plans of topologies are put together from: NoC#1 and NoC#2 as crossbars, the slices, and the ways
// between parts and crossbars (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/topology/crossbars.h"
#include "hw/topology/plan.h"

namespace hw {

// NoC#1: with boost on the fast clock, or in half of the cycles; by homes.
std::shared_ptr<const Crossbars> towards_nodes(const TopologyParams& p, const CrossbarSizes& sizes,
                                               int id_bits, bool sectoring, const SidebandBits& sideband);
// NoC#2, by slices.
std::shared_ptr<const Crossbars> towards_slices(const TopologyParams& p, const CrossbarSizes& sizes,
                                                int id_bits);

enum class Side { asks, answers };

// Gives the group both ways of a fabric of crossbars: links `to_<fabric>` and `from_<fabric>`.
void join(PartGroup& group, const std::string& fabric_name, int fabric, Side side, std::vector<int> ports);

// Ports by number of the part: 0, 1, 2 ...; those of parts that are dealt to the crossbars in turn.
std::vector<int> in_order(int count);
std::vector<int> in_turn(const Crossbars& crossbars, int count);
// 0 to below - 1, again and again.
std::vector<int> repeating(int count, int below);

// The slices, at the far side of a fabric.
PartGroup slices_at(const TopologyParams& p, const std::string& fabric_name, int fabric);

}  // namespace hw
