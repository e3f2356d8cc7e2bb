#include "gen/units/dueling/filter_dueling_keys.h"

#include "gen/units/dueling/filter_dueling.h"
#include "gen/units/l1d/geometry_keys.h"

namespace gen {
namespace {

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
          .min = 64,
          .max = 65536,
          .unit = "cycles",
          .meaning = "Interval after which the miss rates of two caches are compared.",
          .source = "Decoupled L1D, section 4"};
}

KeyInfo dueling_margin_key() {
  return {.key = "tags.reuse_filter.dueling_margin_percent",
          .type = KeyType::integer,
          .min = 0,
          .max = 100,
          .unit = "points",
          .meaning = "How much higher the miss rate with the filter may be before the filter goes off.",
          .source = "Decoupled L1D, section 4"};
}

const Family& filter_dueling_family() {
  static const Family family{.name = "dueling of the reuse-count filter",
                             .doc =
                                 "decides whether caches filter, from the miss rates of one that does and "
                                 "one that does not",
                             .defaults = FilterDuelingParams{},
                             .unit = filter_dueling_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen
