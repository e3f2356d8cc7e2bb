// Parameters of BUCL, the bypass for un-coalesced loads (BUCL, section 4), shared by the hardware and its
// reference model: the decision in front of a cache, and the unit that says what it compares with.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "hw/mechanism_params.h"
#include "hw/prim/number_list_params.h"
#include "hw/sideband_params.h"

namespace hw {

enum class BuclUpdate { dynamic, profile };

using Thresholds = NumberList<64>;

struct BuclParams {
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

// What its decision compares with, and what its unit watches beside the cache.
template <class Cache>
inline constexpr std::array bucl_controls{
    ControlOf<Cache>{.name = "tucd",
                     .width = [](const Cache& p) { return tucd_bits(p.bypass.bucl); },
                     .as_input = "loads of more requests bypass"},
    ControlOf<Cache>{.name = "hit_rate_low",
                     .as_input = "the hit rate of the period before was below the threshold"},
    ControlOf<Cache>{.name = "buffer_free",
                     .width = [](const Cache& p) { return p.bypass.bucl.sub_partitions; },
                     .as_input = "sub-partitions whose buffer was little used in the period before"},
};
template <class Cache>
inline constexpr std::array bucl_inputs{
    MonitorInputOf<Cache>{.name = "occupancy",
                          .source = InputSource::memory_buffers,
                          .numbered = true,
                          .most = 64,
                          .ports = [](const Cache& p) { return p.bypass.bucl.sub_partitions; },
                          .width = [](const Cache& p) { return occupancy_bits(p.bypass.bucl); },
                          .greatest = [](const Cache& p) { return p.bypass.bucl.buffer_entries; },
                          .doc = "entries in use of the sub-partition's input buffer"},
    MonitorInputOf<Cache>{
        .name = "issued",
        .source = InputSource::lanes_of_sms,
        .numbered = true,
        .most = 128,
        .ports = [](const Cache& p) { return profiles(p.bypass.bucl) ? p.bypass.bucl.sms : 0; },
        .width = [](const Cache& p) { return issued_bits(p.bypass.bucl); },
        .doc = "active lanes of the warp instructions that the SM issues"},
};

}  // namespace hw
