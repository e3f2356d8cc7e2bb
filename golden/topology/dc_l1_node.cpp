// The clock edge of a DC-L1 node, and a cache's ports as messages.
#include "golden/topology/dc_l1_node.h"

namespace golden {

L1dIn core_side(const Message* request, bool response_ready) {
  L1dIn in;
  in.core_response_ready = response_ready;
  if (!request) return in;
  in.core_request_valid = true;
  in.core_request_id = request->id;
  in.core_request_kind = request->kind;
  in.core_request_address = request->address;
  in.core_request_mask = request->mask;
  in.core_request_byte_enable = &request->byte_enable;
  in.core_request_data = &request->data;
  in.core_request_sideband = request->sideband;
  return in;
}

void add_memory_side(L1dIn& in, const Message* response, bool request_ready) {
  in.memory_request_ready = request_ready;
  if (!response) return;
  in.memory_response_valid = true;
  in.memory_response_id = response->id;
  in.memory_response_mask = response->mask;
  in.memory_response_data = &response->data;
}

std::optional<Message> core_response(const L1dOut& out) {
  if (!out.core_response_valid) return {};
  Message m{.id = out.core_response_id, .mask = out.core_response_mask};
  if (out.core_response_data) m.data = *out.core_response_data;
  return m;
}

std::optional<Message> memory_request(const L1dOut& out) {
  if (!out.memory_request_valid) return {};
  Message m{.kind = out.memory_request_kind,
            .id = out.memory_request_id,
            .address = out.memory_request_address,
            .mask = out.memory_request_mask};
  if (out.memory_request_byte_enable) m.byte_enable = *out.memory_request_byte_enable;
  if (out.memory_request_data) m.data = *out.memory_request_data;
  return m;
}

DcL1Node::DcL1Node(const hw::DcL1NodeParams& params, std::uint64_t home)
    : field_{params.home_low, params.home_bits},
      home_(home),
      q1_(params.queue, params.boost, false),
      q2_(params.queue, params.boost, true),
      q3_(params.queue),
      q4_(params.queue),
      cache_(CycleL1d::make(params.l1d)) {}

L1dIn DcL1Node::cache_in(const In& in) const {
  L1dIn cache = core_side(q1_.front(), q2_.ready());
  if (cache.core_request_valid) cache.core_request_address = field_.cut(cache.core_request_address);
  add_memory_side(cache, q4_.front(), q3_.ready());
  cache.rst = in.rst;
  cache.flush_valid = in.flush_valid;
  cache.controls = in.controls;
  return cache;
}

void DcL1Node::edge(const In& in, Edge edge) {
  if (edge == Edge::fast_alone) {
    q1_.edge(edge, in.core_request, false);
    q2_.edge(edge, nullptr, in.core_response_ready);
    return;
  }
  const L1dIn driven = cache_in(in);
  const L1dOut& out = cache_->outputs(driven);
  if (out.undefined && !in.rst) return cache_->edge(driven);
  const bool request_taken = out.core_request_ready, response_taken = out.memory_response_ready;
  const auto response = golden::core_response(out);
  auto request = golden::memory_request(out);
  if (request) request->address = field_.put_in(request->address, home_);
  cache_->edge(driven);  // reads what is in front of q1 and q4
  q1_.edge(edge, in.core_request, request_taken);
  q2_.edge(edge, response ? &*response : nullptr, in.core_response_ready);
  q3_.edge(request ? &*request : nullptr, in.memory_request_ready);
  q4_.edge(in.memory_response, response_taken);
  if (!in.rst) return;
  q1_.reset();
  q2_.reset();
  q3_.reset();
  q4_.reset();
}

bool DcL1Node::idle() const {
  return cache_->idle() && !q1_.front() && !q2_.front() && !q3_.front() && !q4_.front();
}

}  // namespace golden
