#include "hw/l1d/iacm_in_cache.h"

#include <array>

#include "hw/monitors/iacm_controller.h"
#include "hw/monitors/warp_limit.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr, rtl::lit;

void IacmInCache::check(const L1dParams& p) {
  hw::check(p.limit);
  constexpr std::array names{"none", "adi_awl", "awl_adi", "parallel", "adi", "awl"};
  const char* const order = names[static_cast<std::size_t>(p.iacm.order)];
  if (!has_controller(p)) {
    require(p.limit.kind != LimitKind::adaptive, "limit.kind", "adaptive",
            "needs a controller, which searches the number of warps",
            "set iacm.order, to adi_awl or awl, or use limit.kind = \"none\"");
    return;
  }
  hw::check(iacm_params(p));
  require(!has_adi(p.iacm.order) || p.index.kind == IndexKind::adi, "iacm.order", order,
          "runs the adaptive index", "use index.kind = \"adi\", or iacm.order = \"awl\"");
  require(!has_awl(p.iacm.order) || p.limit.kind == LimitKind::adaptive, "iacm.order", order,
          "runs adaptive warp limiting", "use limit.kind = \"adaptive\", or iacm.order = \"adi\"");
}

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
