#include "golden/topology/remote_messages.h"

#include <bit>

#include "golden/bits.h"
#include "golden/topology/kinds.h"
#include "golden/topology/shared_node.h"

namespace golden {
namespace {

// Fields of a line's data, one after the other from bit 0 upward.
template <class Data>
class PackedFields {
 public:
  explicit PackedFields(Data& data) : data_(data) {}

  void put(int width, std::uint64_t value) {
    for (int b = 0; b < width; ++b, ++next_)
      data_[static_cast<std::size_t>(next_ / 64)] |= (value >> b & 1) << next_ % 64;
  }
  std::uint64_t take(int width) {
    std::uint64_t value = 0;
    for (int b = 0; b < width; ++b, ++next_)
      value |= (data_[static_cast<std::size_t>(next_ / 64)] >> next_ % 64 & 1) << b;
    return value;
  }

 private:
  Data& data_;
  int next_ = 0;
};

}  // namespace

RouteSelect remote_places(const hw::TopologyParams& p) {
  hw::TopologyParams meshed = p;
  meshed.shared.fabric = hw::SharedFabric::mesh;  // of shared L1s alone, and not looked at here
  return RouteSelect(route_params(meshed));
}

RemoteMessages::RemoteMessages(const hw::TopologyParams& p, int core)
    : core_(static_cast<unsigned>(core)),
      places_(remote_places(p)),
      coverage_(p.remote.coverage),
      core_bits_(hw::core_or_none_bits(p.shape.cores)),
      pointer_bits_(bits_for(p.remote.coverage + 1)),
      search_bits_(hw::table_params(kinds::remote_node(p, core)).group_bits - core_bits_),
      supplier_bits_(bits_for(p.shape.cores)),
      offset_bits_(std::countr_zero(static_cast<unsigned>(p.l1d.line_bytes))),
      first_flit_(~0u >> (32 - p.flit_bytes / p.l1d.chunk_bytes)),
      all_chunks_(~0u >> (32 - hw::chunks_of_line(p.l1d))) {}

RemoteMessages::Routed RemoteMessages::sent(const RemoteNode::Sent& sent) const {
  if (!sent.probe) {
    Message m = sent.message;
    const std::uint64_t node = static_cast<unsigned>(places_.core_node(static_cast<int>(core_)));
    const std::uint64_t search = sent.tracked ? own_part(sent.group) : m.id;
    m.id = (node << (1 + supplier_bits_) | std::uint64_t{sent.tracked}) << search_bits_ | search;
    return {m, places_.slice_node(places_.slice(m.address))};
  }
  const Probe& probe = *sent.probe;
  Message m{.kind = RequestKind::store, .address = probe.line << offset_bits_, .mask = first_flit_};
  PackedFields fields(m.data);
  fields.put(1, 1);
  fields.put(1, probe.leader);
  fields.put(core_bits_ + search_bits_, probe.group);
  for (const int core : probe.targets) fields.put(core_bits_, static_cast<unsigned>(core));
  fields.put(pointer_bits_, static_cast<unsigned>(probe.pointer));
  return {m, places_.core_node(sent.destination)};
}

Message RemoteMessages::supplied(const ProbeHandler::Line& line) const {
  const std::uint64_t node =
      static_cast<unsigned>(places_.core_node(static_cast<int>(line.group >> search_bits_)));
  const std::uint64_t from_core = (node << 1 | 1) << supplier_bits_ | core_;
  return {.id = from_core << search_bits_ | own_part(line.group), .mask = all_chunks_, .data = line.data};
}

Probe RemoteMessages::probe(const Message& message) const {
  PackedFields fields(message.data);
  fields.take(1);
  Probe probe{.leader = fields.take(1) != 0, .group = fields.take(core_bits_ + search_bits_)};
  const std::uint64_t none = (std::uint64_t{1} << core_bits_) - 1;
  for (int k = 0; k < coverage_; ++k) {
    const std::uint64_t core = fields.take(core_bits_);
    probe.targets.push_back(core == none ? no_core : static_cast<int>(core));
  }
  probe.pointer = static_cast<int>(fields.take(pointer_bits_));
  probe.line = message.address >> offset_bits_;
  return probe;
}

RemoteNode::Reply RemoteMessages::reply(const Message& message) const {
  const std::uint64_t who = message.id >> search_bits_;
  RemoteNode::Reply reply{.core = (who >> supplier_bits_ & 1) != 0,
                          .group = core_ << search_bits_ | own_part(message.id),
                          .message = message};
  if (reply.core)
    reply.supplier = static_cast<int>(who & ((std::uint64_t{1} << supplier_bits_) - 1));
  else
    reply.tracked = who & 1;
  reply.message.id = own_part(message.id);
  return reply;
}

}  // namespace golden
