#include "golden/gpu/system/line_splitter.h"

#include <utility>

namespace golden {

namespace {

constexpr ByteMask some_bytes{1};  // of a request that writes; which ones does not count below

}  // namespace

LineSplitter::LineSplitter(std::unique_ptr<MemorySide> below, int sms, int line_bytes, int chunk_bytes)
    : below_(std::move(below)),
      line_bytes_(line_bytes),
      chunk_bytes_(chunk_bytes),
      sms_(static_cast<std::size_t>(sms)) {}

void LineSplitter::drive(int sm, L1dIn& in) const {
  below_->drive(sm, in);
  const Sm& one = at(sm);
  in.memory_request_ready = in.memory_request_ready && one.parts.empty();
  if (!in.memory_response_valid) return;
  const std::uint64_t id = in.memory_response_id / LineParts::most;
  const Sent& sent = one.sent[id];
  in.memory_response_valid = sent.left == 1;
  in.memory_response_id = id;
  in.memory_response_mask = sent.mask;
}

void LineSplitter::take(int sm, const L1dIn& in, const L1dOut& out) {
  Sm& one = at(sm);
  one.takes = in.memory_response_valid && out.memory_response_ready;
  if (one.takes) one.sent[in.memory_response_id].left = 0;  // its id may be in the request of this cycle
  if (!in.memory_request_ready || !out.memory_request_valid) return;
  const MemoryRequest request = MemoryRequest::of(sm, out);
  const LineParts parts(request.address, request.mask, line_bytes_, chunk_bytes_);
  std::uint64_t id = request.id * LineParts::most;
  for (const LinePart& part : parts.all()) {
    MemoryRequest& sent = one.parts.emplace_back(request);
    sent.address = part.address, sent.mask = part.sectors, sent.id = id++;
  }
  if (one.sent.size() <= request.id) one.sent.resize(request.id + 1);
  one.sent[request.id] = {request.answer_mask(), parts.all().size()};
}

// What passes between an SM's side and the memory in this cycle.
void LineSplitter::pass(int sm) {
  Sm& one = at(sm);
  below_->drive(sm, one.in);
  one.out.memory_response_ready = false;
  const bool takes = std::exchange(one.takes, false);
  if (one.in.memory_response_valid) {
    std::size_t& left = one.sent[one.in.memory_response_id / LineParts::most].left;
    one.out.memory_response_ready = takes || left > 1;
    if (one.out.memory_response_ready && !takes) --left;
  }
  one.out.memory_request_valid = !one.parts.empty();
  if (!one.parts.empty()) {
    const MemoryRequest& part = one.parts.front();
    one.out.memory_request_id = part.id;
    one.out.memory_request_kind = part.kind;
    one.out.memory_request_address = part.address;
    one.out.memory_request_mask = part.mask;
    one.out.memory_request_byte_enable = part.writes ? &some_bytes : nullptr;
  }
  below_->take(sm, one.in, one.out);
  if (one.in.memory_request_ready && one.out.memory_request_valid) one.parts.pop_front();
}

void LineSplitter::tick() {
  for (int sm = 0; sm < static_cast<int>(sms_.size()); ++sm) pass(sm);
  below_->tick();
}

std::unique_ptr<MemorySide> for_lines(std::unique_ptr<MemorySide> memory, int sms, int line_bytes,
                                      int chunk_bytes) {
  if (has_lines_of_l2(line_bytes, chunk_bytes)) return memory;
  return std::make_unique<LineSplitter>(std::move(memory), sms, line_bytes, chunk_bytes);
}

SystemMemory* own_memory_of(MemorySide& memory) {
  auto* const splitter = dynamic_cast<LineSplitter*>(&memory);
  return dynamic_cast<SystemMemory*>(splitter ? &splitter->below() : &memory);
}

}  // namespace golden
