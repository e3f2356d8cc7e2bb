#include "gen/units/adaptive/adi_keys.h"

#include "gen/units/adaptive/adaptive.h"
#include "gen/units/l1d/geometry_keys.h"

namespace gen {
namespace {

using hw::AdiMonitorParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int AdiMonitorParams::*member) {
    keys.push_back(field<AdiMonitorParams>(std::move(info), member));
  };
  add(address_bits_key(), &AdiMonitorParams::address_bits);
  add(line_bytes_key(), &AdiMonitorParams::line_bytes);
  add(sets_key(1 << hw::max_adi_index_bits), &AdiMonitorParams::sets);
  add(adaptive_period_key(), &AdiMonitorParams::period);
  add(adaptive_counter_bits_key(), &AdiMonitorParams::counter_bits);
  add(adaptive_idle_key(), &AdiMonitorParams::idle);
  return keys;
}

}  // namespace

KeyInfo adaptive_period_key() {
  return {.key = "adaptive.period",
          .type = KeyType::integer,
          .min = 2,
          .max = 1 << hw::max_adi_counter_bits,
          .depends = true,
          .unit = "misses of victimization, loads of selection",
          .meaning = "Samples T of a phase, any number up to 2^M.",
          .source = "ACI thesis, section 3.3",
          .suffix = "t"};
}

KeyInfo adaptive_counter_bits_key() {
  return {.key = "adaptive.counter_bits",
          .type = KeyType::integer,
          .min = 2,
          .max = hw::max_adi_counter_bits,
          .depends = true,
          .unit = "bits",
          .meaning = "Width M of a counter.",
          .source = "ACI thesis, section 3.3",
          .suffix = "m"};
}

KeyInfo adaptive_idle_key() {
  return {.key = "adaptive.idle",
          .type = KeyType::integer,
          .min = 0,
          .max = hw::max_adi_idle,
          .unit = "loads",
          .meaning = "Loads without monitoring between a selection and the next victimization.",
          .source = "ACI thesis, section 3.3",
          .suffix = "i"};
}

const Family& adi_family() {
  static const Family family{.name = "adaptive-indexing monitor",
                             .doc = "watches a cache's loads and chooses the address bits of its set index",
                             .defaults = AdiMonitorParams{},
                             .unit = adi_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen
