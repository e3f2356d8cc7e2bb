// Storage accounts of a coalescer.
#pragma once
#include <vector>

#include "gen/unit/unit.h"
#include "hw/coalescer/lane_fields.h"

namespace gen {

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
