// Keys of what stands at a SIMT core's lanes, for a struct that has them as its own members, and the storage
// of a coalescer.
#pragma once
#include <vector>

#include "gen/config/family.h"
#include "gen/unit/unit.h"
#include "hw/coalescer/coalescer_ranges.h"
#include "hw/coalescer/lane_fields.h"

namespace gen {

template <class P>
void add_lane_keys(std::vector<Key>& keys) {
  struct Number {
    const char* key;
    hw::Range range;
    const char *unit, *meaning, *source, *suffix;
    int P::*member;
  };
  static constexpr Number numbers[] = {
      {"coalescer.lanes", hw::CoalescerRanges::lanes, "lanes",
       "Lanes of the core: as many addresses has an instruction.", "BUCL, section 2", "lanes", &P::lanes},
      {"coalescer.lane_bytes", hw::CoalescerRanges::lane_bytes, "bytes",
       "Most bytes that one lane reads or writes.", "BUCL, section 2", "lane_bytes", &P::lane_bytes},
      {"coalescer.instructions", hw::CoalescerRanges::instructions, "instructions",
       "Loads and atomics in flight; their ids are as wide as that number needs.", "BUCL, section 2",
       "instructions", &P::instructions},
      {"coalescer.stages", hw::CoalescerRanges::stages, "cycles",
       "Cycles from an instruction to its first request: without a register at the lanes, with one, or with "
       "one at the cache, too.",
       "TSC, section 2.1", "stages", &P::stages},
      {"coalescer.answer_stages", hw::CoalescerRanges::answer_stages, "cycles",
       "Cycles from an instruction's last answer to its lanes: their offsets are used as they are read, or a "
       "cycle later.",
       "TSC, section 2.1", "answer_stages", &P::answer_stages},
  };
  for (const Number& n : numbers)
    keys.push_back(field<P>({.key = n.key,
                             .range = n.range,
                             .unit = n.unit,
                             .meaning = n.meaning,
                             .source = n.source,
                             .suffix = n.suffix},
                            n.member));
}

inline std::vector<StorageAccount> accounts_of(const hw::CoalescerParams& p) {
  const hw::CoalescerWidths w(p);
  return {{"requests in flight",
           1 << p.core_id_bits,
           {{"awaited", 1}, {"instruction", w.slot}, {"lanes", w.lanes}}},
          {"free ids", 1 << p.core_id_bits, {{"id", p.core_id_bits}}},
          {"instructions in flight", p.instructions, {{"shape", w.shape}, {"left", w.count}}},
          {"values of lanes", p.instructions, {{"data", w.data}}}};
}

}  // namespace gen
