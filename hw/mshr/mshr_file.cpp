#include "hw/mshr/mshr_file.h"

#include <algorithm>

#include "hw/prim/one_hot.h"

namespace hw {

int entry_bits(const MshrParams& p) { return bits_to_number(p.entries); }
int place_bits(const MshrParams& p) { return bits_to_number(p.merges); }
int target_rows(const MshrParams& p) { return std::max(2, p.entries << place_bits(p)); }

bool joins_late(const MshrParams& p, bool by_chunk) { return by_chunk || p.warps > 0; }
bool in_order(const MshrParams& p, bool by_chunk) {
  return !joins_late(p, by_chunk) && p.merges > 1 && p.entries > 1;
}

EntryWaits entry_waits(const MshrParams& p, bool by_chunk, int chunks) {
  if (in_order(p, by_chunk)) return {.count = place_bits(p)};
  const bool late = joins_late(p, by_chunk);
  return {.pending = !late      ? 0
                     : by_chunk ? chunks
                                : 1,
          .head = place_bits(p),
          .count = bits_to_number(p.merges + 1)};
}

}  // namespace hw
