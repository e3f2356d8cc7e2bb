// The arbiter in front of a shared L1 (DC-L1 thesis, chapter 4).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/shared/shared_keys.h"
#include "hw/shared/l1_arbiter.h"
#include "hw/shared/shared_ranges.h"

namespace gen {

KeyInfo remote_wait_limit_key() {
  return {.key = "shared.remote_wait_limit",
          .range = hw::SharedRanges::remote_wait_limit,
          .unit = "cycles",
          .meaning =
              "After so many cycles a request that an L1 serves for another core goes before those of "
              "its own; 0: never.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = "wait"};
}

namespace {

Unit elaborated(const hw::L1ArbiterParams& p, const std::string& top) {
  return {.top = hw::l1_arbiter(p, top)};
}

CosimMain cosim(const hw::L1ArbiterParams& p) {
  return cycle_bench("units/l1_arbiter_cosim.h", "L1ArbiterBench", "L1ArbiterParams", p, 300'000, {}, true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::L1ArbiterParams>(
      elaborated, cosim, "is a part beside a cache: recorded traffic needs a cache; use --random");
  return table;
}

const Family& family() {
  using hw::L1ArbiterParams;
  static const Family family{
      .name = "arbiter of a shared L1",
      .doc = "whether a core's own request or another's enters its L1 next",
      .defaults = L1ArbiterParams{},
      .unit = kind,
      .keys = {field<L1ArbiterParams>(remote_wait_limit_key(), &L1ArbiterParams::remote_wait_limit)}};
  return family;
}

}  // namespace

std::vector<Preset> l1_arbiter_unit() {
  return {{.place = 420,
           .name = "l1_arbiter",
           .family = &family(),
           .doc = "a core's own requests and the requests of other cores, in front of the L1",
           .source = "DC-L1 thesis, chapter 4"}};
}

}  // namespace gen
