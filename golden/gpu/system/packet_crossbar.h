// One direction of the network between L1s and L2: packets of flits, a queue at each end of a port.
//
// The packet in front of an input requests its output, and an output that is free and has queue space for a
// packet grants the first request at or after its pointer: one iteration of iSLIP, whose accept step has no
// choice, since an input requests one output alone. The packet then holds both ports until its last flit has
// moved, one a cycle; with that it is in the output's queue.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "golden/gpu/system/memory_packet.h"

namespace golden {

class PacketCrossbar {
 public:
  PacketCrossbar(int inputs, int outputs, int queue);

  bool ready(int input) const { return inputs_[index(input)].queue.size() < queue_; }
  void push(const MemoryPacket& packet);  // into the queue of its `from`

  // The packet in front of an output, or null.
  const MemoryPacket* front(int output) const {
    const Output& one = outputs_[index(output)];
    return one.queue.empty() ? nullptr : &one.queue.front();
  }
  MemoryPacket pop(int output);
  std::size_t waiting(int output) const { return outputs_[index(output)].queue.size(); }

  // A cycle of the network's clock.
  void tick();
  // Nothing waits at an input: a tick changes nothing.
  bool quiet() const { return waiting_ == 0; }
  std::uint64_t flits() const { return flits_; }

 private:
  static constexpr int nobody = -1;
  static std::size_t index(int port) { return static_cast<std::size_t>(port); }
  struct Input {
    std::deque<MemoryPacket> queue;
    int granted = nobody;
    bool busy = false;  // its packet in front is on its way
  };
  struct Output {
    std::deque<MemoryPacket> queue;
    int grant = 0;      // iSLIP: the input it prefers
    int from = nobody;  // whose packet is on its way
    int left = 0;       // flits of it
    int asked = 0;      // inputs whose front packet wants it and is not on its way
  };

  void match();
  void move();
  void ask(Input& input, int change);

  const std::size_t queue_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::size_t waiting_ = 0;  // packets at inputs
  std::uint64_t flits_ = 0;
};

}  // namespace golden
