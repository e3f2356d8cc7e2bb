// Parameters of the L1 data cache, shared by the hardware and its reference model.
#pragma once
#include "hw/check/check_params.h"
#include "hw/ecc/ecc_params.h"
#include "hw/index/index_params.h"
#include "hw/monitors/adaptive_params.h"
#include "hw/monitors/iacm_params.h"
#include "hw/monitors/limit_params.h"
#include "hw/monitors/mode_params.h"
#include "hw/policy/bypass_params.h"
#include "hw/tags/decoupled_params.h"
#include "hw/tags/reuse_filter_params.h"
#include "hw/tags/split_params.h"
#include "hw/tags/tag_params.h"

namespace hw {

enum class MemoryProtocol { native, axi4 };

// Which loads wait when a store has gone to a line on its way: all, or those of the storing warp alone.
enum class StoreOnPending { wait, merge };

struct L1dParams {
  int address_bits = 32;       // N: bits of a byte address
  int line_bytes = 128;        // 2^B bytes a line
  int chunk_bytes = 32;        // bytes a chunk (sector), a power of two, at most a line
  int capacity_bytes = 16384;  // 1 KiB to 1 MiB; capacity / (line * ways) is the number of sets
  int ways = 4;                // not with split tags; sets are a power of two
  // The set index; its address_bits, line_bytes and sets repeat the geometry.
  IndexParams index = {};
  TagKind tags = TagKind::conventional;
  SplitParams split = {};
  ModeParams mode = {};
  ReuseFilterParams reuse = {};
  DecoupledParams decoupled = {};
  AdaptiveParams adaptive = {};
  BypassParams bypass = {};
  LimitParams limit = {};                        // of the warp scheduler in front
  IacmParams iacm = {.order = IacmOrder::none};  // its scope and warps are the limit's: iacm_params()
  Replacement replacement = Replacement::lru;
  StoreScope store_scope = StoreScope::line;  // what a store invalidates; mask: not with conventional tags
  StorePolicyKind store_policy = StorePolicyKind::evict;  // what a store does to a line that is there
  StoreOnPending store_on_pending = StoreOnPending::wait;
  FetchSize fetch = FetchSize::mask;  // what a miss asks for; line: with sectored tags, all that is absent
  int mshr_entries = 32;
  int mshr_merges = 8;  // loads that wait in an entry, the first included
  int miss_queue = 8;   // requests on their way to memory
  int core_id_bits = 8;
  int warp_bits = 4;  // of a warp's number, where stores merge: warp_bits_of()
  MemoryProtocol protocol = MemoryProtocol::native;
  bool index_blocking = false;  // with index.latency: a request waits until none is in the index's stages
  int hit_latency = 2;          // 1: the data of a load is read before its lookup, and a hit is its answer
  bool request_slice = false;   // core_request_ready comes from a register, requests a cycle later
  bool counters = false;        // outputs event_*
  bool drops = false;           // requests of kind drop, which invalidate a line and are not answered
  bool snoops = false;          // requests of kind snoop, and stores to lines that are searched for wait
  bool stale_lines = false;     // lines that are looked for elsewhere are the first victims
  int pc_bits = 0;              // of the number of a load's instruction, which its fetch carries on; 0 = none
  bool probe_ports = false;     // outputs probe_*, for monitors beside the cache
  CheckParams check = {};       // of what memory answers
  EccParams ecc = {};           // protected RAMs, with outputs ecc_*

  bool operator==(const L1dParams&) const = default;
};

constexpr int chunks_of_line(const L1dParams& p) { return p.line_bytes / p.chunk_bytes; }
constexpr int chunks_of_group(const L1dParams& p) { return chunks_of_group(p.split, chunks_of_line(p)); }
// Chunks that a set of a split cache holds.
constexpr int slots_of(const L1dParams& p) { return slots_of(p.split, chunks_of_line(p)); }
constexpr int bytes_of_set(const L1dParams& p) {
  return traits_of(p.tags).in_slots ? slots_of(p) * p.chunk_bytes : p.line_bytes * p.ways;
}
constexpr int sets_of(const L1dParams& p) { return p.capacity_bytes / bytes_of_set(p); }

// A hit is answered in the cycle of its lookup.
constexpr bool answers_at_once(const L1dParams& p) { return p.hit_latency == 1; }

constexpr int most_warp_bits = 6;
// Of core_request_warp; 0 = there is none, and a store makes every later load to its line wait.
constexpr int warp_bits_of(const L1dParams& p) {
  return p.store_on_pending == StoreOnPending::merge ? p.warp_bits : 0;
}

constexpr int warps_distinguished(const L1dParams& p) { return warp_bits_of(p) ? 1 << warp_bits_of(p) : 0; }

// A controller in the cache says when it adapts, and how many warps may issue.
constexpr bool has_controller(const L1dParams& p) { return p.iacm.order != IacmOrder::none; }
constexpr IacmParams iacm_params(const L1dParams& p) {
  IacmParams all = p.iacm;
  all.awl.scope = p.limit.scope;
  all.awl.warps = p.limit.warps;
  return all;
}

// What the tag store sees of them.
constexpr TagParams tag_params(const L1dParams& p) {
  return {.tags = p.tags,
          .line_bytes = p.line_bytes,
          .chunk_bytes = p.chunk_bytes,
          .ways = p.ways,
          .sets = sets_of(p),
          .split = p.split,
          .mode = p.mode,
          .reuse = p.reuse,
          .decoupled = p.decoupled,
          .replacement = p.replacement,
          .store_scope = p.store_scope,
          .store_policy = p.store_policy,
          .fetch = p.fetch,
          .moving_sets = p.index.kind == IndexKind::adi,
          .stale_lines = p.stale_lines,
          .reads_ahead = answers_at_once(p),
          .counters = p.counters,
          .ecc = p.ecc};
}

}  // namespace hw
