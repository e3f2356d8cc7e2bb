#include "golden/gpu/system/l2_and_dram.h"

#include <algorithm>
#include <bit>

namespace golden {

L2AndDram::L2AndDram(const SystemParams& p, int queue, Whereabouts& reads)
    : p_(p),
      memory_clock_(p.memory_clock, p.core_clock),
      channels_(index(p.dram.channels), DramChannel(p.dram)) {
  for (int s = 0; s < p.l2.slices; ++s)
    slices_.emplace_back(p.l2, L2Params::line_bytes, queue, port_of(s), &reads);
}

L2Slice::MemoryPort L2AndDram::port_of(int slice) {
  const auto channel = index(slice / p_.slices_of_channel());
  return {.ready =
              [this, channel](bool write, std::uint64_t, std::uint32_t sectors) {
                return channels_[channel].ready(write, columns_of(sectors));
              },
          .send = [this, slice](bool write, std::uint64_t line,
                                std::uint32_t sectors) { send(slice, write, line, sectors); }};
}

// Column accesses that the sectors of a line take.
std::size_t L2AndDram::columns_of(std::uint32_t sectors) const {
  const int in_column = DramChannel::access_bytes / L2Params::sector_bytes;
  std::size_t columns = 0;
  for (const std::uint32_t mask = (1u << in_column) - 1; sectors; sectors >>= in_column)
    columns += (sectors & mask) != 0;
  return columns;
}

void L2AndDram::send(int slice, bool write, std::uint64_t line, std::uint32_t sectors) {
  const auto bytes = static_cast<std::uint64_t>(L2Params::line_bytes);
  const auto share = static_cast<std::uint64_t>(p_.slices_of_channel());
  const std::uint64_t own = line * bytes;  // in the slice; the slices of a channel share it block by block
  const std::uint64_t start =
      (own / L2Slice::block_bytes * share + static_cast<std::uint64_t>(slice) % share) *
          L2Slice::block_bytes +
      own % L2Slice::block_bytes;
  const int in_column = DramChannel::access_bytes / L2Params::sector_bytes;
  for (int first = 0; first < L2Params::line_bytes / L2Params::sector_bytes; first += in_column) {
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
        {.address = start + static_cast<std::uint64_t>(first * L2Params::sector_bytes),
         .write = write,
         .bytes = std::popcount(here) * L2Params::sector_bytes,
         .token = token});
  }
}

void L2AndDram::push(const MemoryPacket& packet) {
  const std::uint64_t line = L2Slice::local_line(packet.request.address, p_.l2.slices, L2Params::line_bytes);
  slices_[index(packet.to)].push(packet, line, cycle_);
}

void L2AndDram::tick_dram() {
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

void L2AndDram::tick_slices() {
  for (L2Slice& slice : slices_) slice.tick(cycle_);
}

void L2AndDram::flush() {
  if (!p_.l2.flush) return;
  for (L2Slice& slice : slices_) slice.flush();
}

void L2AndDram::add_to(SystemMemoryFigures& figures) const {
  for (const L2Slice& slice : slices_) figures.l2.add(slice.counters());
  for (const DramChannel& channel : channels_) figures.dram.add(channel.counters());
}

}  // namespace golden
