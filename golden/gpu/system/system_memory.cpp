#include "golden/gpu/system/system_memory.h"

#include <algorithm>
#include <bit>

namespace golden {

SystemMemory::SystemMemory(const SystemParams& p, int line_bytes, int chunk_bytes)
    : p_(p),
      line_bytes_(line_bytes),
      chunk_bytes_(chunk_bytes),
      network_clock_(p.network_clock, p.core_clock),
      memory_clock_(p.memory_clock, p.core_clock),
      requests_(p.sms, p.l2.slices, p.network.queue),
      replies_(p.l2.slices, p.sms, p.network.queue),
      channels_(index(p.dram.channels), DramChannel(p.dram)),
      arrived_(index(p.sms)),
      missing_(index(p.sms)) {
  for (int s = 0; s < p.l2.slices; ++s)
    slices_.emplace_back(p.l2, line_bytes, p.network.queue, port_of(s));
}

L2Slice::MemoryPort SystemMemory::port_of(int slice) {
  const auto channel = index(slice / p_.slices_of_channel());
  return {.ready =
              [this, channel](bool write, std::uint64_t, std::uint32_t sectors) {
                return channels_[channel].ready(write, columns_of(sectors));
              },
          .send = [this, slice](bool write, std::uint64_t line,
                                std::uint32_t sectors) { send(slice, write, line, sectors); }};
}

// Column accesses that the sectors of a line take.
std::size_t SystemMemory::columns_of(std::uint32_t sectors) const {
  const int in_column = DramChannel::access_bytes / chunk_bytes_;
  std::size_t columns = 0;
  for (const std::uint32_t mask = (1u << in_column) - 1; sectors; sectors >>= in_column)
    columns += (sectors & mask) != 0;
  return columns;
}

void SystemMemory::send(int slice, bool write, std::uint64_t line, std::uint32_t sectors) {
  const auto bytes = static_cast<std::uint64_t>(line_bytes_);
  const auto share = static_cast<std::uint64_t>(p_.slices_of_channel());
  const std::uint64_t own = line * bytes;  // in the slice; the slices of a channel share it block by block
  const std::uint64_t start = (own / L2Slice::block_bytes * share + static_cast<std::uint64_t>(slice) % share) *
                                  L2Slice::block_bytes +
                              own % L2Slice::block_bytes;
  const int in_column = DramChannel::access_bytes / chunk_bytes_;
  for (int first = 0; first < line_bytes_ / chunk_bytes_; first += in_column) {
    const std::uint32_t here = sectors & (((1u << in_column) - 1) << first);
    if (!here) continue;
    std::uint64_t token = 0;
    if (!write) {
      if (free_fetches_.empty()) free_fetches_.push_back(fetches_.size()), fetches_.emplace_back();
      token = free_fetches_.back();
      free_fetches_.pop_back();
      fetches_[token] = {slice, line, here};
    }
    channels_[index(slice / p_.slices_of_channel())].push(
        {.address = start + static_cast<std::uint64_t>(first * chunk_bytes_),
         .write = write,
         .bytes = std::popcount(here) * chunk_bytes_,
         .token = token});
  }
}

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
    arrived_[index(sm)].pop_front();
    ++figures_.answers;
  }
  if (!in.memory_request_ready || !out.memory_request_valid) return;
  MemoryPacket packet{.request = MemoryRequest::of(sm, out), .from = sm};
  packet.to = L2Slice::slice_of(packet.request.address, p_.l2);
  const int bytes = packet.request.bytes(chunk_bytes_);
  const bool carries = packet.request.writes || packet.request.kind == RequestKind::atomic;
  if (carries && !p_.network.whole_packets) packet.flits = port_cycles(bytes, p_.network.flit_bytes);
  requests_.push(packet);
  ++figures_.requests;
  figures_.bytes_down += static_cast<std::uint64_t>(bytes);
}

void SystemMemory::tick() {
  tick_dram();
  for (int ticks = network_clock_.step(); ticks > 0; --ticks) {
    tick_l2();
    requests_.tick();
    replies_.tick();
  }
  for (int sm = 0; sm < p_.sms; ++sm)
    if (replies_.front(sm)) collect(sm);
  ++cycle_;
}

void SystemMemory::tick_dram() {
  for (int ticks = memory_clock_.step(); ticks > 0; --ticks)
    for (DramChannel& channel : channels_) {
      if (channel.quiet()) {
        channel.skip(1);
        continue;
      }
      channel.tick();
      while (const auto token = channel.arrived())
        returning_.push_back({cycle_ + static_cast<std::uint64_t>(p_.dram.latency), *token});
    }
  for (; !returning_.empty() && returning_.front().due <= cycle_; returning_.pop_front()) {
    const std::uint64_t token = returning_.front().token;
    const Fetch fetch = fetches_[token];
    free_fetches_.push_back(token);
    slices_[index(fetch.slice)].filled(fetch.line, fetch.sectors);
  }
}

void SystemMemory::tick_l2() {
  for (int s = 0; s < p_.l2.slices; ++s) tick_slice(s);
}

// A cycle of a slice: what leaves it, what it looks up, what comes in.
void SystemMemory::tick_slice(int s) {
  L2Slice& slice = slices_[index(s)];
  slice.tick(cycle_);
  if (const MemoryPacket* const answer = slice.answer(); answer && replies_.ready(s)) {
    MemoryPacket packet = *answer;
    packet.from = s;
    packet.to = packet.request.sm;
    const int bytes = packet.request.writes ? 0 : std::popcount(packet.sectors) * chunk_bytes_;
    packet.flits = p_.network.whole_packets ? 1 : port_cycles(bytes, p_.network.flit_bytes);
    slice.pop();
    replies_.push(packet);
  }
  const MemoryPacket* const request = requests_.front(s);
  if (!request || !slice.ready()) return;
  const MemoryPacket packet = requests_.pop(s);
  slice.push(packet, L2Slice::local_line(packet.request.address, p_.l2.slices, line_bytes_), cycle_);
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
  arrived_[index(sm)].push_back({request.id, request.answer_mask()});
}

void SystemMemory::occupancy(std::span<std::uint8_t> counts, unsigned most) const {
  std::ranges::fill(counts, 0);
  for (int s = 0; s < p_.l2.slices; ++s) {
    std::uint8_t& count = counts[index(s) % counts.size()];
    count = static_cast<std::uint8_t>(std::min<std::size_t>(count + requests_.waiting(s), most));
  }
}

void SystemMemory::kernel_ends() {
  if (!p_.l2.flush) return;
  for (L2Slice& slice : slices_) slice.flush();
}

bool SystemMemory::idle() const { return figures_.requests == figures_.answers; }

SystemMemoryFigures SystemMemory::memory_figures() const {
  SystemMemoryFigures all = figures_;
  for (const L2Slice& slice : slices_) all.l2.add(slice.counters());
  for (const DramChannel& channel : channels_) all.dram.add(channel.counters());
  all.request_flits = requests_.flits();
  all.reply_flits = replies_.flits();
  return all;
}

}  // namespace golden
