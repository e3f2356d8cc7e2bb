#include "gen/units/dueling/filter_dueling.h"

#include <fmt/format.h>

#include "hw/dueling/filter_dueling.h"

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

}  // namespace

const UnitKind& filter_dueling_unit() {
  static const UnitKind kind = unit_kind<hw::FilterDuelingParams>(
      elaborated, cosim, "is a monitor: recorded cache traffic needs a cache; use --trace or --random");
  return kind;
}

}  // namespace gen
