// Parameters of the L1 data cache, shared by the hardware and its golden twin.
#pragma once
#include <array>

#include "hw/index/index_params.h"

namespace hw {

enum class TagKind { conventional, sectored, split, reuse_filter };
enum class Replacement { lru, nru, random };
enum class StoreScope { line, mask };
enum class MemoryProtocol { native, axi4 };

enum class SplitVictim { chunk, group };
enum class TagVictim { lfu, dataless_lfu };
enum class ModeKind { fine, coarse, dueling };

// Split tags (TSC paper, section 3): a set is groups * chunks_per_group slots, each for a chunk of any line.
struct SplitParams {
  int private_tag_bits = 8;  // low tag bits of each chunk; the others are shared by its group
  int groups = 4;            // of a set, 1 to 16
  int chunks_per_group = 0;  // 0 = chunks of a line
  SplitVictim victim = SplitVictim::chunk;

  bool operator==(const SplitParams&) const = default;
};

// Numbers of sets; a plain value, so that a cache's parameters may be a template argument.
struct SetList {
  static constexpr int most = 16;
  int count = 0;
  std::array<int, most> numbers = {};

  constexpr const int* begin() const { return numbers.data(); }
  constexpr const int* end() const { return numbers.data() + count; }
  bool operator==(const SetList&) const = default;
};

// Fine or coarse accesses of a split cache (TSC paper, section 3, TSC+).
struct ModeParams {
  ModeKind kind = ModeKind::fine;
  SetList fine_sets = {}, coarse_sets = {};  // samplers; empty = automatic
  int threshold = 1024;                      // misses of a mode that shift the counters are one more
  bool follow = false;                       // input `mode_coarse` instead of an own selector

  bool operator==(const ModeParams&) const = default;
};

// Reuse-count filter (Decoupled L1D paper, section 4).
struct ReuseFilterParams {
  int ways = 8;       // tag entries a set, 4 to 32, at least the data ways
  int threshold = 2;  // references before a line gets data; 0 or 1: no filter
  int rc_bits = 6;    // width of a reuse count, 2 to 8
  TagVictim tag_victim = TagVictim::lfu;
  bool dueling = false;             // runs of several SMs: caches 0 and 1 duel
  int dueling_interval = 500;       // cycles
  int dueling_margin_percent = 10;  // points by which the filter may be worse
  bool follow = false;              // input `filter_enable`

  bool operator==(const ReuseFilterParams&) const = default;
};

// Phases of the adaptive index (ACI thesis, section 3.3); what they mean: hw/adaptive/adi_monitor_params.h.
struct AdaptiveParams {
  int period = 1024, counter_bits = 10, idle = 4096;

  bool operator==(const AdaptiveParams&) const = default;
};

struct L1dParams {
  int address_bits = 32;       // N: bits of a byte address, 20 to 64
  int line_bytes = 128;        // 2^B bytes a line, 32 to 256
  int chunk_bytes = 32;        // bytes a chunk (sector), a power of two, 8 to 64, at most a line
  int capacity_bytes = 16384;  // 1 KiB to 128 KiB; capacity / (line * ways) is the number of sets
  int ways = 4;                // 1 to 16 (not with split tags); sets are a power of two, at least 2
  // The set index; its address_bits, line_bytes and sets repeat the geometry.
  IndexParams index = {};
  TagKind tags = TagKind::conventional;
  SplitParams split = {};
  ModeParams mode = {};
  ReuseFilterParams reuse = {};
  AdaptiveParams adaptive = {};
  Replacement replacement = Replacement::lru;
  StoreScope store_scope = StoreScope::line;  // what a store invalidates; mask: not with conventional tags
  int mshr_entries = 32;                      // 1 to 128
  int mshr_merges = 8;                        // loads that wait in an entry, the first included, 1 to 64
  int miss_queue = 8;                         // requests on their way to memory, 1 to 64
  int core_id_bits = 8;                       // 1 to 32
  MemoryProtocol protocol = MemoryProtocol::native;
  bool counters = false;  // outputs event_*

  bool operator==(const L1dParams&) const = default;
};

constexpr int chunks_of_line(const L1dParams& p) { return p.line_bytes / p.chunk_bytes; }
constexpr int chunks_of_group(const L1dParams& p) {
  return p.split.chunks_per_group ? p.split.chunks_per_group : chunks_of_line(p);
}
// Chunks that a set of a split cache holds.
constexpr int slots_of(const L1dParams& p) { return p.split.groups * chunks_of_group(p); }
constexpr int bytes_of_set(const L1dParams& p) {
  return p.tags == TagKind::split ? slots_of(p) * p.chunk_bytes : p.line_bytes * p.ways;
}
constexpr int sets_of(const L1dParams& p) { return p.capacity_bytes / bytes_of_set(p); }

}  // namespace hw
