// A memory of several sub-partitions below all SMs, each with an input buffer (BUCL, section 3.D): BUCL's
// update unit observes the fill of the buffers.
//
// The request in front of a buffer has its bytes moved in so many cycles, and leaves the buffer with the last
// of them; its answer is there `latency` cycles after that.
#pragma once
#include <vector>

#include "golden/gpu/answer_ports.h"
#include "golden/gpu/below.h"
#include "golden/gpu/memory_side.h"
#include "golden/gpu/request_ports.h"

namespace golden {

struct SubPartitionsParams {
  int sms = 15, chunk_bytes = 32;
  int count = 12;                 // that of address A is (A >> 8) modulo their number
  int buffer_entries = 8;         // of each
  int bytes = Below{}.bytes;      // what each moves in a cycle
  int latency = Below{}.latency;  // from the last byte to the answer
};

class SubPartitions final : public MemorySide {
 public:
  explicit SubPartitions(const SubPartitionsParams& p)
      : p_(p),
        requests_({.sms = p.sms, .ends = p.count, .entries = p.buffer_entries}),
        answers_(p.sms),
        left_(static_cast<std::size_t>(p.count)) {}

  void drive(int sm, L1dIn& in) const override {
    in.memory_request_ready = requests_.ready(sm);
    answers_.drive(sm, cycle_, in);
  }
  void take(int sm, const L1dIn& in, const L1dOut& out) override {
    if (in.memory_response_valid && out.memory_response_ready) answers_.pop(sm);
    if (!in.memory_request_ready || !out.memory_request_valid) return;
    const auto count = static_cast<std::uint64_t>(p_.count);
    requests_.take(MemoryRequest::of(sm, out), static_cast<int>((out.memory_request_address >> 8) % count));
  }
  void tick() override {
    for (int n = 0; n < p_.count; ++n) serve(n);
    requests_.tick();
    ++cycle_;
  }
  void occupancy(std::span<std::uint8_t> counts, unsigned most) const override {
    requests_.occupancy(counts, most);
  }

 private:
  void serve(int number) {
    const MemoryRequest* const request = requests_.front(number);
    if (!request) return;
    int& left = left_[static_cast<std::size_t>(number)];
    if (left == 0) left = port_cycles(request->bytes(p_.chunk_bytes), p_.bytes);
    if (--left != 0) return;
    answers_.add(*request, cycle_ + static_cast<std::uint64_t>(p_.latency));
    requests_.pop(number);
  }

  const SubPartitionsParams p_;
  RequestPorts requests_;
  AnswerPorts answers_;
  std::vector<int> left_;  // cycles of the request in front, 0 before its first
  std::uint64_t cycle_ = 0;
};

}  // namespace golden
