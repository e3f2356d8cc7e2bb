#include "golden/gpu/system/system_memory.h"

#include <algorithm>
#include <bit>

namespace golden {

SystemMemory::SystemMemory(const SystemParams& p)
    : p_(p),
      network_clock_(p.network_clock, p.core_clock),
      requests_(p.sms, p.l2.slices, p.network.queue),
      replies_(p.l2.slices, p.sms, p.network.queue),
      reads_(p.sms),
      lower_(p, p.network.queue, reads_),
      arrived_(index(p.sms)),
      missing_(index(p.sms)) {}

void SystemMemory::drive(int sm, L1dIn& in) const {
  in.memory_request_ready = requests_.ready(sm);
  const auto& arrived = arrived_[index(sm)];
  in.memory_response_valid = !arrived.empty();
  if (arrived.empty()) return;
  in.memory_response_id = arrived.front().id;
  in.memory_response_mask = arrived.front().mask;
  in.memory_response_data = nullptr;
}

void SystemMemory::take(int sm, const L1dIn& in, const L1dOut& out) {
  if (in.memory_response_valid && out.memory_response_ready) {
    if (arrived_[index(sm)].front().read) reads_.answered(sm, in.memory_response_id);
    arrived_[index(sm)].pop_front();
    ++figures_.answers;
  }
  if (!in.memory_request_ready || !out.memory_request_valid) return;
  MemoryPacket packet{.request = MemoryRequest::of(sm, out), .from = sm};
  packet.to = L2Slice::slice_of(packet.request.address, p_.l2);
  const int bytes = packet.request.bytes(L2Params::sector_bytes);
  const bool carries = packet.request.writes || packet.request.kind == RequestKind::atomic;
  if (carries && !p_.network.whole_packets) packet.flits = port_cycles(bytes, p_.network.flit_bytes);
  requests_.push(packet);
  if (!packet.request.writes) reads_.sent(sm, packet.request.id);
  ++figures_.requests;
  figures_.bytes_down += static_cast<std::uint64_t>(bytes);
}

void SystemMemory::tick() {
  lower_.tick_dram();
  for (int ticks = network_clock_.step(); ticks > 0; --ticks) {
    lower_.tick_slices();
    for (int s = 0; s < p_.l2.slices; ++s) pass(s);
    requests_.tick();
    replies_.tick();
  }
  for (int sm = 0; sm < p_.sms; ++sm)
    if (replies_.front(sm)) collect(sm);
  lower_.end_cycle();
}

// Between a slice and its ports: an answer that leaves, a request that comes.
void SystemMemory::pass(int s) {
  if (const MemoryPacket* const answer = lower_.answer(s); answer && replies_.ready(s)) {
    MemoryPacket packet = *answer;
    packet.from = s;
    packet.to = packet.request.sm;
    const int bytes = packet.request.writes ? 0 : std::popcount(packet.sectors) * L2Params::sector_bytes;
    packet.flits = p_.network.whole_packets ? 1 : port_cycles(bytes, p_.network.flit_bytes);
    lower_.pop(s);
    replies_.push(packet);
    if (!packet.request.writes)
      reads_.moved(packet.to, packet.request.id, Whereabouts::Place::l2_output,
                   Whereabouts::Place::reply_network);
  }
  if (requests_.front(s) && lower_.ready(s)) lower_.push(requests_.pop(s));
}

// Takes an answer from the SM's port; what comes sector by sector is put together.
void SystemMemory::collect(int sm) {
  const MemoryPacket packet = replies_.pop(sm);
  const MemoryRequest& request = packet.request;
  if (p_.l2.split_sectors) {
    auto& missing = missing_[index(sm)];
    const auto [found, added] = missing.try_emplace(request.id, request.mask);
    found->second &= ~packet.sectors;
    if (found->second) return;
    missing.erase(found);
  }
  arrived_[index(sm)].push_back({request.id, request.answer_mask(), !request.writes});
}

void SystemMemory::occupancy(std::span<std::uint8_t> counts, unsigned most) const {
  std::ranges::fill(counts, 0);
  for (int s = 0; s < p_.l2.slices; ++s) {
    std::uint8_t& count = counts[index(s) % counts.size()];
    count = static_cast<std::uint8_t>(std::min<std::size_t>(count + requests_.waiting(s), most));
  }
}

bool SystemMemory::idle() const { return figures_.requests == figures_.answers; }

SystemMemoryFigures SystemMemory::memory_figures() const {
  SystemMemoryFigures all = figures_;
  lower_.add_to(all);
  all.request_flits = requests_.flits();
  all.reply_flits = replies_.flits();
  return all;
}

}  // namespace golden
