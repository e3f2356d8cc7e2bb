#include "gen/units/keys/ecc_keys.h"

#include "hw/ecc/ecc_ranges.h"

namespace gen {

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

}  // namespace gen
