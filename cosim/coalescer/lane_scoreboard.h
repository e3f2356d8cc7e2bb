// What lanes find in memory, by the ports alone: an instruction takes effect as it is taken, so each lane of
// a load reads the bytes of the stores before it and of none after.
#pragma once
#include <map>
#include <string>

#include "cosim/l1d/byte_memory.h"
#include "golden/coalescer/coalescer.h"

namespace verif {

class LaneScoreboard {
 public:
  using Instruction = golden::LaneInstruction;

  explicit LaneScoreboard(const hw::CoalescerParams& p) : p_(p) {}

  void reset() { memory_.clear(), flying_.clear(); }

  void taken(const Instruction& i, std::int64_t now) {
    using golden::RequestKind;
    Flying f{.mask = i.mask, .since = now};
    for (int lane = 0; lane < p_.lanes; ++lane) {
      if (!i.active(lane)) continue;
      const auto at = static_cast<std::size_t>(lane);
      for (unsigned b = 0; b < 1u << i.size; ++b) {
        const std::uint64_t address = i.place(lane) + b, word = address / 8 * 8;
        f.data[at][b] = static_cast<std::uint8_t>(memory_.word(word) >> address % 8 * 8);
        if (i.kind == RequestKind::store || i.kind == RequestKind::atomic)
          memory_.write(word, std::uint64_t{i.data[at][b]} << address % 8 * 8, 1u << address % 8);
      }
    }
    if (i.kind != RequestKind::store) flying_[i.id] = f;
  }

  // The rule that an answer breaks, or nothing.
  std::string answered(const golden::LaneAnswer& a) {
    const auto found = flying_.find(a.id);
    if (found == flying_.end()) return "an answer to no instruction";
    const Flying f = found->second;
    flying_.erase(found);
    if (a.mask != f.mask) return "other lanes than the active ones";
    if (f.late) return "";
    for (int lane = 0; lane < p_.lanes; ++lane)
      for (unsigned b = 0; f.mask >> lane & 1 && b < static_cast<unsigned>(p_.lane_bytes); ++b)
        if (a.data[static_cast<std::size_t>(lane)][b] != f.data[static_cast<std::size_t>(lane)][b])
          return "another byte than memory has at the lane's address";
    return "";
  }

  // The cache has reported that a load of this instruction may see stores behind it.
  void may_be_late(std::uint64_t id) {
    if (const auto found = flying_.find(id); found != flying_.end()) found->second.late = true;
  }

  std::string overdue(std::int64_t now) const {
    for (const auto& [id, f] : flying_)
      if (now - f.since > 200'000) return "an instruction without an answer";
    return "";
  }
  bool busy(std::uint64_t id) const { return flying_.contains(id); }
  bool idle() const { return flying_.empty(); }

 private:
  struct Flying {
    std::uint64_t mask = 0;
    std::int64_t since = 0;
    bool late = false;
    std::array<golden::LaneBytes, 64> data = {};
  };

  hw::CoalescerParams p_;
  ByteMemory memory_;
  std::map<std::uint64_t, Flying> flying_;
};

}  // namespace verif
