#include "gen/units/iacm/awl.h"

#include "hw/iacm/awl.h"
#include "hw/prim/one_hot.h"
#include "verif/lockstep/units/awl_cells.h"

namespace gen {

std::vector<StorageAccount> storage_accounts(const hw::AwlParams& p) {
  const int count = hw::warp_count_bits(p), ipc = hw::ipc_bits(p, p.period);
  return {{"adaptive warp limiting",
           1,
           {{"active", count},
            {"origin", count},
            {"settled", count},
            {"total", count},
            {"ipc", ipc},
            {"previous_ipc", ipc},
            {"cycle", hw::bits_to_number(p.period)},
            {"search", 1},
            {"direction", 1},
            {"busy", 1}},
           true},
          {"result", 1, {{"done", 1}, {"moved", 1}}}};
}

namespace {

Unit elaborated(const hw::AwlParams& p, const std::string& top) {
  Unit unit{.top = hw::awl(p, top), .latency = 1, .accounts = storage_accounts(p)};
  const std::int64_t bits = published_bits(unit.accounts);
  unit.facts = {{"published_bits_of_16_cores", 16 * bits},
                {"most_periods_of_a_search", verif::awl_reach(p).longest}};
  return unit;
}

CosimMain cosim(const hw::AwlParams& p) {
  return cycle_bench("units/awl_cosim.h", "AwlBench", "AwlParams", p, 1'000'000, {}, true);
}

}  // namespace

const UnitKind& awl_unit() {
  static const UnitKind kind = unit_kind<hw::AwlParams>(
      elaborated, cosim, "limits warps: recorded cache traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
