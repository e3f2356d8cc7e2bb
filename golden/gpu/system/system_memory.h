// What lies below the L1s of a system: two crossbars, L2 slices, DRAM channels, each at its own clock.
//
// In a core cycle DRAM ticks first, then the L2, then the networks; the cores come last, so that what a core
// sends in cycle t is in the network of that cycle's end.
#pragma once
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "golden/gpu/memory_side.h"
#include "golden/gpu/system/clock_domain.h"
#include "golden/gpu/system/dram_channel.h"
#include "golden/gpu/system/l2_slice.h"
#include "golden/gpu/system/packet_crossbar.h"

namespace golden {

// What the memory of a system came to.
struct SystemMemoryFigures {
  L2Counters l2;
  DramCounters dram;
  std::uint64_t request_flits = 0, reply_flits = 0;
  std::uint64_t requests = 0, answers = 0;  // that left the L1s, and that came back
  std::uint64_t bytes_down = 0;             // of sectors asked for or written
};

class SystemMemory final : public MemorySide {
 public:
  SystemMemory(const SystemParams& p, int line_bytes, int chunk_bytes);

  void drive(int sm, L1dIn& in) const override;
  void take(int sm, const L1dIn& in, const L1dOut& out) override;
  void tick() override;
  void occupancy(std::span<std::uint8_t> counts, unsigned most) const override;

  // An answer for this SM is there.
  bool answers(int sm) const { return !arrived_[index(sm)].empty(); }
  bool accepts(int sm) const { return requests_.ready(sm); }
  // Between two kernels.
  void kernel_ends();
  // Nothing is under way.
  bool idle() const;
  SystemMemoryFigures memory_figures() const;

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
  void tick_dram();
  void tick_l2();
  void tick_slice(int slice);
  void collect(int sm);

  const SystemParams p_;
  const int line_bytes_, chunk_bytes_;
  ClockDomain network_clock_, memory_clock_;
  PacketCrossbar requests_, replies_;
  std::vector<L2Slice> slices_;
  std::vector<DramChannel> channels_;
  std::vector<Fetch> fetches_;  // by token
  std::vector<std::uint64_t> free_fetches_;
  std::deque<Returning> returning_;
  struct Answer {
    std::uint64_t id;
    std::uint32_t mask;
  };
  std::vector<std::deque<Answer>> arrived_;                                   // by SM
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> missing_;  // sectors of split answers, by id
  std::uint64_t cycle_ = 0;
  SystemMemoryFigures figures_;
};

}  // namespace golden
