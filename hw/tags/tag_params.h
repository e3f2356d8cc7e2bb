// The properties of every tag organisation, shared by the hardware and its reference model.
#pragma once
#include <algorithm>
#include <array>

#include "hw/ecc/ecc_params.h"
#include "hw/monitors/mode_params.h"
#include "hw/tags/decoupled_params.h"
#include "hw/tags/reuse_filter_params.h"
#include "hw/tags/split_params.h"

namespace hw {

enum class TagKind { conventional, sectored, split, reuse_filter, decoupled };
enum class Replacement { lru, nru, random, srrip };
enum class StoreScope { line, mask };
enum class StorePolicyKind { evict, update };
enum class FetchSize { mask, line };

// What a kind of tags makes of the parameters of a cache.
struct TagTraits {
  TagKind kind;
  bool by_chunk;   // chunks of a line come and go one by one, else it is there as a whole
  bool in_slots;   // a set is made of slots of a chunk each, not of ways
  bool has_modes;  // accesses can be fine or coarse: [mode] counts
  bool filters;    // lines get data after enough requests: [tags.reuse_filter] counts
  bool keeps_way;  // a line stays in its way, in an order of its own
};

inline constexpr std::array tag_traits_rows{
    TagTraits{TagKind::conventional, false, false, false, false, true},
    TagTraits{TagKind::sectored, true, false, false, false, true},
    TagTraits{TagKind::split, true, true, true, false, false},
    TagTraits{TagKind::reuse_filter, false, false, false, true, false},
    TagTraits{TagKind::decoupled, true, false, false, false, false},
};

constexpr const TagTraits& traits_of(TagKind kind) {
  return *std::ranges::find(tag_traits_rows, kind, &TagTraits::kind);
}

constexpr bool by_chunk(TagKind kind) { return traits_of(kind).by_chunk; }

// The part of a cache's parameters that its tag store sees, member by member what a cache has under that
// name.
struct TagParams {
  TagKind tags = TagKind::conventional;
  int line_bytes = 128;
  int chunk_bytes = 32;
  int ways = 4;
  int sets = 32;
  SplitParams split = {};
  ModeParams mode = {};
  ReuseFilterParams reuse = {};
  DecoupledParams decoupled = {};
  Replacement replacement = Replacement::lru;
  StoreScope store_scope = StoreScope::line;
  StorePolicyKind store_policy = StorePolicyKind::evict;
  FetchSize fetch = FetchSize::mask;
  bool moving_sets = false;  // the set of a line may change: index.kind "adi"
  bool stale_lines = false;  // lines that are looked for elsewhere are the first victims
  bool closed_ways = false;  // a bypass policy says which ways may take a line
  bool reads_ahead = false;  // data of all ways is read as a load enters the tag-lookup stage
  bool counters = false;
  EccParams ecc = {};  // of the RAMs

  bool operator==(const TagParams&) const = default;
};

constexpr bool stores_update(const TagParams& p) { return p.store_policy == StorePolicyKind::update; }
constexpr int chunks_of_line(const TagParams& p) { return p.line_bytes / p.chunk_bytes; }
constexpr int chunks_of_group(const TagParams& p) { return chunks_of_group(p.split, chunks_of_line(p)); }
constexpr int slots_of(const TagParams& p) { return slots_of(p.split, chunks_of_line(p)); }

}  // namespace hw
