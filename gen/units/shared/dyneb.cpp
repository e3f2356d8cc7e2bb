#include "gen/units/shared/dyneb.h"

#include "hw/shared/dyneb.h"
#include "hw/shared/dyneb_metric.h"

namespace gen {
namespace {

Unit elaborated(const hw::DynebParams& p, const std::string& top) {
  const int count = hw::dyneb_count_bits, sum = hw::dyneb_sum_bits(p);
  return {.top = hw::dyneb(p, top),
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
                         {"value", sum + count + 1},
                         {"sums", 2 * sum},
                         {"few_misses", 1},
                         {"verdict", 1}}}}};
}

CosimMain cosim(const hw::DynebParams& p) {
  return cycle_bench("units/dyneb_cosim.h", "DynebBench", "DynebParams", p, 1'000'000, {}, true);
}

}  // namespace

const UnitKind& dyneb_unit() {
  static const UnitKind kind = unit_kind<hw::DynebParams>(
      elaborated, cosim, "watches a core and its cache: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
