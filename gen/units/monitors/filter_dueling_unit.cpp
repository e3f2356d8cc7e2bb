// SM dueling for the reuse-count filter (Decoupled L1D paper, section 4).
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/keys/mechanisms.h"
#include "hw/monitors/dueling_ranges.h"
#include "hw/monitors/filter_dueling.h"

namespace gen {
namespace {

Unit elaborated(const hw::FilterDuelingParams& p, const std::string& top) {
  const hw::FilterDueling unit = hw::filter_dueling(p, top);
  const hw::FilterDuelingFacts& f = unit.facts;
  return {.top = unit.module,
          .latency = 32,  // from the last cycle of an interval to its decision
          .facts = {{"storage_in_flops",
                     {{"counter_bits", f.counter_bits},
                      {"decision_bits", f.decision_bits},
                      {"control_bits", f.control_bits},
                      {"all_bits", f.counter_bits + f.decision_bits + f.control_bits}}}}};
}

CosimMain cosim(const hw::FilterDuelingParams& p) {
  return {.header = "units/filter_dueling_cosim.h",
          .params_type = "FilterDuelingParams",
          .params = cpp_params("FilterDuelingParams", p),
          .report = "verif::FilterDuelingCosim<Vdut, params>(o, add_probes).run()"};
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::FilterDuelingParams>(
      elaborated, cosim, "is a monitor: recorded cache traffic needs a cache; use --trace or --random");
  return table;
}

using hw::FilterDuelingParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int FilterDuelingParams::*member) {
    keys.push_back(field<FilterDuelingParams>(std::move(info), member));
  };
  add(address_bits_key(), &FilterDuelingParams::address_bits);
  add(line_bytes_key(), &FilterDuelingParams::line_bytes);
  KeyInfo interval = dueling_interval_key(), margin = dueling_margin_key();
  interval.suffix = "c";
  margin.suffix = "p";
  add(std::move(interval), &FilterDuelingParams::interval);
  add(std::move(margin), &FilterDuelingParams::margin_percent);
  return keys;
}

}  // namespace

KeyInfo dueling_interval_key() {
  return {.key = "tags.reuse_filter.dueling_interval",
          .type = KeyType::integer,
          .range = hw::FilterDuelingRanges::interval,
          .unit = "cycles",
          .meaning = "Interval after which the miss rates of two caches are compared.",
          .source = "Decoupled L1D, section 4"};
}

KeyInfo dueling_margin_key() {
  return {.key = "tags.reuse_filter.dueling_margin_percent",
          .type = KeyType::integer,
          .range = hw::FilterDuelingRanges::margin_percent,
          .unit = "points",
          .meaning = "How much higher the miss rate with the filter may be before the filter goes off.",
          .source = "Decoupled L1D, section 4"};
}

namespace {

const Family& family() {
  static const Family family{.name = "dueling of the reuse-count filter",
                             .doc =
                                 "decides whether caches filter, from the miss rates of one that does and "
                                 "one that does not",
                             .defaults = FilterDuelingParams{},
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

}  // namespace

std::vector<Preset> filter_dueling_unit() {
  return {{.place = 200,
           .name = "filter_dueling",
           .family = &family(),
           .doc = "SM dueling: a cache with the reuse-count filter and one without decide for the others",
           .source = "Decoupled L1D, section 4"}};
}

}  // namespace gen
