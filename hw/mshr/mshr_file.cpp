#include "hw/mshr/mshr_file.h"

#include <algorithm>

#include "hw/prim/one_hot.h"

namespace hw {

int entry_bits(const MshrParams& p) { return bits_to_number(p.entries); }
int place_bits(const MshrParams& p) { return bits_to_number(p.merges); }
int target_rows(const MshrParams& p) { return std::max(2, p.entries << place_bits(p)); }

}  // namespace hw
