// Which caches can be built: what each parameter must be, and which ones do not go together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "hw/ecc/ecc_ranges.h"
#include "hw/geometry_ranges.h"
#include "hw/index/index_unit.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/l1d_ranges.h"
#include "hw/l1d/monitors.h"
#include "hw/policy/policies.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/tags/chunk_check.h"
#include "hw/tags/tag_kinds.h"
#include "hw/tags/tag_rams.h"
#include "hw/tags/tag_ranges.h"

namespace hw {
namespace {

void check_slots(const L1dParams& p) {
  const int chunks = chunks_of_line(p), slots = slots_of(p);
  require_in(SplitRanges::groups, "tags.split.groups", p.split.groups, "use 4, the paper's");
  require_in({0, SplitRanges::chunks_per_group.most}, "tags.split.chunks_per_group", p.split.chunks_per_group,
             "use 0, the chunks of a line");
  require(slots >= std::max(chunks, 2) && slots <= 64, "tags.split.groups", p.split.groups,
          fmt::format(
              "makes {} slot{} of a set with {} chunks a group; they must be at least {}, the chunks of a "
              "line, and at most 64",
              slots, slots == 1 ? "" : "s", chunks_of_group(p), std::max(chunks, 2)),
          "change tags.split.groups or tags.split.chunks_per_group");
}

// Capacity in sets of so many bytes, which are made of `parts`.
void check_sets(const L1dParams& p, const std::string& parts) {
  const int set_bytes = bytes_of_set(p), sets = p.capacity_bytes / set_bytes;
  const int least = traits_of(p.tags).keeps_way ? 1 : least_built_sets;
  const auto near = std::bit_floor(static_cast<unsigned>(std::max(least, sets)));
  require(
      p.capacity_bytes % set_bytes == 0 && power_of_two(sets) && sets >= least, "geometry.capacity_bytes",
      p.capacity_bytes,
      fmt::format("must be sets of {}, their number a power of two from {} on", parts, least),
      fmt::format("use {}, for {} set{}", set_bytes * static_cast<int>(near), near, near == 1 ? "" : "s"));
}

// Wide enough for the node of a DC-L1 topology, that stands for several cores; the keys of a cache alone keep
// to the share of one.
void check_geometry(const L1dParams& p) {
  require_in({least_address_bits, GeometryRanges::address_bits.most}, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(GeometryRanges::chunk_bytes, "geometry.chunk_bytes", p.chunk_bytes,
             "use 32, the sector of the reference cache");
  require(p.chunk_bytes <= p.line_bytes, "geometry.chunk_bytes", p.chunk_bytes,
          fmt::format("is more than a line of {} bytes", p.line_bytes), "use at most a line");
  require_in(L1dRanges::ways, "geometry.ways", p.ways, "use 4, the ways of the reference cache");
  require(traits_of(p.tags).keeps_way || traits_of(p.tags).in_slots || p.ways <= 16, "geometry.ways", p.ways,
          fmt::format("must be from 1 to 16 with {} tags", tag_organisation(p.tags).key),
          "use at most 16, or conventional or sectored tags");
  require_in(capacity_of_node, "geometry.capacity_bytes", p.capacity_bytes,
             "use 16384, the size of the reference cache");
  if (traits_of(p.tags).in_slots) {
    check_slots(p);
    check_sets(p, fmt::format("{} slots of {} bytes", slots_of(p), p.chunk_bytes));
  } else {
    check_sets(p, fmt::format("{} way{} of {} bytes", p.ways, p.ways == 1 ? "" : "s", p.line_bytes));
  }
}

// All lines in one set: no address bit is an index.
void check_single_set(const L1dParams& p) {
  constexpr std::array names{"cvi", "bxi", "rxi", "lin", "pli", "pri", "adi"};
  require(p.index.kind == IndexKind::cvi, "index.kind", names[static_cast<std::size_t>(p.index.kind)],
          "chooses among sets, and this cache has one", "use cvi, or a geometry with more sets");
  require(p.index.latency == 0, "index.latency", p.index.latency, "is of an index, and one set has none",
          "use 0");
}

void check_queues(const L1dParams& p) {
  require_in(entries_of_node, "mshr.entries", p.mshr_entries, "use 32, the entries of the reference cache");
  require_in(L1dRanges::mshr_merges, "mshr.merges", p.mshr_merges,
             "use 8, the merges of the reference cache");
  require_in(L1dRanges::miss_queue, "mshr.miss_queue", p.miss_queue,
             "use 8, the queue of the reference cache");
  require_in(id_bits_of_node, "core.id_bits", p.core_id_bits, "use 8, ids of 256 requests under way");
}

// Of caches that other cores search.
void check_snoops(const L1dParams& p) {
  const Range& pc_bits = L1dRanges::pc_bits;
  require(p.pc_bits == 0 || pc_bits.holds(p.pc_bits), "core.pc_bits", p.pc_bits,
          fmt::format("must be 0 or from {} to {}", pc_bits.least, pc_bits.most), "use 16, or 0 for none");
  require(p.protocol == MemoryProtocol::native || p.pc_bits == 0, "core.pc_bits", p.pc_bits,
          "cannot be carried by AXI4", "use memory.protocol = \"native\", or 0 for none");
  if (!p.snoops) return;
  require(p.tags == TagKind::conventional, "core.peeks", "true",
          fmt::format("asks for whole lines, which {} tags may have in part", tag_organisation(p.tags).key),
          "use tags.kind = \"conventional\", or core.peeks = false");
  require(p.bypass.kind == BypassKind::none, "core.peeks", "true", "stands beside no bypass",
          "use bypass.kind = \"none\", or core.peeks = false");
  require(p.mshr_entries <= 64, "mshr.entries", p.mshr_entries,
          "must be at most 64 where stores wait for searches", "use 32, the entries of the reference cache");
}

// Where loads of other warps merge behind a store.
void check_store_on_pending(const L1dParams& p) {
  if (p.store_on_pending == StoreOnPending::wait) return;
  const auto need = [](bool holds, const std::string& reason, const char* remedy) {
    require(holds, "tags.store_on_pending", "merge", reason, remedy);
  };
  require_in(L1dRanges::warp_bits, "core.warp_bits", p.warp_bits, "use 4, the numbers of 16 warps");
  need(p.tags == TagKind::conventional,
       fmt::format("needs lines that come as a whole, and {} tags have chunks or a filter",
                   tag_organisation(p.tags).key),
       "use tags.kind = \"conventional\", or tags.store_on_pending = \"wait\"");
  need(p.bypass.kind == BypassKind::none,
       "needs loads of a line to stay in order, and a bypassed one overtakes those that merge",
       "use bypass.kind = \"none\", or tags.store_on_pending = \"wait\"");
  need(!p.drops && !p.snoops, "needs all that changes a line to come from warps of this cache's core",
       "use core.drops = false and core.peeks = false, or tags.store_on_pending = \"wait\"");
  need(p.protocol == MemoryProtocol::native, "is not served beside AXI4",
       "use memory.protocol = \"native\", or tags.store_on_pending = \"wait\"");
}

// Hits that are answered in the cycle of their lookup.
void check_hit_latency(const L1dParams& p) {
  require_in(L1dRanges::hit_latency, "core.hit_latency", p.hit_latency,
             "use 2, or 1 where a hit's path may be longer");
  if (!answers_at_once(p)) return;
  require(
      !tag_organisation(p.tags).compares_first, "core.hit_latency", 1,
      fmt::format("reads the ways of a set as a load enters the tag lookup, and {} tags have slots, which "
                  "are known in it",
                  tag_organisation(p.tags).key),
      "use conventional, sectored, reuse_filter or decoupled tags, or core.hit_latency = 2");
  require(!protects_data(p.ecc), "core.hit_latency", 1,
          "answers a hit as its data comes, and ecc.data checks that before",
          "use core.hit_latency = 2, or ecc.data = \"none\"");
}

// Tags of lines that lie in ways are checked as the set of a request is read.
void check_protection_of_tags(const L1dParams& p) {
  const auto need = [&](bool holds, const std::string& reason, const std::string& remedy) {
    require(holds, "ecc.tags", p.ecc.tags == Protection::parity ? "parity" : "secded", reason,
            "use " + remedy + ", or ecc.tags = \"none\"");
  };

  need(p.ways <= most_built_ways && sets_of(p) >= least_built_sets,
       "is of caches that are built, of 2 sets and more with up to 64 ways", "such a geometry");
  if (traits_of(p.tags).in_slots) return;  // their rows have parts of a tag
  const int bits = stored_tag_bits(p);
  need(bits + check_bits_of_tag(p.ecc.tags, bits) <= 64,
       fmt::format("makes words of more than 64 bits from tags of {} bits", bits),
       "fewer geometry.address_bits");
}

// A protected data RAM serves the caches whose loads may be fetched again.
void check_protection_of_rams(const L1dParams& p) {
  require_in(EccRanges::data_bits, "ecc.word_bits", p.ecc.data_bits, "use 64");
  if (protects_tags(p.ecc)) check_protection_of_tags(p);
  if (!protects_data(p.ecc)) return;
  const char* const value = p.ecc.data == Protection::parity ? "parity" : "secded";
  const auto need = [&](bool holds, const std::string& reason, const char* remedy) {
    require(holds, "ecc.data", value, reason, remedy);
  };
  require(p.ecc.data_bits <= 8 * p.chunk_bytes, "ecc.word_bits", p.ecc.data_bits,
          fmt::format("is more than a chunk of {} bits", 8 * p.chunk_bytes), "use at most a chunk");
  const bool updates = p.store_policy == StorePolicyKind::update;
  need(!updates || !traits_of(p.tags).in_slots,
       "protects words that are written as a whole, and stores that update split tags' slots write bytes",
       "use tags.store_policy = \"evict\", or ecc.data = \"none\"");
  require(!updates || p.ecc.data_bits == 8, "ecc.word_bits", p.ecc.data_bits,
          "is more than a byte, which tags.store_policy = \"update\" writes alone",
          "use 8, or tags.store_policy = \"evict\"");
  need(p.store_on_pending == StoreOnPending::wait,
       "fetches a load's line once more, behind stores with which it may have merged",
       "use tags.store_on_pending = \"wait\", or ecc.data = \"none\"");
  need(!p.drops, "fetches a load's line once more, behind younger stores that have passed the cache",
       "use core.drops = false, or ecc.data = \"none\"");
}

}  // namespace

void check(const L1dParams& p) {
  check_geometry(p);
  check_queues(p);
  check_snoops(p);
  check_store_on_pending(p);
  check_hit_latency(p);
  check_ids(p.check, p.core_id_bits);
  check_protection_of_rams(p);
  require(p.index.sets == sets_of(p), "index.sets", p.index.sets,
          fmt::format("is not the cache's number of sets, {}", sets_of(p)), "leave it out: it follows");
  if (sets_of(p) == 1)
    check_single_set(p);
  else
    check(p.index);
  require(!p.index_blocking || p.index.latency > 0, "index.blocking", true,
          "needs stages that hold a request, and index.latency = 0 has none",
          "use index.latency = 1 or more");
  check(PolicySite{.params = p.bypass, .tags = p.tags, .sets = sets_of(p), .ways = p.ways});
  check_monitors(p);
  const TagOrganisation& tags = tag_organisation(p.tags);
  require(by_chunk(p.tags) || p.store_scope == StoreScope::line, "tags.store_scope", "mask",
          fmt::format("needs a validity bit a chunk, and {} tags have one a line", tags.key),
          "use line, or tags.kind = \"sectored\"");
  require(
      p.tags == TagKind::sectored || p.fetch == FetchSize::mask, "tags.fetch", "line",
      fmt::format("needs sectored tags, and these are {}", tags.key),
      traits_of(p.tags).has_modes ? "use mode.kind = \"coarse\"" : "use mask, or tags.kind = \"sectored\"");
  tags.check(tag_params(p), stored_tag_bits(p));
}

void check_built(const L1dParams& p) {
  require(p.ways <= most_built_ways, "geometry.ways", p.ways,
          fmt::format("is more than the {} that hardware has; models of one cache, in explore, have up to {}",
                      most_built_ways, L1dRanges::ways.most),
          fmt::format("use at most {}, and more sets", most_built_ways));
  require(sets_of(p) >= least_built_sets, "geometry.capacity_bytes", p.capacity_bytes,
          "makes one set, and hardware has at least 2; models of one cache, in explore, may have one",
          "use fewer ways");
}

}  // namespace hw
