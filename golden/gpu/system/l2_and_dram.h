// The L2 slices of a system and the DRAM channels below them, behind any network.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "golden/gpu/system/clock_domain.h"
#include "golden/gpu/system/dram_channel.h"
#include "golden/gpu/system/l2_slice.h"
#include "golden/gpu/system/memory_figures.h"

namespace golden {

class L2AndDram {
 public:
  // `queue`: requests at a slice's input. `reads` is notified of their outcome.
  L2AndDram(const SystemParams& p, int queue, Whereabouts& reads);
  L2AndDram(const L2AndDram&) = delete;  // slices point into it
  L2AndDram& operator=(const L2AndDram&) = delete;

  bool ready(int slice) const { return slices_[index(slice)].ready(); }
  // To the slice `packet.to`.
  void push(const MemoryPacket& packet);
  // What a slice answers next, or null.
  const MemoryPacket* answer(int slice) const { return slices_[index(slice)].answer(); }
  void pop(int slice) { slices_[index(slice)].pop(); }

  // In a core cycle: DRAM, then the slices as often as their clock ticks, then the cycle's end.
  void tick_dram();
  void tick_slices();
  void end_cycle() { ++cycle_; }

  // Between two kernels.
  void flush();
  void add_to(SystemMemoryFigures& figures) const;

 private:
  static std::size_t index(int n) { return static_cast<std::size_t>(n); }
  struct Fetch {
    int slice = 0;
    std::uint64_t line = 0;
    std::uint32_t sectors = 0;
  };
  struct Returning {
    std::uint64_t due, token;
  };

  L2Slice::MemoryPort port_of(int slice);
  std::size_t columns_of(std::uint32_t sectors) const;
  void send(int slice, bool write, std::uint64_t line, std::uint32_t sectors);

  const SystemParams p_;
  ClockDomain memory_clock_;
  std::vector<L2Slice> slices_;
  std::vector<DramChannel> channels_;
  std::vector<Fetch> fetches_;  // by token
  std::vector<std::uint64_t> free_fetches_;
  std::deque<Returning> returning_;
  std::uint64_t cycle_ = 0;
};

}  // namespace golden
