#include "gen/units/keys/common_keys.h"

#include <bit>

#include "hw/check/check_params.h"
#include "hw/check/check_ranges.h"
#include "hw/ecc/ecc_ranges.h"
#include "hw/geometry_ranges.h"

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

KeyInfo check_ports_key() {
  return {.key = "check.ports",
          .type = KeyType::boolean,
          .meaning =
              "Outputs protocol_error, high since a neighbour has broken a rule of a stream, and "
              "protocol_error_code, the first broken rule.",
          .source = "this generator's checks",
          .suffix = "checks"};
}

KeyInfo check_timeout_key() {
  return {.key = "check.timeout",
          .range = hw::CheckRanges::timeout,
          .depends = true,
          .unit = "cycles",
          .meaning =
              "With check.ports, how long a watched request may be without a response until "
              "protocol_error rises; 0: no limit.",
          .source = "this generator's checks",
          .suffix = "within"};
}

namespace {

KeyInfo protection_key(const char* key, const char* meaning, const char* suffix) {
  return {.key = key,
          .type = KeyType::choice,
          .choices = {"none", "parity", "secded"},
          .depends = true,
          .meaning = meaning,
          .source = "Hsiao, IBM J. Res. Dev. 14(4), 1970",
          .suffix = suffix};
}

}  // namespace

KeyInfo ecc_data_key() {
  return protection_key("ecc.data",
                        "Protection of the data RAM, with outputs ecc_*: what is wrong there and cannot be "
                        "corrected goes, and the load fetches it once more.",
                        "ecc_");
}

KeyInfo ecc_data_bits_key() {
  return {.key = "ecc.word_bits",
          .range = hw::EccRanges::data_bits,
          .depends = true,
          .unit = "bits",
          .meaning = "Data bits of a code word of the data RAM, at most a chunk.",
          .source = "this generator's",
          .suffix = "word",
          .only_with = {"ecc.data", {"parity", "secded"}}};
}

KeyInfo ecc_tags_key() {
  return protection_key(
      "ecc.tags",
      "Protection of the tag RAMs, with outputs ecc_*: a line whose tag is wrong goes before "
      "it can be found.",
      "tags_");
}

KeyInfo ecc_mshr_key() {
  return protection_key(
      "ecc.mshr",
      "Protection of the RAMs of waiting loads and of queued requests, with outputs ecc_*: secded corrects "
      "a wrong bit; what cannot be corrected stays where it is, and is reported.",
      "mshr_");
}

}  // namespace gen
