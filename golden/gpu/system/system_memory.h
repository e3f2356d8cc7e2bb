// What lies below the L1s of a system, in lines and sectors of its L2: two crossbars, L2 slices, DRAM
// channels, each at its own clock.
//
// In a core cycle DRAM ticks first, then the L2, then the networks; the cores come last, so that what a core
// sends in cycle t is in the network of that cycle's end.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "golden/gpu/memory_side.h"
#include "golden/gpu/system/clock_domain.h"
#include "golden/gpu/system/l2_and_dram.h"
#include "golden/gpu/system/packet_crossbar.h"

namespace golden {

class SystemMemory final : public MemorySide {
 public:
  explicit SystemMemory(const SystemParams& p);

  void drive(int sm, L1dIn& in) const override;
  void take(int sm, const L1dIn& in, const L1dOut& out) override;
  void tick() override;
  void occupancy(std::span<std::uint8_t> counts, unsigned most) const override;

  // An answer for this SM is there.
  bool answers(int sm) const { return !arrived_[index(sm)].empty(); }
  bool accepts(int sm) const { return requests_.ready(sm); }
  // Where the oldest of the SM's reads is.
  std::optional<Whereabouts::Place> oldest_read(int sm) const { return reads_.oldest(sm); }
  // Between two kernels.
  void kernel_ends() { lower_.flush(); }
  // Nothing is under way.
  bool idle() const;
  SystemMemoryFigures memory_figures() const;

 private:
  static std::size_t index(int n) { return static_cast<std::size_t>(n); }
  void pass(int slice);
  void collect(int sm);

  const SystemParams p_;
  ClockDomain network_clock_;
  PacketCrossbar requests_, replies_;
  Whereabouts reads_;
  L2AndDram lower_;
  struct Answer {
    std::uint64_t id;
    std::uint32_t mask;
    bool read;
  };
  std::vector<std::deque<Answer>> arrived_;                                // by SM
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> missing_;  // sectors of split answers, by id
  SystemMemoryFigures figures_;
};

}  // namespace golden
