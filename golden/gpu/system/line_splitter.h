// Between L1s and the memory of a system whose lines and sectors have other sizes.
//
// A request becomes one for each line below that it touches, from low addresses on, with the sectors that
// hold a requested byte. The first is sent in the L1's cycle, the next in the cycle behind it, or as soon as
// the memory is ready; the L1 may send again behind the last. Its answer comes with that of the last part.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "golden/gpu/memory_request.h"
#include "golden/gpu/memory_side.h"
#include "golden/gpu/system/line_parts.h"
#include "golden/gpu/system/system_memory.h"

namespace golden {

class LineSplitter final : public MemorySide {
 public:
  LineSplitter(std::unique_ptr<MemorySide> below, int sms, int line_bytes, int chunk_bytes);

  Access access(std::uint64_t address) override { return below_->access(address); }
  void load_left(bool miss) override { below_->load_left(miss); }
  void drive(int sm, L1dIn& in) const override;
  void take(int sm, const L1dIn& in, const L1dOut& out) override;
  void tick() override;
  void occupancy(std::span<std::uint8_t> counts, unsigned most) const override {
    below_->occupancy(counts, most);
  }
  std::optional<NodeFigures> figures() const override { return below_->figures(); }
  MemorySide& below() { return *below_; }

 private:
  // A request of the L1: its answer, and how many parts have none yet.
  struct Sent {
    std::uint32_t mask = 0;
    std::size_t left = 0;
  };
  struct Sm {
    std::vector<Sent> sent;           // by the L1's id
    std::deque<MemoryRequest> parts;  // to be sent down
    bool takes = false;               // the L1 takes its answer in this cycle
    L1dIn in;                         // what the memory below shows and sees
    L1dOut out;
  };
  Sm& at(int sm) { return sms_[static_cast<std::size_t>(sm)]; }
  const Sm& at(int sm) const { return sms_[static_cast<std::size_t>(sm)]; }
  void pass(int sm);

  const std::unique_ptr<MemorySide> below_;
  const int line_bytes_, chunk_bytes_;
  std::vector<Sm> sms_;
};

// The memory of a system as L1s with such lines see it.
std::unique_ptr<MemorySide> for_lines(std::unique_ptr<MemorySide> memory, int sms, int line_bytes,
                                      int chunk_bytes);
// The system's own L2 and DRAM behind it; null if there is another memory.
SystemMemory* own_memory_of(MemorySide& memory);

}  // namespace golden
