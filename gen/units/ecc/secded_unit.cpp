// Code words of protected RAMs: ecc.*
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "hw/ecc/secded.h"
#include "hw/ecc/secded_ranges.h"

namespace gen {
namespace {

using hw::SecdedParams;

const char* const hsiao = "Hsiao, IBM J. Res. Dev. 14(4), 1970";

Unit elaborated(const SecdedParams& p, const std::string& top) {
  return {.top = hw::secded(p, top), .facts = {{"check_bits", hw::check_bits(p)}}};
}

CosimMain cosim(const SecdedParams& p) {
  return cycle_bench("units/secded_cosim.h", "SecdedBench", "SecdedParams", p, 200'000);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<SecdedParams>(
      elaborated, cosim, "is a part of a RAM: recorded traffic needs a cache; use --random");
  return table;
}

const Family& family() {
  static const Family family{
      .name = "code of a protected RAM",
      .doc = "check bits for the words of a row, and their check and correction",
      .defaults = SecdedParams{},
      .unit = kind,
      .keys = {
          field<SecdedParams>(
              {.key = "ecc.code",
               .type = KeyType::choice,
               .choices = {"parity", "secded"},
               .meaning = "Parity detects one flipped bit of a word; SECDED corrects one and detects two.",
               .source = hsiao,
               .suffix = ""},
              &SecdedParams::code),
          field<SecdedParams>({.key = "ecc.data_bits",
                               .range = hw::SecdedRanges::data_bits,
                               .unit = "bits",
                               .meaning = "Data bits of a code word.",
                               .source = hsiao,
                               .suffix = "d"},
                              &SecdedParams::data_bits),
          field<SecdedParams>({.key = "ecc.words",
                               .range = hw::SecdedRanges::words,
                               .unit = "words",
                               .meaning = "Code words of a row, each checked by itself.",
                               .source = "this generator's",
                               .suffix = "w"},
                              &SecdedParams::words)}};
  return family;
}

}  // namespace

std::vector<Preset> secded_unit() {
  return {
      {.place = 520,
       .name = "secded",
       .family = &family(),
       .doc = "check bits of a RAM's row, and its correction: parity, or SECDED by an odd-weight-column code",
       .source = hsiao}};
}

}  // namespace gen
