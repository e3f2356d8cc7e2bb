// The coalescer between the lanes of a SIMT core and an L1 data cache.
#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/coalescer/lane_keys.h"
#include "gen/units/keys/common_keys.h"
#include "hw/coalescer/coalescer.h"
#include "hw/coalescer/coalescer_ranges.h"
#include "hw/coalescer/lane_fields.h"

namespace gen {
namespace {

Unit elaborated(const hw::CoalescerParams& p, const std::string& top) {
  return {.top = hw::coalescer(p, top),
          .latency = p.stages,
          .accounts = accounts_of(p),
          .facts = {{"chunks_of_line", hw::chunks_of_line(p)},
                    {"requests_in_flight", 1 << p.core_id_bits},
                    {"answer_latency", p.answer_stages}}};
}

CosimMain cosim(const hw::CoalescerParams& p) {
  return cycle_bench("coalescer/coalescer_cosim.h", "CoalescerBench", "CoalescerParams", p, 300'000,
                     port_list(hw::coalescer(p, "unit")));
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::CoalescerParams>(
      elaborated, cosim, "takes instructions of lanes: recorded traffic has requests of lines; use --random");
  return table;
}

using hw::CoalescerParams;

std::vector<Key> make_coalescer_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int CoalescerParams::*member) {
    keys.push_back(field<CoalescerParams>(std::move(info), member));
  };
  add(address_bits_key(), &CoalescerParams::address_bits);
  add(line_bytes_key(), &CoalescerParams::line_bytes);
  add(chunk_bytes_key(), &CoalescerParams::chunk_bytes);
  add_lane_keys<CoalescerParams>(keys);
  add({.key = "core.id_bits",
       .range = hw::CoalescerRanges::core_id_bits,
       .depends = true,
       .unit = "bits",
       .meaning = "Width of a core request's number, which its answer carries.",
       .source = "TSC, section 5.1",
       .suffix = "i"},
      &CoalescerParams::core_id_bits);
  return keys;
}

const Family& family() {
  static const Family family{
      .name = "coalescer",
      .doc = "turns the accesses of a SIMT core's lanes into requests of lines, and back",
      .defaults = CoalescerParams{},
      .unit = kind,
      .keys = make_coalescer_keys()};
  return family;
}

}  // namespace

std::vector<Preset> coalescer_unit() {
  return {
      {.place = 505,
       .name = "coalescer",
       .family = &family(),
       .doc = "one request for all lanes of a line in front of a cache, and the answers back at their lanes",
       .source = "TSC, section 2.1; BUCL, section 2"}};
}

}  // namespace gen
