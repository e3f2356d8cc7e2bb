// The statistics and coverage goals of a core among cores that search each other's L1s (DC-L1 thesis, section
// 3.5; docs/contracts/remote-core.md).
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "golden/topology/parts.h"
#include "golden/topology/remote_node.h"

namespace golden {

class RemoteWatch {
 public:
  // Visits the other cores that have a line (its number).
  using Visit = std::function<void(int core)>;
  using Holders = std::function<void(std::uint64_t line, const Visit& visit)>;

  RemoteWatch(const hw::RemoteNodeParams& p, Holders holders);

  // A cycle is settled, and no edge has come yet: who has the line that is missed.
  void look(const RemoteNode& node);
  // Its edge, before that of the node.
  void edge(const RemoteNode& node, const RemoteNode::In& in, const RemoteNode::Out& out);

  // Adds to those of other cores.
  void notify(TopologyFigures& figures) const;
  void count(EventCounts& events) const;

 private:
  enum Event {
    written_miss,
    owed_miss,
    unsearched_miss,
    used_line,
    late_line,
    useless_line,
    vain_searches,
    late_search,
    own_probe_back,
    useless_return,
    leader_here,
    scout_here,
    deflected_leader,
    deflected_scout,
    deflected_at_its_end,
    supplied_line,
    waiting_supply,
    waiting_answer,
    waiting_send,
    events
  };
  static const std::array<const char*, events> names;

  bool judged(const RemoteNode& node) const {
    return p_.remote.enable && !node.owed() && !(p_.remote.own_store_guard && node.written());
  }
  void watch_miss(const RemoteNode& node);
  void watch_searches(const RemoteNode& node, const RemoteNode::In& in, bool taken);
  void watch_line(const RemoteNode& node, const RemoteNode::Reply& reply);
  void watch_probe(const RemoteNode& node, const Probe& probe);
  // A run of some ten thousand cycles comes by the event; of some only where queues and times are short.
  bool expected(Event event) const;

  const hw::RemoteNodeParams p_;
  const Holders holders_;
  std::vector<int> able_;  // of this cycle's miss, where the predictor is asked
  RemoteFigures figures_;
  std::array<std::uint64_t, events> seen_{};
  std::vector<bool> second_;               // by entry: its candidates are searched
  std::vector<ProbeTable::State> states_;  // in the cycle before
};

}  // namespace golden
