// From the SMs to the input buffers of a memory: a port at each SM, a crossbar, a buffer at each end.
//
// A request waits at its SM's port behind those before it; each cycle every buffer that has a free entry
// takes one request from the front of a port, the SMs in turn. All that a cycle decides is by the state at
// its beginning: a request is in its port from the next cycle on, and in its buffer from the one behind that.
#pragma once
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "golden/gpu/memory_request.h"

namespace golden {

class RequestPorts {
 public:
  struct Shape {
    int sms = 1, ends = 1;
    int entries = 8;  // of an end's buffer
    int places = 2;   // of an SM's port
  };
  explicit RequestPorts(const Shape& shape);

  bool ready(int sm) const { return ports_[index(sm)].size() < places_; }
  // The SM has sent it, in a cycle in which its port was ready.
  void take(const MemoryRequest& request, int end) { arriving_.push_back({request, end}); }

  // The request that an end's buffer has held longest, or null.
  const MemoryRequest* front(int end) const {
    const auto& buffer = ends_[index(end)].buffer;
    return buffer.empty() ? nullptr : &buffer.front();
  }
  void pop(int end) { ends_[index(end)].buffer.pop_front(); }
  std::size_t waiting(int end) const { return ends_[index(end)].buffer.size(); }
  // Requests in the buffers by (address >> 8) modulo the number of counts, at most `most` of each.
  void occupancy(std::span<std::uint8_t> counts, unsigned most) const;
  bool idle() const;

  void tick();

 private:
  struct Sent {
    MemoryRequest request;
    int end;
  };
  struct End {
    std::deque<MemoryRequest> buffer;
    bool full = false;  // at the beginning of the cycle
    std::size_t turn = 0;
  };
  static std::size_t index(int n) { return static_cast<std::size_t>(n); }
  void admit(int end);

  static constexpr int taken_by_an_end = -1;  // in this cycle

  const std::size_t places_, entries_;
  std::vector<std::deque<Sent>> ports_;
  std::vector<End> ends_;
  std::vector<Sent> arriving_;
};

}  // namespace golden
