// Messages of cores that search each other's L1s as the two meshes carry them: fields of searches in ids and,
// of probes, in the data of their one flit (DC-L1 thesis, section 3.3.6; docs/contracts/remote-core.md).
#pragma once
#include <cstdint>
#include <vector>

#include "golden/shared/route_select.h"
#include "golden/topology/remote_node.h"
#include "hw/topology/topology_params.h"

namespace golden {

// Where cores and slices stand.
RouteSelect remote_places(const hw::TopologyParams& p);

class RemoteMessages {
 public:
  RemoteMessages(const hw::TopologyParams& p, int core);

  // A message for the mesh of requests, and the node that it goes to.
  struct Routed {
    Message message;
    int node = 0;
  };
  Routed sent(const RemoteNode::Sent& message) const;
  // A line for another core, for the mesh of replies.
  Message supplied(const ProbeHandler::Line& line) const;

  // What has come to this core.
  Probe probe(const Message& message) const;
  RemoteNode::Reply reply(const Message& message) const;

 private:
  std::uint64_t own_part(std::uint64_t group) const {
    return group & ((std::uint64_t{1} << search_bits_) - 1);
  }

  const std::uint64_t core_;
  const RouteSelect places_;
  const int coverage_, core_bits_, pointer_bits_;  // core_bits_: of a core or none
  const int search_bits_;                          // entry and sequence of a group
  const int supplier_bits_, offset_bits_;
  const std::uint32_t first_flit_, all_chunks_;  // masks
};

}  // namespace golden
