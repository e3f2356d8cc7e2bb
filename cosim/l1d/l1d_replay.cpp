#include "cosim/l1d/l1d_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "golden/trace/io/byte_source.h"

namespace verif {

using golden::L1dIn;
using golden::L1dOut;
using golden::RequestKind;

namespace {

constexpr std::int64_t longest_wait = 100'000;  // cycles without an answer or a request taken

}  // namespace

void L1dReplay::check(const L1dRecording& recording, const hw::L1dParams& params) {
  const auto refuse = [&](std::uint64_t line, std::size_t column, const std::string& reason) {
    throw golden::TraceError(fmt::format("{}:{}:{}: {}", recording.file, line, column, reason));
  };
  if (params.line_bytes != L1dRecording::line_bytes)
    refuse(1, 1,
           fmt::format("holds requests for lines of {} bytes; this cache has lines of {}",
                       L1dRecording::line_bytes, params.line_bytes));
  for (const auto& r : recording.requests) {
    if (params.address_bits < 64 && r.address >> params.address_bits)
      refuse(r.line, r.address_column,
             fmt::format("address {:#x} needs more than geometry.address_bits = {}", r.address,
                         params.address_bits));
    if (params.core_id_bits < 32 && r.id >> params.core_id_bits)
      refuse(r.line, r.id_column,
             fmt::format("id {} needs more than core.id_bits = {}", r.id, params.core_id_bits));
    if (r.id > 0xffff) refuse(r.line, r.id_column, fmt::format("id {} is more than 65535", r.id));
  }
}

L1dReplay::L1dReplay(const L1dRecording& recording, const hw::L1dParams& params, Manner manner,
                     const golden::CycleL1d& cache)
    : recording_(recording),
      params_(params),
      manner_(manner),
      cache_(cache),
      initial_(recording.initial()),
      memory_({.line_bytes = params.line_bytes, .chunk_bytes = params.chunk_bytes},
              [this](std::uint64_t n) { return initial_.at(8 * n)[n % 16]; }),
      has_answer_(recording.requests.size()),
      controls_(params) {
  mechanisms_ = stimuli_of(params, [] { return 1; });
  std::erase_if(mechanisms_, [](const auto& mechanism) { return mechanism->fields().empty(); });
  for (const auto& mechanism : mechanisms_) mechanism->aim_at(cache);
  std::uint32_t most_id = 0;
  for (const auto& r : recording.requests) most_id = std::max(most_id, r.id);
  request_of_.resize(most_id + 1);
}

void L1dReplay::fill(L1dLines& lines) const { lines = initial_; }

// Chunks of this cache that cover the recorded ones.
std::uint32_t L1dReplay::mask_of(std::uint32_t recorded) const {
  std::uint32_t mask = 0;
  for (int byte = 0; byte < L1dRecording::line_bytes; byte += 8)
    if (recorded >> byte / L1dRecording::chunk_bytes & 1) mask |= 1u << byte / params_.chunk_bytes;
  return mask;
}

bool L1dReplay::drive(L1dIn& in) {
  const auto& requests = recording_.requests;
  if (answered_ == requests.size() && fence_ == recording_.fences.size()) return false;
  in = {};
  in.rst = cycle_ == 0;
  const bool fence = fence_ < recording_.fences.size() && recording_.fences[fence_] == next_;
  in.flush_valid = fence && answered_ == next_;
  const bool waits = offered_ && !taken_;
  offered_ =
      !in.rst && !fence && next_ < requests.size() && requests[next_].answers_before <= answers_in_order_;
  if (offered_) {
    const auto& r = requests[next_];
    const bool writes = r.enables != golden::ByteMask{};
    in.core_request_valid = true;
    in.core_request_id = r.id;
    // A store that enables nothing has no form of kind 3.
    in.core_request_kind =
        manner_ == Manner::uncached && (r.answered_with_data || writes) ? RequestKind::non_l1 : r.kind;
    in.core_request_address = r.address;
    in.core_request_mask = mask_of(r.mask);
    in.core_request_byte_enable = &r.enables;
    in.core_request_data = &r.data;
  }
  if (!mechanisms_.empty()) draw_sideband(in, waits);
  memory_.drive(in);
  in.core_response_ready = true;
  if (manner_ == Manner::back_pressure) {
    const std::uint64_t draw = draw_();
    in.core_response_ready = (draw & 3) == 0;
    in.memory_request_ready &= (draw >> 8 & 3) == 0;
    in.memory_response_valid &= response_shown_ || (draw >> 16 & 3) == 0;
  }
  response_shown_ = in.memory_response_valid;
  if (in.memory_response_data) {
    response_ = *in.memory_response_data;  // the memory may use the field again before the edge
    in.memory_response_data = &response_;
  }
  return true;
}

// A request that waits is the same in each cycle.
void L1dReplay::draw_sideband(L1dIn& in, bool waits) {
  if (in.rst || draw_() % 1024 == 0) controls_.open_phase(draw_);
  controls_.drive(shown_, draw_);
  in.controls = shown_;
  if (offered_ && !waits) {
    for (const auto& mechanism : mechanisms_) mechanism->request(in);
    sideband_ = in.core_request_sideband;
  }
  in.core_request_sideband = sideband_;
  for (const auto& mechanism : mechanisms_) mechanism->cycle(in);
}

void L1dReplay::fail(std::string what, std::uint64_t got, std::uint64_t want) {
  wrong_.port = std::move(what);
  wrong_.dut = got;
  wrong_.golden = want;
}

void L1dReplay::answered(std::uint32_t id, const L1dSeen& seen) {
  if (id >= request_of_.size()) return fail("core_response_id, of no request", id, 0);
  const std::size_t number = request_of_[id];
  const auto& r = recording_.requests[number];
  if (has_answer_[number]) return fail("core_response_id, of no request", id, 0);
  has_answer_[number] = 1;
  ++answered_;
  while (answers_in_order_ < recording_.answers.size() && has_answer_[recording_.answers[answers_in_order_]])
    ++answers_in_order_;
  if (!r.answered_with_data) return;
  const auto* want = reinterpret_cast<const std::uint8_t*>(r.data.data());
  for (int b = 0; b < L1dRecording::line_bytes; ++b)
    if (r.mask >> b / L1dRecording::chunk_bytes & 1 && seen.core_response_data[b] != want[b])
      return fail(fmt::format("byte {} of the answer to {}:{}", b, recording_.file, r.line),
                  seen.core_response_data[b], want[b]);
}

void L1dReplay::clock(const L1dIn& in, const L1dOut& out, const L1dSeen& seen) {
  const bool taken = in.core_request_valid && seen.core_request_ready,
             came = seen.core_response_valid && in.core_response_ready;
  taken_ = taken;
  response_shown_ &= !seen.memory_response_ready;
  if (!in.rst) {
    latency_.fired(cache_.last_event());
    if (taken)
      latency_.accepted(in.core_request_id, in.core_request_kind, static_cast<std::uint64_t>(cycle_));
    if (came && out.response_of_lookup) latency_.hit(seen.core_response_id);
    if (came) latency_.answered(seen.core_response_id, static_cast<std::uint64_t>(cycle_));
    if (came) answered(seen.core_response_id, seen);
    if (taken) request_of_[recording_.requests[next_].id] = next_, ++next_;
    if (in.flush_valid && seen.flush_ready) ++fence_;
    if (taken || came) last_progress_ = cycle_;
    if (cycle_ - last_progress_ > longest_wait)
      fail("requests that are never answered", next_ - answered_, 0);
  }
  memory_.edge(in, out);
  ++cycle_;
}

}  // namespace verif
