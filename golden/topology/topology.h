// Golden topology: cores, nodes and slices joined by networks, cycle by cycle, put together from a plan
// (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "golden/topology/butterflies.h"
#include "golden/topology/kinds.h"
#include "golden/topology/mesh.h"
#include "golden/topology/network.h"
#include "golden/topology/paced.h"
#include "golden/topology/parts.h"

namespace golden {

class Topology {
 public:
  using In = TopologyIn;
  using Out = TopologyOut;

  // `fabrics`: those of the plan's networks, in their order.
  Topology(const hw::TopologyParams& params, std::vector<std::unique_ptr<Fabric>> fabrics);
  Topology(const Topology&) = delete;  // parts point into it

  // What the ports show in this cycle; valid until the next edge of either clock.
  const Out& outputs(const In& in);
  // Of a topology with a fast clock: its edge between two of the slow one, with the inputs of the last call
  // of outputs(), which has to be called again before edge().
  void fast_edge(const In& in) { edges(in, Edge::fast_alone); }
  // The edge of the slow clock as well, and of the fast one with it.
  void edge(const In& in);

  bool fast() const { return fast_; }
  // Of core c or node c.
  const CycleL1d& cache(int c) const { return *caches_[static_cast<std::size_t>(c)]; }
  CycleL1d& cache(int c) { return *caches_[static_cast<std::size_t>(c)]; }
  int caches() const { return static_cast<int>(caches_.size()); }
  // Of all parts.
  EventCounts events() const;
  // Of all parts and networks, but for the time of loads, which those outside see.
  TopologyFigures figures() const;
  // What stands beside a cache has decided, and its own monitors not; null for nothing.
  const History* decisions(int cache) const { return parts_[static_cast<std::size_t>(cache)]->decisions(); }
  // The cache that a core's request comes to; caches whose numbers differ modulo distinct_caches() hold
  // different lines.
  int cache_of(int core, std::uint64_t address) const;
  int distinct_caches() const { return distinct_caches_; }

 private:
  void edges(const In& in, Edge edge);
  // What all checks show.
  FirstErrors::Codes codes() const;

  const Home home_;
  const bool caches_in_nodes_;
  const int distinct_caches_;
  const bool checks_;
  bool fast_ = false, undefined_ = false;
  FirstErrors errors_;
  std::vector<std::unique_ptr<Fabric>> fabrics_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<CycleL1d*> caches_;
  Out out_;
};

// Which class of model carries a network.
template <NetworkPlan P>
std::unique_ptr<Fabric> make_network() {
  const auto moving = []() -> std::unique_ptr<Fabric> {
    if constexpr (P.meshed())
      return std::make_unique<MeshNetwork<P>>();
    else if constexpr (P.flies())
      return std::make_unique<ButterflyNetwork<P>>();
    else
      return std::make_unique<Network<P>>();
  };
  if (P.cycles == 1) return moving();
  return std::make_unique<PacedFabric>(moving(), P.cycles);
}

template <hw::TopologyParams P>
std::unique_ptr<Topology> make_topology() {
  static constexpr NetworkPlans plans = kind_of(P.shape).networks(P);
  std::vector<std::unique_ptr<Fabric>> fabrics;
  [&]<std::size_t... n>(std::index_sequence<n...>) {
    (fabrics.push_back(make_network<plans.plans[n]>()), ...);
  }
  (std::make_index_sequence<plans.count>());
  return std::make_unique<Topology>(P, std::move(fabrics));
}

}  // namespace golden
