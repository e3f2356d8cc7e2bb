// Golden core among cores that search each other's L1s at its ends of the two meshes, cycle by cycle (DC-L1
// thesis, chapter 3; docs/contracts/remote-core.md).
#pragma once
#include <optional>

#include "golden/topology/parts.h"
#include "golden/topology/remote_messages.h"
#include "golden/topology/remote_node.h"
#include "golden/topology/remote_watch.h"

namespace golden {

class RemoteCore final : public Part {
 public:
  explicit RemoteCore(const PartSite& site);

  void settle(const TopologyIn& in, TopologyOut& out) override;
  void flush() override;
  void edge(const TopologyIn& in, Edge edge) override;
  void reset() override;
  CycleL1d* cache() override { return &node_.cache(); }
  void report(FirstErrors::Codes& codes) const override {
    if (const auto code = node_.protocol_error_code()) codes.insert(*code);
  }
  bool undefined() const override { return node_.undefined(); }
  void edge_of_checks() override {
    if (node_.undefined()) node_.check_edge();
  }
  void count(EventCounts& events) const override { watch_.count(events); }
  void notify(TopologyFigures& figures) const override { watch_.notify(figures); }

 private:
  const std::size_t core_;
  const RemoteMessages messages_;
  const Sender requests_, supplies_;
  const Sink probes_, replies_;
  RemoteNode node_;
  RemoteWatch watch_;
  Fifo<Message> reply_queue_;
  std::optional<RemoteMessages::Routed> sending_;

  // Of this cycle.
  RemoteNode::In in_;
  const RemoteNode::Out* out_ = nullptr;
  bool leaves_ = false;  // what is sending
  std::optional<RemoteNode::Reply> reply_;
  std::optional<Message> supply_;
};

}  // namespace golden
