#include "gen/units/mode/mode.h"

#include <fmt/format.h>

#include "gen/units/l1d/l1d.h"
#include "gen/units/l1d/l1d_accounts.h"
#include "hw/mode/mode_selector.h"

namespace gen {
namespace {

Unit elaborated(const hw::ModeSelectorParams& p, const std::string& top) {
  const hw::Samplers samplers = hw::samplers_of(p);
  const rtl::Module unit = hw::mode_selector(p, top);
  nlohmann::ordered_json facts{
      {"fine_sets", std::vector<int>(samplers.fine.begin(), samplers.fine.end())},
      {"coarse_sets", std::vector<int>(samplers.coarse.begin(), samplers.coarse.end())},
      {"cycles_to_the_new_mode", hw::mode_delay}};
  return {.top = unit, .latency = hw::mode_delay, .accounts = {selector_account()}, .facts = facts};
}

CosimMain cosim(const hw::ModeSelectorParams& p) {
  return {.header = "units/mode_selector_cosim.h",
          .params_type = "ModeSelectorParams",
          .params = cpp_params("ModeSelectorParams", p),
          .report = "verif::ModeSelectorCosim<Vdut, params>(o, add_probes).run()"};
}

}  // namespace

const UnitKind& mode_unit() {
  static const UnitKind kind = unit_kind<hw::ModeSelectorParams>(
      elaborated, cosim, "is a monitor: recorded cache traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
