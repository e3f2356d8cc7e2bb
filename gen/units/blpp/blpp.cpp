#include "gen/units/blpp/blpp.h"

#include "hw/blpp/blpp.h"
#include "hw/prim/one_hot.h"

namespace gen {
namespace {

// Flops of the evaluation as they are; the counters and what a page is placed by are the mechanism.
std::vector<StorageAccount> accounts_of(const hw::BlppParams& p) {
  const StorageAccount place{"placement", 1, {{"draw", 16}}, true};
  if (p.mode == hw::BlppMode::fixed) return {place};
  return {{"counters", 5, {{"events", hw::blpp_sum_bits}}, true},
          {"period", 1, {{"cycle", hw::bits_to_number(p.period)}}, true},
          {"decision", 1, {{"p", 17}}, true},
          place};
}

Unit elaborated(const hw::BlppParams& p, const std::string& top) {
  return {.top = hw::blpp(p, top), .latency = 0, .accounts = accounts_of(p)};
}

CosimMain cosim(const hw::BlppParams& p) {
  return cycle_bench("units/blpp_cosim.h", "BlppBench", "BlppParams", p, 1'000'000, {}, true);
}

}  // namespace

const UnitKind& blpp_unit() {
  static const UnitKind kind = unit_kind<hw::BlppParams>(
      elaborated, cosim, "places pages: recorded cache traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
