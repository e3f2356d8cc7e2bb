// A golden topology's parts and networks, and the order in which they move.
#include "golden/topology/topology.h"

#include <algorithm>

namespace golden {

Topology::Topology(const hw::TopologyParams& params, std::vector<std::unique_ptr<Fabric>> fabrics)
    : home_(home_of(params)),
      caches_in_nodes_(kind_of(params.shape).caches_in_nodes),
      distinct_caches_(golden::distinct_caches(params)),
      checks_(params.l1d.check.ports),
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
    if (CycleL1d* cache = parts_.back()->cache()) caches_.push_back(cache);
  }
}

const TopologyOut& Topology::outputs(const TopologyIn& in) {
  out_.protocol_error_code = errors_.code();
  out_.undefined = undefined_ = undefined_ && !in.rst;
  if (undefined_) return out_;
  out_.flush_ready = true;  // the parts write all else
  for (const auto& fabric : fabrics_) fabric->begin();
  for (const auto& part : parts_) part->settle(in, out_);
  if (checks_)
    out_.undefined = std::ranges::any_of(parts_, [](const auto& part) { return part->undefined(); }) ||
                     std::ranges::any_of(fabrics_, [](const auto& fabric) { return fabric->undefined(); });
  return out_;
}

void Topology::edge(const TopologyIn& in) {
  if (in.flush_valid && out_.flush_ready && !out_.undefined)
    for (const auto& part : parts_) part->flush();
  edges(in, Edge::both);
  if (!in.rst) return;
  errors_.reset();
  for (const auto& fabric : fabrics_) fabric->reset();
  for (const auto& part : parts_) part->reset();
}

// Networks first: they read what is in front of the queues. What they give stays until the next outputs().
void Topology::edges(const TopologyIn& in, Edge edge) {
  if (checks_ && edge == Edge::both) errors_.edge(codes());
  if (out_.undefined && !in.rst) {
    undefined_ = true;
    if (edge == Edge::fast_alone) return;
    for (const auto& part : parts_) part->edge_of_checks();
    for (const auto& fabric : fabrics_) fabric->edge_of_checks();
    return;
  }
  for (const auto& fabric : fabrics_) fabric->edge(edge);
  for (const auto& part : parts_) part->edge(in, edge);
}

FirstErrors::Codes Topology::codes() const {
  FirstErrors::Codes codes;
  for (const auto& part : parts_) part->report(codes);
  for (const auto& fabric : fabrics_) fabric->report(codes);
  return codes;
}

EventCounts Topology::events() const {
  EventCounts events;
  for (const auto& part : parts_) part->count(events);
  return events;
}

TopologyFigures Topology::figures() const {
  TopologyFigures figures;
  for (const auto& part : parts_) part->notify(figures);
  for (const auto& fabric : fabrics_) {
    if (std::vector<LinkFlits> links = fabric->links(); !links.empty())
      figures.links.push_back(std::move(links));
    if (const auto crossbars = fabric->crossbar_flits()) figures.networks.push_back(*crossbars);
  }
  return figures;
}

int Topology::cache_of(int core, std::uint64_t address) const {
  return caches_in_nodes_ ? home_.node(core, home_.of(address).home) : core;
}

}  // namespace golden
