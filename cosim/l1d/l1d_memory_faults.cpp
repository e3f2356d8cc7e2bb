#include "cosim/l1d/l1d_memory_faults.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <utility>

namespace verif {
namespace {

using golden::L1dIn;
using hw::ProtocolError;

constexpr unsigned once_in_cycles = 512;
constexpr int cycles_to_notice = 24;  // until the answer stage is free, and the error has gone its way

struct Row {
  const char* name;
  ProtocolError code;
};
constexpr std::array<Row, 7> rows{
    {{"a response to a request that was never made", ProtocolError::answer_unasked},
     {"a response that comes twice", ProtocolError::answer_unasked},
     {"a response with a free id", ProtocolError::answer_unasked},
     {"a response with the id of another request", ProtocolError::answer_unasked},
     {"a response with the id of a request for another mask", ProtocolError::answer_mask},
     {"a response with another mask", ProtocolError::answer_mask},
     {"a response that does not come", ProtocolError::answer_late}}};

const golden::LineData some_line{0x0123456789abcdef, 0xfedcba9876543210};

}  // namespace

L1dMemoryFaults::L1dMemoryFaults(const hw::L1dParams& params, std::uint64_t seed)
    : params_(params), draw_(seed ^ 0x70727463), all_chunks_(~0u >> (32 - hw::chunks_of_line(params))) {}

void L1dMemoryFaults::offer(L1dIn& in) const {
  in.memory_response_valid = offered_.has_value();
  if (!offered_) return;
  in.memory_response_id = offered_->id;
  in.memory_response_mask = offered_->mask;
  if (!in.memory_response_data) in.memory_response_data = &some_line;
}

void L1dMemoryFaults::drive(L1dIn& in) {
  in.rst = left_ == 1;
  in.core_request_valid = in.flush_valid = in.memory_request_ready = false;
  in.core_response_ready = true;
  offer(in);
}

bool L1dMemoryFaults::alter(L1dIn& in, const golden::AnswerCheck& check) {
  if (running()) return true;
  const int all = params_.check.timeout ? kinds : dropped;
  if (!planned_ && draw_() % once_in_cycles == 0)
    planned_ = static_cast<Kind>(draw_() % static_cast<unsigned>(all));
  if (!planned_ || in.rst || stalled_) return false;
  kind_ = *planned_;
  if (!begin(in, check)) return false;
  planned_.reset();
  return true;
}

bool L1dMemoryFaults::begin(L1dIn& in, const golden::AnswerCheck& check) {
  then_.reset();
  if (kind_ == dropped) {
    if (!in.memory_response_valid) return false;
    offered_.reset();
    left_ = static_cast<int>(check.ids()) + params_.check.timeout + 4;
  } else {
    offered_ = wrong(kind_, in, check);
    if (!offered_) return false;
    if (kind_ == id_in_use) then_ = offered_;  // now the answer that it was taken for
    left_ = cycles_to_notice;
  }
  offer(in);
  ++seen_[kind_];
  return true;
}

std::optional<golden::AnswerCheck::Transfer> L1dMemoryFaults::wrong(Kind kind, const L1dIn& in,
                                                                    const golden::AnswerCheck& check) {
  const bool adds = kind == never_made || kind == doubled;
  if (in.memory_response_valid == adds) return {};
  Answer answer{in.memory_response_id, in.memory_response_mask};
  switch (kind) {
    case never_made:
      answer.mask = static_cast<std::uint32_t>(draw_()) & all_chunks_;
      if (const auto free = not_in_use(check)) return Answer{free->id, answer.mask};
      return {};
    case doubled:
      return last_ && !check.on_way().contains(last_->id) ? last_ : std::nullopt;
    case other_id:
      if (const auto free = not_in_use(check)) return Answer{free->id, answer.mask};
      return {};
    case id_in_use:
      return in_use(answer, true, check);
    case id_of_other_mask:
      return in_use(answer, false, check);
    default:
      answer.mask ^= 1u << draw_() % static_cast<unsigned>(hw::chunks_of_line(params_));
      return answer;
  }
}

std::optional<golden::AnswerCheck::Transfer> L1dMemoryFaults::not_in_use(const golden::AnswerCheck& check) {
  std::uint64_t id = draw_() % check.ids();
  if (draw_() % 2 && !check.on_way().empty()) {  // a bit off one that is in flight
    const auto some = std::next(check.on_way().begin(), static_cast<long>(draw_() % check.on_way().size()));
    id = some->first ^ (std::uint64_t{1} << draw_() % static_cast<unsigned>(std::countr_zero(check.ids())));
  }
  return check.on_way().contains(id) ? std::nullopt : std::optional(Answer{id, 0});
}

// Another request on its way, one that asks for as many chunks or for others.
std::optional<golden::AnswerCheck::Transfer> L1dMemoryFaults::in_use(const Answer& right, bool same_mask,
                                                                     const golden::AnswerCheck& check) {
  for (const auto& [id, mask] : check.on_way())
    if (id != right.id && (mask == right.mask) == same_mask) return Answer{id, right.mask};
  return {};
}

void L1dMemoryFaults::clock(const L1dIn& in, const L1dSeen& seen) {
  const bool taken = in.memory_response_valid && seen.memory_response_ready;
  stalled_ = in.memory_response_valid && !taken && !in.rst;
  if (taken) last_ = Answer{in.memory_response_id, in.memory_response_mask};
  if (in.rst) last_.reset();
  if (!running()) return;
  if (taken) offered_ = std::exchange(then_, std::nullopt);
  const bool late = params_.check.timeout > 0;  // that may be what was noticed first
  const Row& row = rows[kind_];
  if (left_ == 1 && (!seen.protocol_error || (!late && seen.protocol_error_code != row.code)))
    missed_ = Mismatch{.port = fmt::format("protocol_error, of {}", row.name),
                       .dut = hw::code_of(seen.protocol_error_code),
                       .golden = hw::code_of(row.code)};
  --left_;
}

Goals L1dMemoryFaults::goals() const {
  Goals goals;
  for (int kind = 0; kind < kinds; ++kind) {
    if (kind == dropped && !params_.check.timeout) continue;
    goals[rows[static_cast<std::size_t>(kind)].name] = seen_[static_cast<std::size_t>(kind)];
  }
  return goals;
}

}  // namespace verif
