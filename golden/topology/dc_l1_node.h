// Golden DC-L1 node: an L1 data cache between four queues, cycle by cycle (DC-L1 thesis, chapter 5;
// docs/contracts/dc-l1.md).
#pragma once
#include <memory>
#include <optional>

#include "golden/l1d/cycle_l1d.h"
#include "golden/noc/crossing_fifo.h"
#include "golden/noc/home.h"
#include "golden/noc/packet.h"
#include "hw/topology/dc_l1_node_params.h"

namespace golden {

// The streams of a cache, as messages.
L1dIn core_side(const Message* request, bool response_ready);
void add_memory_side(L1dIn& in, const Message* response, bool request_ready);
std::optional<Message> core_response(const L1dOut& out);
std::optional<Message> memory_request(const L1dOut& out);

class DcL1Node {
 public:
  // `home`: the bits that the memory side's addresses get back.
  explicit DcL1Node(const hw::DcL1NodeParams& params, std::uint64_t home = 0);

  // Null where not valid. With boost, core_* are on the fast clock.
  struct In {
    bool rst = false;
    const Message* core_request = nullptr;
    bool core_response_ready = false;
    bool memory_request_ready = false;
    const Message* memory_response = nullptr;
    bool flush_valid = false;
    Controls controls = {};
  };
  // What the node shows in a cycle; it depends on registers alone. Messages stay until the edge.
  bool core_request_ready() const { return q1_.ready(); }
  const Message* core_response() const { return q2_.front(); }
  const Message* memory_request() const { return q3_.front(); }
  bool memory_response_ready() const { return q4_.ready(); }
  // Flush, and what else the cache drives. Where it is undefined, so is all that the node shows.
  const L1dOut& cache_outputs(const In& in) { return cache_->outputs(cache_in(in)); }

  void edge(const In& in, Edge edge = Edge::both);
  // The bits that go back into addresses: an input of the hardware that does not change.
  void set_home(std::uint64_t home) { home_ = home; }

  const CycleL1d& cache() const { return *cache_; }
  CycleL1d& cache() { return *cache_; }
  bool idle() const;
  // Some queue is full, from Q1 to Q4.
  std::array<bool, 4> full() const { return {!q1_.ready(), !q2_.ready(), !q3_.ready(), !q4_.ready()}; }

 private:
  L1dIn cache_in(const In& in) const;

  const BitField field_;
  std::uint64_t home_;
  BoostQueue<Message> q1_, q2_;
  Fifo<Message> q3_, q4_;
  std::unique_ptr<CycleL1d> cache_;
};

}  // namespace golden
