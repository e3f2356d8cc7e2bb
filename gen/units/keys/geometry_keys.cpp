#include "gen/units/keys/geometry_keys.h"

#include "hw/geometry_ranges.h"

#include <bit>

namespace gen {

KeyInfo address_bits_key() {
  return {.key = "geometry.address_bits",
          .type = KeyType::integer,
          .range = hw::GeometryRanges::address_bits,
          .unit = "bits",
          .meaning = "Width N of a byte address.",
          .source = "ACI thesis, section 3.2",
          .suffix = "n"};
}

KeyInfo line_bytes_key() {
  return {
      .key = "geometry.line_bytes",
      .type = KeyType::integer,
      .range = hw::GeometryRanges::line_bytes,
      .unit = "bytes",
      .meaning = "Size 2^B of a cache line; the block address is the byte address without its low B bits.",
      .source = "ACI thesis, section 3.2",
      .suffix = "b"};
}

KeyInfo chunk_bytes_key() {
  return {.key = "geometry.chunk_bytes",
          .type = KeyType::integer,
          .range = hw::GeometryRanges::chunk_bytes,
          .unit = "bytes",
          .meaning =
              "Size of a chunk (sector) of a line, at most the line: what masks count in and what lies in "
              "one data bank's row.",
          .source = "the baseline cache of the TSC, ACI and Decoupled L1D papers",
          .suffix = "c"};
}

KeyInfo sets_key(const hw::Range& range) {
  return {.key = "index.sets",
          .type = KeyType::integer,
          .range = range,
          .unit = "sets",
          .meaning =
              "Number 2^S of sets; S is less than the block address' bits, so that a tag is left. In "
              "a cache it follows from the geometry, and any other value is refused.",
          .source = "ACI thesis, section 3.2",
          .suffix = "s"};
}

bool sound_geometry(const hw::L1dParams& p) {
  const int set_bytes = hw::bytes_of_set(p);
  if (set_bytes == 0 || p.capacity_bytes % set_bytes != 0) return false;
  const auto sets = static_cast<unsigned>(p.capacity_bytes / set_bytes);
  return sets >= (hw::traits_of(p.tags).keeps_way ? 1u : 2u) && std::has_single_bit(sets);
}

}  // namespace gen
