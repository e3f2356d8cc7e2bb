// From a memory to the SMs: each answer leaves when it is there, one a cycle and SM, the earliest first, then
// in the order of the requests.
#pragma once
#include <cstdint>
#include <queue>
#include <vector>

#include "golden/gpu/memory_request.h"

namespace golden {

class AnswerPorts {
 public:
  explicit AnswerPorts(int sms) : ports_(static_cast<std::size_t>(sms)) {}

  // The answer to a request is there from cycle `due` on.
  void add(const MemoryRequest& request, std::uint64_t due) {
    ports_[static_cast<std::size_t>(request.sm)].push({due, added_++, request.id, request.answer_mask()});
  }
  void drive(int sm, std::uint64_t cycle, L1dIn& in) const {
    const auto& port = ports_[static_cast<std::size_t>(sm)];
    in.memory_response_valid = !port.empty() && port.top().due <= cycle;
    if (!in.memory_response_valid) return;
    in.memory_response_id = port.top().id;
    in.memory_response_mask = port.top().mask;
    in.memory_response_data = nullptr;
  }
  void pop(int sm) { ports_[static_cast<std::size_t>(sm)].pop(); }

 private:
  struct Answer {
    std::uint64_t due, order, id;
    std::uint32_t mask;
    bool operator>(const Answer& o) const { return due != o.due ? due > o.due : order > o.order; }
  };

  std::vector<std::priority_queue<Answer, std::vector<Answer>, std::greater<>>> ports_;
  std::uint64_t added_ = 0;
};

}  // namespace golden
