// The sharing predictor (DC-L1 thesis, section 3.3.5).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/remote/remote_keys.h"
#include "hw/remote/remote_ranges.h"
#include "hw/remote/sharing_predictor.h"

namespace gen {

KeyInfo predictor_entries_key() {
  return {.key = "predictor.entries",
          .range = hw::PredictorRanges::entries,
          .unit = "instructions",
          .meaning = "Load instructions that the sharing predictor keeps apart.",
          .source = "DC-L1 thesis, section 3.3.6",
          .suffix = "pcs"};
}

namespace {

std::vector<StorageAccount> accounts_of(const hw::SharingPredictorParams& p) {
  if (p.kind == hw::PredictorKind::always) return {};
  std::vector<StorageAccount> accounts{{"instructions",
                                        p.entries,
                                        {{"valid", 1},
                                         {"pc", p.pc_bits},
                                         {"state", hw::predictor_state_bits(p)},
                                         {"misses", hw::predictor_miss_bits(p)},
                                         {"replies", hw::predictor_reply_bits(p)}},
                                        true}};
  if (p.stages) accounts.push_back({"stages", 1, {{"match", p.entries}}});
  return accounts;
}

Unit elaborated(const hw::SharingPredictorParams& p, const std::string& top) {
  return {.top = hw::sharing_predictor(p, top), .latency = 0, .accounts = accounts_of(p)};
}

CosimMain cosim(const hw::SharingPredictorParams& p) {
  return cycle_bench("units/sharing_predictor_cosim.h", "SharingPredictorBench", "SharingPredictorParams", p,
                     1'000'000, {}, p.kind == hw::PredictorKind::pc);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::SharingPredictorParams>(
      elaborated, cosim, "judges the misses of a cache: recorded traffic needs a cache; use --random");
  return table;
}

using hw::SharingPredictorParams;

KeyInfo by_state(const char* key, const char* unit, const char* meaning, const char* suffix) {
  return {.key = std::string("predictor.") + key,
          .type = KeyType::integers,
          .range = hw::PredictorRanges::window,
          .max_items = hw::StateNumbers::most,
          .depends = true,
          .unit = unit,
          .meaning = meaning,
          .source = "DC-L1 thesis, section 3.3.6",
          .suffix = suffix,
          .only_with = {"predictor.kind", {"pc"}}};
}

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  keys.push_back(field<SharingPredictorParams>(
      {.key = "predictor.kind",
       .type = KeyType::choice,
       .choices = {"pc", "always"},
       .meaning = "What a miss is judged by: the instruction of its load; or nothing, every miss is shared.",
       .source = "DC-L1 thesis, section 3.3.5",
       .suffix = ""},
      &SharingPredictorParams::kind));
  KeyInfo entries = predictor_entries_key();
  entries.only_with = {"predictor.kind", {"pc"}};
  keys.push_back(field<SharingPredictorParams>(entries, &SharingPredictorParams::entries));
  keys.push_back(field<SharingPredictorParams>({.key = "predictor.pc_bits",
                                                .range = hw::PredictorRanges::pc_bits,
                                                .unit = "bits",
                                                .meaning = "Of a load's instruction index in its kernel.",
                                                .source = "this generator's choice",
                                                .suffix = "pc_bits"},
                                               &SharingPredictorParams::pc_bits));
  keys.push_back(integers<SharingPredictorParams>(
      by_state("window", "misses",
               "For each state, strong shared first: misses of an instruction after which its next state "
               "is found.",
               "window"),
      &SharingPredictorParams::window));
  keys.push_back(integers<SharingPredictorParams>(
      by_state("shared", "misses",
               "For each state: the first misses of a window, which are taken to be shared.", "shared"),
      &SharingPredictorParams::shared));
  keys.push_back(integers<SharingPredictorParams>(
      by_state("threshold", "replies",
               "For each state: replies of cores in a window from which on the next state is a more shared "
               "one, else a less shared one.",
               "threshold"),
      &SharingPredictorParams::threshold));
  keys.push_back(field<SharingPredictorParams>(
      {.key = "predictor.stages",
       .range = hw::PredictorRanges::stages,
       .unit = "cycles",
       .meaning =
           "Cycles from the instruction of a miss to its entry: 0, or 1, which shortens the longest path.",
       .source = "this generator's choice",
       .suffix = "stages",
       .only_with = {"predictor.kind", {"pc"}}},
      &SharingPredictorParams::stages));
  return keys;
}

}  // namespace

const Family& sharing_predictor_family() {
  static const Family family{.name = "sharing predictor",
                             .doc = "says whether a read miss may be found in the L1 of another core",
                             .defaults = SharingPredictorParams{},
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

std::vector<Preset> sharing_predictor_unit() {
  return {{.place = 450,
           .name = "sharing_predictor",
           .family = &sharing_predictor_family(),
           .doc = "which read misses another core's L1 may have, by the instruction of the load",
           .source = "DC-L1 thesis, section 3.3.5"}};
}

}  // namespace gen
