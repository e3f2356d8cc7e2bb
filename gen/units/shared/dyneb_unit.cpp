// DynEB (DC-L1 thesis, chapter 4).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/shared/shared_keys.h"
#include "hw/shared/dyneb.h"
#include "hw/shared/dyneb_evaluation.h"
#include "hw/shared/dyneb_metric.h"
#include "hw/shared/shared_ranges.h"

namespace gen {
namespace {

Unit elaborated(const hw::DynebParams& p, const std::string& top) {
  const int count = hw::dyneb_count_bits, sum = hw::dyneb_sum_bits(p);
  return {
      .top = hw::dyneb(p, top),
      .latency = 1,
      .accounts = {{"groups of sets",
                    2,
                    {{"accesses", count},
                     {"misses", count},
                     {"slice_replies", count},
                     {"home_replies", count},
                     {"own", hw::dyneb_own_bits(p)}},
                    true},
                   {"loads sent to homes", 1, {{"sent", count}, {"sent_missed", count}}, true},
                   {"phase",
                    1,
                    {{"total", hw::dyneb_total_bits(p)},
                     {"executed", hw::dyneb_executed_bits(p)},
                     {"evaluation", rtl::clog2(hw::dyneb_eval_cycles)},
                     {"open", hw::dyneb_open_bits},
                     {"phase", 3},
                     {"organisation", 2}},
                    true},
                   {"multiplier",
                    1,
                    {{"addend", sum},
                     {"value", hw::dyneb_blocks * hw::dyneb_block_bits(p)},
                     {"between_blocks", 3 * (hw::dyneb_blocks - 1) + (sum - 1) / hw::dyneb_block_bits(p) + 1},
                     {"sums", 2 * sum},
                     {"few_misses", 1},
                     {"decision", 1}}}}};
}

CosimMain cosim(const hw::DynebParams& p) {
  return cycle_bench("units/dyneb_cosim.h", "DynebBench", "DynebParams", p, 2'000'000, {}, true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::DynebParams>(
      elaborated, cosim, "watches a core and its cache: recorded traffic needs a cache; use --random");
  return table;
}

using hw::DynebParams;

const char* const source = "DC-L1 thesis, section 4.4";

KeyInfo number(const std::string& key, const hw::Range& range, const std::string& unit,
               const std::string& meaning) {
  return {.key = "dyneb." + key,
          .range = range,
          .unit = unit,
          .meaning = meaning,
          .source = source,
          .suffix = key};
}

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](const KeyInfo& info, auto member) {
    keys.push_back(field<DynebParams>(info, member));
  };
  add({.key = "dyneb.metric",
       .type = KeyType::choice,
       .choices = {"eb", "amat"},
       .meaning =
           "What is compared: effective bandwidth (DynEB), or average memory access time (DynAMAT), which "
           "takes the core's own requests alone.",
       .source = source,
       .suffix = ""},
      &DynebParams::metric);
  add(number("sample_accesses", hw::DynebRanges::sample_accesses, "loads",
             "Own loads in the own L1 of each group of sets that complete a sample."),
      &DynebParams::sample_accesses);
  add(number("execute_accesses", hw::DynebRanges::execute_accesses, "loads",
             "Own loads in the own L1 between samples."),
      &DynebParams::execute_accesses);
  add(number("sample_cap", hw::DynebRanges::cap, "loads",
             "A sample ends after so many loads of the core, wherever they go; 0 is no cap."),
      &DynebParams::sample_cap);
  add(number("execute_cap", hw::DynebRanges::cap, "loads",
             "The time between samples ends after so many loads, too; 0 is no cap."),
      &DynebParams::execute_cap);
  add(number("miss_percent", hw::DynebRanges::miss_percent, "%",
             "Below this miss rate of private sets the L1 is private."),
      &DynebParams::miss_percent);
  add({.key = "dyneb.count_served",
       .type = KeyType::boolean,
       .meaning = "Requests that an L1 serves for other cores count in its bandwidth, too.",
       .source = source,
       .suffix = "served"},
      &DynebParams::count_served);
  add(number("l2_latency", hw::DynebRanges::latency, "cycles", "Of an access to L2, for DynAMAT."),
      &DynebParams::l2_latency);
  add(number("home_latency", hw::DynebRanges::latency, "cycles",
             "Of an access to another core's L1, for DynAMAT."),
      &DynebParams::home_latency);
  for (Key& key : keys)
    if (key.key.ends_with("_latency")) key.only_with = {"dyneb.metric", {"amat"}};
  return keys;
}

}  // namespace

const Family& dyneb_family() {
  static const Family family{.name = "DynEB controller",
                             .doc = "chooses between a private and a shared L1 for one core, by samples",
                             .defaults = DynebParams{},
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

std::vector<Preset> dyneb_unit() {
  return {{.place = 390,
           .name = "dyneb",
           .family = &dyneb_family(),
           .doc = "DynEB: a private or a shared L1 for one core, the one that a sample of both finds better",
           .source = "DC-L1 thesis, chapter 4"}};
}

}  // namespace gen
