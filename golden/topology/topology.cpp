// A golden topology's parts and networks, and the order in which they move.
#include "golden/topology/topology.h"

namespace golden {

Topology::Topology(const hw::TopologyParams& params, std::vector<std::unique_ptr<Fabric>> fabrics)
    : home_(home_of(params)),
      caches_in_nodes_(kind_of(params.shape).caches_in_nodes),
      distinct_caches_(golden::distinct_caches(params)),
      fabrics_(std::move(fabrics)) {
  for (const auto& fabric : fabrics_) fast_ = fast_ || fabric->fast();
  const auto fabric = [&](const PortPlan& port) -> Fabric& {
    return *fabrics_[static_cast<std::size_t>(port.network)];
  };
  for (const PartPlan& plan : kind_of(params.shape).parts(params)) {
    PartSite site{
        .params = params, .home = home_, .number = static_cast<std::size_t>(plan.number), .caches = &caches_};
    for (const PortPlan& port : plan.sends)
      site.senders.emplace_back(fabric(port), port.port, home_, port.to);
    for (const PortPlan& port : plan.takes) site.sinks.emplace_back(fabric(port), port.port);
    parts_.push_back(plan.make(site));
    if (const CycleL1d* cache = parts_.back()->cache()) caches_.push_back(cache);
  }
}

const TopologyOut& Topology::outputs(const TopologyIn& in) {
  out_.flush_ready = true;  // the parts write all else
  for (const auto& fabric : fabrics_) fabric->begin();
  for (const auto& part : parts_) part->settle(in, out_);
  return out_;
}

void Topology::edge(const TopologyIn& in) {
  if (in.flush_valid && out_.flush_ready)
    for (const auto& part : parts_) part->flush();
  edges(in, Edge::both);
  if (!in.rst) return;
  for (const auto& fabric : fabrics_) fabric->reset();
  for (const auto& part : parts_) part->reset();
}

// Networks first: they read what is in front of the queues. What they give stays until the next outputs().
void Topology::edges(const TopologyIn& in, Edge edge) {
  for (const auto& fabric : fabrics_) fabric->edge(edge);
  for (const auto& part : parts_) part->edge(in, edge);
}

EventCounts Topology::events() const {
  EventCounts events;
  for (const auto& part : parts_) part->count(events);
  return events;
}

TopologyFigures Topology::figures() const {
  TopologyFigures figures;
  for (const auto& part : parts_) part->notify(figures);
  for (const auto& fabric : fabrics_)
    if (std::vector<LinkFlits> links = fabric->links(); !links.empty())
      figures.links.push_back(std::move(links));
  return figures;
}

int Topology::cache_of(int core, std::uint64_t address) const {
  return caches_in_nodes_ ? home_.node(core, home_.of(address).home) : core;
}

}  // namespace golden
