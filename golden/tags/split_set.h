// Which slots of a set of split tags are freed for the chunks that a load misses (TSC paper, section 3):
// the three rules of docs/contracts/l1d-split.md, "Slot allocation".
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "hw/l1d/l1d_params.h"

namespace golden {

constexpr std::uint64_t chunk_slot(unsigned s) { return std::uint64_t{1} << s; }  // as a mask of slots

// One bit a slot.
struct SplitBits {
  std::uint64_t valid = 0, busy = 0, nru = 0;
  std::uint64_t occupied() const { return valid | busy; }
};

struct SplitPlaces {
  unsigned count = 0;
  std::array<std::uint8_t, 32> slots{};  // in the order in which they were found
  std::uint64_t taken = 0;               // the same, one bit a slot
  std::uint64_t lost = 0;                // valid slots that they and retagged groups cost
  std::uint32_t claimed = 0;             // groups that take the shared tag, one bit each
  std::uint32_t retagged = 0;            // those of them that had another
  std::uint32_t alike = 0;               // groups that had it before
  bool draws = false;                    // by the LFSR
};

class SplitRules {
 public:
  explicit SplitRules(const hw::L1dParams& p)
      : groups(static_cast<unsigned>(p.split.groups)),
        group_slots(static_cast<unsigned>(hw::chunks_of_group(p))),
        slots(groups * group_slots),
        all(~std::uint64_t{0} >> (64 - slots)),
        policy_(p.split.victim) {
    for (unsigned s = 0; s < slots; ++s) group_of_[s] = static_cast<std::uint8_t>(s / group_slots);
  }

  // Victims are chosen at random.
  bool draws() const { return policy_ == hw::SplitVictim::chunk; }
  std::uint64_t group(unsigned g) const {
    return (~std::uint64_t{0} >> (64 - group_slots)) << (g * group_slots);
  }

  // Up to `wanted` slots. `shared`: tags of the groups; `present`: slots that the load uses as they are.
  SplitPlaces choose(const SplitBits& bits, std::span<const std::uint64_t> shared, std::uint64_t tag,
                     std::uint64_t present, unsigned wanted, unsigned lfsr) const;

  const unsigned groups, group_slots, slots;
  const std::uint64_t all;

 private:
  // A choice under way.
  struct Choice {
    const SplitBits& bits;
    std::uint64_t victims;  // valid, not busy, not used
    unsigned wanted;
    SplitPlaces& places;

    bool done() const { return places.count == wanted; }
    void take(std::uint64_t slots);
  };
  struct Offer {
    unsigned group = 0;
    std::uint64_t slots = 0;
    unsigned count = 0, cheap = 0;
    bool alike = false;
  };

  void by_chunk(Choice& c, unsigned lfsr) const;
  void by_group(Choice& c) const;
  void retag(Choice& c, unsigned g) const;
  Offer offer_of(const Choice& c, unsigned g) const;

  const hw::SplitVictim policy_;
  std::array<std::uint8_t, 64> group_of_{};  // by slot: a division for each slot takes longer
};

}  // namespace golden
