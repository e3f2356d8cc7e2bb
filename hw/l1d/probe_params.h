// Probe ports of an L1 data cache ([probe] ports = true): what a monitor beside it sees of each load, in the
// cycle in which the load leaves the tag-lookup stage. Hardware, models and benches read these tables.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "hw/l1d/l1d_params.h"

namespace hw {

// What a load came to; the numbers are those of `probe_result`.
enum class ProbeResult : std::uint8_t { hit, hit_pending, partial_miss, miss, bypass };

inline constexpr int probe_result_bits = 3;

struct ProbePort {
  std::string_view name;
  int (*width)(const L1dParams&);
  std::string_view doc;
};

namespace probe_width {
constexpr int bits_for(int count) { return std::bit_width(static_cast<unsigned>(count - 1)); }
constexpr int one(const L1dParams&) { return 1; }
constexpr int block_address(const L1dParams& p) { return p.address_bits - bits_for(p.line_bytes); }
constexpr int set(const L1dParams& p) { return bits_for(sets_of(p)); }
constexpr int result(const L1dParams&) { return probe_result_bits; }
constexpr int chunks(const L1dParams& p) { return bits_for(chunks_of_line(p) + 1); }
}  // namespace probe_width

inline constexpr std::array probe_ports{
    ProbePort{"probe_valid", probe_width::one, "a load that was looked up leaves the tag-lookup stage"},
    ProbePort{"probe_block_address", probe_width::block_address, "line of the load"},
    ProbePort{"probe_set", probe_width::set, "set of the load"},
    ProbePort{"probe_miss", probe_width::one, "the load sends something down"},
    ProbePort{"probe_result", probe_width::result, "0 hit, 1 hit_pending, 2 partial_miss, 3 miss, 4 bypass"},
    ProbePort{"probe_chunks", probe_width::chunks, "chunks that the load missed"}};

}  // namespace hw
