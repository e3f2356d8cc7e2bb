#include "cosim/l1d/l1d_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "golden/l1d/memory_ids.h"

namespace verif {

using golden::L1dIn;
using golden::L1dOut;
using golden::RequestKind;

L1dMemory::L1dMemory(const hw::L1dParams& params)
    : line_bytes_(params.line_bytes),
      chunk_bytes_(params.chunk_bytes),
      entry_id_bits_(static_cast<unsigned>(golden::memory_id_bits(params) - 1)),
      entry_bits_(static_cast<unsigned>(golden::bits_for(params.mshr_entries))),
      lines_(params.line_bytes) {}

void L1dMemory::reset() {
  waiting_.clear();
  free_.clear();
  for (std::uint32_t a = 0; a < answers_.size(); ++a) free_.push_back(a);
  offered_ = none;
  lines_.clear();
}

std::uint32_t L1dMemory::free_answer() {
  if (free_.empty()) {
    answers_.emplace_back();
    return static_cast<std::uint32_t>(answers_.size() - 1);
  }
  const std::uint32_t a = free_.back();
  free_.pop_back();
  return a;
}

void L1dMemory::hurry(unsigned entry) {
  for (Waiting& w : waiting_) {
    const std::uint64_t id = answers_[w.answer].id;
    if (!(id >> entry_id_bits_) && (id & ((1u << entry_bits_) - 1)) == entry) earliest_ = w.due = now_;
  }
}

void L1dMemory::choose(L1dDraw& draw) {
  if (now_ < earliest_) return;
  std::size_t due = 0, chosen = waiting_.size();
  earliest_ = INT64_MAX;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    earliest_ = std::min(earliest_, waiting_[i].due);
    if (waiting_[i].due > now_) continue;
    ++due;
    if (due == 1 || manner_.order == Order::last || (manner_.order == Order::any && draw() % due == 0))
      chosen = i;
  }
  if (due == 0) return;
  offered_ = waiting_[chosen].answer;
  out_of_order_ = chosen != 0;
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
}

void L1dMemory::drive(L1dIn& in, L1dDraw& draw) {
  if (offered_ == none && !waiting_.empty()) choose(draw);
  in.memory_response_valid = offered_ != none;
  if (offered_ != none) {
    const Answer& a = answers_[offered_];
    in.memory_response_id = a.id;
    in.memory_response_mask = a.mask;
    in.memory_response_data = &a.data;
  }
  in.memory_request_ready = static_cast<int>(waiting_.size()) < manner_.places &&
                            (manner_.ready_rate == 16 || draw() % 16 < manner_.ready_rate);
}

void L1dMemory::clock(const L1dOut* request, bool response_taken) {
  if (request) {
    static constexpr golden::ByteMask no_bytes{};
    const std::uint32_t number = free_answer();
    Answer& a = answers_[number];
    a.id = request->memory_request_id;
    a.mask = request->memory_request_mask;
    const std::uint64_t address = request->memory_request_address;
    const golden::ByteMask& enables =
        request->memory_request_byte_enable ? *request->memory_request_byte_enable : no_bytes;
    const bool writes = enables != no_bytes;
    const RequestKind kind = request->memory_request_kind;
    if (kind == RequestKind::store || (kind == RequestKind::non_l1 && writes)) {
      a.mask = 0;
      if (writes) lines_.write(address, *request->memory_request_data, enables);
    } else {
      std::memcpy(a.data.data(), lines_.at(address).data(), static_cast<std::size_t>(line_bytes_));
      if (kind == RequestKind::atomic)
        lines_.add(address, *request->memory_request_data, a.mask, chunk_bytes_);
    }
    std::int64_t due = now_ + manner_.least_latency;
    if (manner_.most_latency > manner_.least_latency)
      due += static_cast<std::int64_t>(
          latency_draw_() % static_cast<std::uint64_t>(manner_.most_latency - manner_.least_latency + 1));
    if (manner_.straggler_rate && latency_draw_() % 16 < manner_.straggler_rate)
      due += manner_.straggler_latency;
    if (manner_.direct_latency && request->memory_request_id >> entry_id_bits_)
      due = now_ + manner_.direct_latency;
    earliest_ = std::min(earliest_, due);
    waiting_.push_back({due, number});
  }
  // Not before: the data of the answer counts up to the edge.
  if (response_taken) free_.push_back(std::exchange(offered_, none));
  ++now_;
}

}  // namespace verif
