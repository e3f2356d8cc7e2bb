#include "golden/gpu/next_level.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "golden/gpu/memory_request.h"

namespace golden {

NextLevel::NextLevel(const NextLevelParams& params) : NextLevel(params, {}) {}

NextLevel::NextLevel(const NextLevelParams& params, Initial initial)
    : p_(params), free_from_(static_cast<size_t>(params.banks), 0) {
  if (initial) bytes_.emplace(p_.line_bytes, p_.chunk_bytes, std::move(initial));
}

void NextLevel::drive(L1dIn& in) const {
  in.memory_request_ready = moving_.size() < static_cast<size_t>(p_.queue);
  in.memory_response_valid = !answers_.empty() && answers_.top().due <= cycle_;
  if (!in.memory_response_valid) return;
  const Answer& answer = answers_.top();
  in.memory_response_id = answer.id;
  in.memory_response_mask = answer.mask;
  in.memory_response_data = answer.data < 0 ? nullptr : &data_[static_cast<size_t>(answer.data)];
}

void NextLevel::edge(const L1dIn& in, const L1dOut& out) {
  if (in.rst) {
    moving_.clear();
    answers_ = {};
    data_.clear();
    unused_.clear();
    std::ranges::fill(free_from_, 0);
  } else {
    if (in.memory_response_valid && out.memory_response_ready) {
      if (answers_.top().data >= 0) unused_.push_back(answers_.top().data);
      answers_.pop();
    }
    if (in.memory_request_ready && out.memory_request_valid) accept(out);
  }
  ++cycle_;
  while (!moving_.empty() && moving_.front().last < cycle_) {
    std::ranges::pop_heap(moving_, std::greater<>());
    moving_.pop_back();
  }
}

void NextLevel::accept(const L1dOut& out) {
  Answer answer;
  answer.order = accepted_++;
  answer.id = out.memory_request_id;
  answer.due = schedule(out.memory_request_address, out.memory_request_mask);
  answer.mask = is_write(out) ? 0 : out.memory_request_mask;
  if (bytes_) {
    if (answer.mask != 0) answer.data = place_for_data();
    bytes_->apply(out, answer.data < 0 ? nullptr : &data_[static_cast<size_t>(answer.data)]);
  }
  answers_.push(answer);
}

// The cycle in which the answer is there.
std::uint64_t NextLevel::schedule(std::uint64_t address, std::uint32_t mask) {
  const std::uint64_t line = address / static_cast<std::uint64_t>(p_.line_bytes);
  std::uint64_t& free_from = free_from_[line % free_from_.size()];
  const int cycles = port_cycles(std::popcount(mask) * p_.chunk_bytes, p_.bank_bytes);
  free_from = std::max(cycle_, free_from) + static_cast<std::uint64_t>(cycles);
  moving_.push_back({free_from - 1, address});
  std::ranges::push_heap(moving_, std::greater<>());
  return free_from - 1 + static_cast<std::uint64_t>(p_.latency);
}

void NextLevel::occupancy(std::span<std::uint8_t> counts, unsigned most) const {
  std::ranges::fill(counts, 0);
  for (const Moving& request : moving_) {
    std::uint8_t& count = counts[(request.address >> 8) % counts.size()];
    if (count < most) ++count;
  }
}

// A free entry of data_.
int NextLevel::place_for_data() {
  if (unused_.empty()) {
    unused_.push_back(static_cast<int>(data_.size()));
    data_.emplace_back();
  }
  const int place = unused_.back();
  unused_.pop_back();
  return place;
}

}  // namespace golden
