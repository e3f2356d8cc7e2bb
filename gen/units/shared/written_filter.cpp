#include "gen/units/shared/written_filter.h"

#include "hw/shared/written_filter.h"

namespace gen {
namespace {

Unit elaborated(const hw::WrittenFilterParams& p, const std::string& top) {
  Unit unit{
      .top = hw::written_filter(p, top),
      .latency = 1,
      .accounts = {
          {"filter", hw::written_rows(p), {{"lines", hw::written_row_bits}}, true},
          {"clear", 1, {{"clears", 1}, {"row", rtl::clog2(static_cast<unsigned>(hw::written_rows(p)))}}},
          {"request",
           1,
           {{"marks", 1}, {"at", p.filter_bits}, {"again", 1}, {"newer", hw::written_row_bits}}}}};
  unit.facts = {{"cycles_of_a_clear", hw::written_rows(p)}};
  return unit;
}

CosimMain cosim(const hw::WrittenFilterParams& p) {
  return cycle_bench("units/written_filter_cosim.h", "WrittenFilterBench", "WrittenFilterParams", p, 500'000,
                     {}, true);
}

}  // namespace

const UnitKind& written_filter_unit() {
  static const UnitKind kind = unit_kind<hw::WrittenFilterParams>(
      elaborated, cosim, "is a part beside a cache: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
