#include "hw/l1d/adi_in_cache.h"

#include <fmt/format.h>

#include "hw/adaptive/adi_monitor.h"
#include "hw/l1d/l1d.h"

namespace hw {

using rtl::Expr, rtl::lit;

void AdiInCache::watch(rtl::Module& m, ProbeEvent& event) {
  m.section("Adaptive index.");
  const Expr valid_q = m.reg("watched_valid_q", 1, 0, "a load left the tag-lookup stage in the cycle before");
  const Expr line_q = m.data_reg("watched_block_address_q", event.line().width(), "line of that load");
  const Expr miss_q = m.data_reg("watched_miss_q", 1, "the observed load fetched");
  m.clocked("The load that the monitor watches.", [&] {
    m.set(valid_q, event.valid());
    m.set(line_q, event.line());
    m.set(miss_q, event.miss());
  });
  index_.after_move();
  const IndexSocket::Moves moves = index_.moves();
  Pins pins{{"probe_valid", valid_q},
            {"probe_block_address", line_q},
            {"probe_miss", miss_q},
            {"flush_ready", lit(1, 1)},
            {"flush_valid", moves.flush.when()}};
  for (const Control control : {Control("adi_start"), Control("round_done")})
    if (control.role(params_) != ControlRole::none) pins.emplace_back(control.name(), controls_[control]);
  for (std::size_t i = 0; i < moves.sels.size(); ++i)
    pins.emplace_back(fmt::format("sel{}", i), moves.sels[i]);
  m.instance(adi_monitor(monitor_params(params_), m.name() + "_monitor").module, "monitor", pins,
             "Chooses the address bits.");
}

}  // namespace hw
