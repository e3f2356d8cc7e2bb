// The state of split tags against that of golden.
#include <fmt/format.h>

#include <bit>

#include "verif/lockstep/harness/port_field.h"
#include "verif/lockstep/l1d/l1d_compare.h"

namespace verif {

bool L1dCompare::slots(const L1dStateView& view, const golden::SplitTags& golden, unsigned set) {
  const auto& rules = golden.rules();
  const auto of_slot = [&](const char* what, unsigned s, std::uint64_t dut, std::uint64_t want) {
    return dut == want || differ(fmt::format("{} of slot {} in set {}", what, s, set), dut, want);
  };
  const int width = static_cast<int>(rules.slots);
  const golden::SplitBits& bits = golden.bits(set);
  const std::uint64_t valid = field(view.valid, 0, width), busy = field(view.busy, 0, width),
                      nru = field(view.replacement, 0, width);
  if (valid == bits.valid && busy == bits.busy && nru == bits.nru) {
    const int low = params_.split.private_tag_bits;
    for (std::uint64_t left = bits.occupied(); left; left &= left - 1) {
      const auto s = static_cast<unsigned>(std::countr_zero(left));
      const auto want = golden.slot(set, s);
      const std::uint64_t held = view.slots ? field(view.slots, 64 * s, 64) : 0;
      const unsigned g = s / rules.group_slots;
      if (!of_slot("position", s, held & ((std::uint64_t{1} << position_bits_) - 1), want.position) ||
          !of_slot("private tag", s, held >> position_bits_ & ((std::uint64_t{1} << low) - 1), want.low) ||
          !of_slot("shared tag", s, view.shared ? field(view.shared, 64 * g, 64) : 0, want.shared))
        return false;
    }
    return true;
  }
  for (unsigned s = 0; s < rules.slots; ++s)
    if (!of_slot("valid", s, valid >> s & 1, bits.valid >> s & 1) ||
        !of_slot("busy", s, busy >> s & 1, bits.busy >> s & 1) ||
        !of_slot("nru", s, nru >> s & 1, bits.nru >> s & 1))
      return false;
  return true;
}

bool L1dCompare::entry_slots(const L1dStateView& view, const golden::CycleL1d& golden, unsigned e) {
  const auto entry = golden.entry(e);
  if (!entry.in_use) return true;
  const auto& tags = static_cast<const golden::SplitTags&>(golden.tags());
  const auto chunks = static_cast<unsigned>(hw::chunks_of_line(params_));
  for (unsigned c = 0; c < chunks; ++c) {
    const std::uint64_t waits = field(view.waits, (e * chunks + c) * count_bits_, count_bits_);
    if (waits != tags.waits(e, c))
      return differ(fmt::format("waits for chunk {} of MSHR entry {}", c, e), waits, tags.waits(e, c));
    if (!waits && !(entry.pending >> c & 1)) continue;
    const std::uint64_t slot = field(view.entry_slots, (e * chunks + c) * slot_bits_, slot_bits_);
    if (slot != tags.slot_of(e, c))
      return differ(fmt::format("slot of chunk {} of MSHR entry {}", c, e), slot, tags.slot_of(e, c));
  }
  return true;
}

}  // namespace verif
