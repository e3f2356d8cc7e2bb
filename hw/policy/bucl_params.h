// Parameters of BUCL, the bypass for un-coalesced loads (BUCL, section 4), shared by the hardware and its
// reference model: the decision in front of a cache, and the unit that says what it compares with.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "hw/prim/number_list_params.h"
#include "hw/sideband_params.h"

namespace hw {

enum class BuclUpdate { dynamic, profile };

using Thresholds = NumberList<64>;

struct BuclParams {
  bool follow = false;  // inputs in the place of an own unit
  int sources = 1;      // whose loads come mixed, named by the top bits of ids: 1, 2, 4 ..
  BuclUpdate update = BuclUpdate::dynamic;
  int period = 1000;                // cycles
  Fraction hit_rate = {2, {4, 5}};  // L1DHR-threshold
  Fraction buffer_use = {2, {7, 10}};
  int initial = 5, lowest = 2, highest = 25;  // TUCD, the threshold of the un-coalescing degree
  int sub_partitions = 12;                    // of the memory
  int buffer_entries = 8;                     // of the input buffer of each
  int sms = 15;
  int designated_sm = 0;  // whose L1 is watched
  int profile_cycles = 5000;
  Thresholds thresholds = {15, {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 25}};
  int issue_max = 64;  // lanes of the instructions that an SM issues in a cycle

  bool operator==(const BuclParams&) const = default;
};

// Bits that hold 0 to n.
constexpr int bits_up_to(std::int64_t n) { return std::bit_width(static_cast<std::uint64_t>(n)); }

constexpr bool profiles(const BuclParams& p) { return p.update == BuclUpdate::profile; }

// Of TUCD wherever it stands.
constexpr int tucd_bits(const BuclParams& p) {
  int most = std::max(p.highest, 1);
  for (const int threshold : p.thresholds) most = std::max(most, threshold);
  return bits_up_to(most);
}

constexpr int occupancy_bits(const BuclParams& p) { return bits_up_to(p.buffer_entries); }
constexpr int issued_bits(const BuclParams& p) { return bits_up_to(p.issue_max); }

}  // namespace hw
