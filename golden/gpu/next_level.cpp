#include "golden/gpu/next_level.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "golden/gpu/memory_request.h"

namespace golden {

NextLevel::NextLevel(const NextLevelParams& params) : NextLevel(params, {}) {}

NextLevel::NextLevel(const NextLevelParams& params, Initial initial)
    : p_(params), initial_(std::move(initial)), free_from_(static_cast<size_t>(params.banks), 0) {}

// The finisher of splitmix64.
std::uint64_t NextLevel::scrambled(std::uint64_t n) {
  n += 0x9E3779B97F4A7C15;
  n = (n ^ (n >> 30)) * 0xBF58476D1CE4E5B9;
  n = (n ^ (n >> 27)) * 0x94D049BB133111EB;
  return n ^ (n >> 31);
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
  if (initial_) apply(out, answer);
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

LineData& NextLevel::held(std::uint64_t address) {
  const std::uint64_t line = address / static_cast<std::uint64_t>(p_.line_bytes);
  const auto [found, added] = lines_.try_emplace(line);
  const auto words = static_cast<std::uint64_t>(p_.line_bytes) / 8;
  if (added)
    for (std::uint64_t i = 0; i < words; ++i) found->second[i] = initial_(line * words + i);
  return found->second;
}

void NextLevel::apply(const L1dOut& out, Answer& answer) {
  LineData& line = held(out.memory_request_address);
  if (answer.mask != 0) {
    if (unused_.empty()) {
      unused_.push_back(static_cast<int>(data_.size()));
      data_.emplace_back();
    }
    answer.data = unused_.back();
    unused_.pop_back();
    data_[static_cast<size_t>(answer.data)] = line;
  }
  const LineData* data = out.memory_request_data;
  if (!data) return;
  if (out.memory_request_kind == RequestKind::atomic) {
    const int words = p_.chunk_bytes / 8;
    for (int i = 0; i < p_.line_bytes / 8; ++i) {
      if (!(out.memory_request_mask >> (i / words) & 1)) continue;
      const auto at = static_cast<size_t>(i);
      const std::uint64_t low = (line[at] + (*data)[at]) & 0xFFFFFFFF;
      line[at] = ((line[at] >> 32) + ((*data)[at] >> 32)) << 32 | low;
    }
  } else if (answer.mask == 0 && out.memory_request_byte_enable) {
    for (int byte = 0; byte < p_.line_bytes; ++byte) {
      if (!((*out.memory_request_byte_enable)[static_cast<size_t>(byte / 64)] >> (byte % 64) & 1)) continue;
      const std::uint64_t lanes = std::uint64_t{0xFF} << (8 * (byte % 8));
      auto& word = line[static_cast<size_t>(byte / 8)];
      word = (word & ~lanes) | ((*data)[static_cast<size_t>(byte / 8)] & lanes);
    }
  }
}

}  // namespace golden
