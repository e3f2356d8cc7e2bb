// Requests, results, counters and port values of the golden L1 data cache.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "golden/cache/controls.h"
#include "golden/cache/monitor_inputs.h"
#include "hw/check/check_params.h"
#include "hw/l1d/probe_params.h"
#include "hw/l1d/stream_params.h"

namespace golden {

using hw::RequestKind;

constexpr bool changes_memory(RequestKind kind) {
  return kind == RequestKind::store || kind == RequestKind::atomic;
}

// What a request came to. Letters are those of request dumps.
enum class Result : char {
  hit = 'H',
  hit_pending = 'W',
  partial_miss = 'P',
  miss = 'M',
  bypass = 'B',
  store = 's',
  atomic = 'a',
  non_l1 = 'n',
  drop = 'd',
  found = 'f',   // a snoop
  absent = 'x',  // a snoop, too
};

// The load sent something down.
constexpr bool is_miss(Result result) {
  return result == Result::miss || result == Result::partial_miss || result == Result::bypass;
}

// One coalesced request: a line and the chunks of it.
struct Request {
  RequestKind kind = RequestKind::load;
  bool stalls = false;        // untimed: finds nothing to reserve, with a free entry in the miss queue
  std::uint32_t mask = 0;     // bit c = chunk c of the line
  std::uint64_t address = 0;  // byte address; offset bits are ignored
  hw::Sideband sideband = {};
};
static_assert(sizeof(Request) <= 32);  // untimed models read lists of them

struct L1dCounters {
  std::uint64_t accesses = 0, loads = 0, stores = 0, atomics = 0, non_l1 = 0;
  std::uint64_t hits = 0, hit_pending = 0, partial_misses = 0, misses = 0, bypasses = 0;
  std::uint64_t bypasses_load = 0, bypasses_stall = 0, bypasses_protected = 0;  // of them, by a policy
  std::uint64_t requests_down = 0, chunks_requested = 0, fills = 0;
  std::uint64_t evicted_lines = 0, evicted_chunks = 0, doomed = 0, flushes = 0;
  std::uint64_t store_invalidations = 0, store_updates = 0;
  std::uint64_t reservation_fail_line = 0, reservation_fail_mshr = 0, reservation_fail_merge = 0,
                reservation_fail_queue = 0;

  bool operator==(const L1dCounters&) const = default;
};

// Every counter by the name it has in JSON and, behind event_, at the ports.
inline constexpr std::array<std::pair<std::string_view, std::uint64_t L1dCounters::*>, 26> counter_names{{
    {"accesses", &L1dCounters::accesses},
    {"loads", &L1dCounters::loads},
    {"stores", &L1dCounters::stores},
    {"atomics", &L1dCounters::atomics},
    {"non_l1", &L1dCounters::non_l1},
    {"hits", &L1dCounters::hits},
    {"hit_pending", &L1dCounters::hit_pending},
    {"partial_misses", &L1dCounters::partial_misses},
    {"misses", &L1dCounters::misses},
    {"bypasses", &L1dCounters::bypasses},
    {"bypasses_load", &L1dCounters::bypasses_load},
    {"bypasses_stall", &L1dCounters::bypasses_stall},
    {"bypasses_protected", &L1dCounters::bypasses_protected},
    {"requests_down", &L1dCounters::requests_down},
    {"chunks_requested", &L1dCounters::chunks_requested},
    {"fills", &L1dCounters::fills},
    {"evicted_lines", &L1dCounters::evicted_lines},
    {"evicted_chunks", &L1dCounters::evicted_chunks},
    {"store_invalidations", &L1dCounters::store_invalidations},
    {"store_updates", &L1dCounters::store_updates},
    {"doomed", &L1dCounters::doomed},
    {"flushes", &L1dCounters::flushes},
    {"reservation_fail_line", &L1dCounters::reservation_fail_line},
    {"reservation_fail_mshr", &L1dCounters::reservation_fail_mshr},
    {"reservation_fail_merge", &L1dCounters::reservation_fail_merge},
    {"reservation_fail_queue", &L1dCounters::reservation_fail_queue},
}};

// The bytes of a line and one bit a byte; a line has at most 256 bytes.
using LineData = std::array<std::uint64_t, 32>;  // byte b in bits 8*(b%8) of word b/8
using ByteMask = std::array<std::uint64_t, 4>;   // byte b in bit b%64 of word b/64

// What is driven into the cache in a cycle. Data is pointed to and must stay until the clock edge; it may be
// null where it does not count (loads, acknowledgements).
struct L1dIn {
  bool rst = false;
  bool core_request_valid = false;
  std::uint64_t core_request_id = 0;
  RequestKind core_request_kind = RequestKind::load;
  std::uint64_t core_request_address = 0;
  std::uint32_t core_request_mask = 0;
  const ByteMask* core_request_byte_enable = nullptr;  // null = all 0
  const LineData* core_request_data = nullptr;
  hw::Sideband core_request_sideband = {};  // its fields count where the cache has them
  bool core_response_ready = false;
  bool memory_request_ready = false;
  bool memory_response_valid = false;
  std::uint64_t memory_response_id = 0;
  std::uint32_t memory_response_mask = 0;
  const LineData* memory_response_data = nullptr;
  bool flush_valid = false;
  Controls controls = {};             // where they are inputs of this cache
  MonitorInputs monitor_inputs = {};  // where its monitors read them
};

// What a cache drives in a cycle, given its inputs. Payload counts while valid, data under the mask (loads)
// or the byte enables (stores); pointers stay until the clock edge.
template <class Line, class Bytes>
struct L1dOutputs {
  bool core_request_ready = false;
  bool core_response_valid = false;
  std::uint64_t core_response_id = 0;
  std::uint32_t core_response_mask = 0;
  const Line* core_response_data = nullptr;
  bool memory_request_valid = false;
  std::uint64_t memory_request_id = 0;
  RequestKind memory_request_kind = RequestKind::load;
  std::uint64_t memory_request_address = 0;  // offset bits 0
  std::uint32_t memory_request_mask = 0;
  const Bytes* memory_request_byte_enable = nullptr;
  const Line* memory_request_data = nullptr;
  std::uint32_t memory_request_pc = 0;
  bool memory_response_ready = false;
  bool flush_ready = false;
  Controls decisions = {};  // the controls that this cache decides itself
  // Where the cache has probe ports: a load that was looked up and leaves (golden/cache/probe_event.h).
  bool probe_valid = false, probe_miss = false;
  std::uint64_t probe_block_address = 0;
  std::uint32_t probe_set = 0, probe_chunks = 0;
  hw::ProbeResult probe_result = hw::ProbeResult::hit;
  // Where it checks what memory answers. Behind an answer that breaks the rules nothing else counts.
  bool protocol_error = false;
  hw::ProtocolError protocol_error_code = hw::ProtocolError::none;
  bool undefined = false;
  // Where its RAMs are protected: a load was answered with corrected data, a load fetches its line once more,
  // or does so though a store may have changed it since, with this id.
  bool ecc_corrected = false, ecc_refetched = false, ecc_uncorrectable = false;
  std::uint64_t ecc_uncorrectable_id = 0;
  // Not a port: the response is that of the hit in the tag-lookup stage (core.hit_latency = 1).
  bool response_of_lookup = false;
};
using L1dOut = L1dOutputs<LineData, ByteMask>;

}  // namespace golden
