#include "hw/l1d/iacm_in_cache.h"

#include "hw/iacm/iacm_controller.h"

namespace hw {

using rtl::Expr, rtl::lit;

// It sees no load: IPC is an input from outside.
void IacmInCache::watch(rtl::Module& m, ProbeEvent&) {
  m.section("When the cache adapts, and how many warps may issue.");
  const Expr phase = m.wire("iacm_phase", 2, "0 adaptive index, 1 warp limiting, 2 idle, 3 both");
  const bool indexed = params_.index.kind == IndexKind::adi;
  Pins pins{{"phase", phase}, {"limit", controls_["limit"]}};
  pins.insert(pins.end(), {{"kernel_start", inputs_["kernel_start"]},
                           {"total", inputs_["total"]},
                           {"issued", inputs_["issued"]}});
  const Expr start = indexed ? controls_["adi_start"] : m.wire("adi_start", 1, "never, in this order");
  pins.emplace_back("adi_start", start);
  pins.emplace_back("round_done", indexed ? controls_["round_done"] : lit(1, 0));
  m.instance(iacm_controller(iacm_params(params_), m.name() + "_controller"), "controller", pins,
             "The searches of the controller.");
  m.unused("unused_phase", phase, "of the controller: adi_start and limit show its actions");
  if (!indexed) m.unused("unused_adi_start", start, "there is no index to adapt");
}

}  // namespace hw
