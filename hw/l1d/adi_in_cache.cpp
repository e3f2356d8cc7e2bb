#include "hw/l1d/adi_in_cache.h"

#include <fmt/format.h>

#include "hw/monitors/adi_monitor.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr, rtl::lit;

AdiMonitorParams monitor_params(const L1dParams& p) {
  return {.address_bits = p.address_bits,
          .line_bytes = p.line_bytes,
          .sets = sets_of(p),
          .period = p.adaptive.period,
          .counter_bits = p.adaptive.counter_bits,
          .idle = p.adaptive.idle,
          .steered = has_controller(p)};
}

void AdiInCache::check(const L1dParams& p) {
  if (p.index.kind != IndexKind::adi) return;
  require(sets_of(p) <= 1 << max_adi_index_bits, "index.kind", "adi",
          fmt::format("cannot index {} sets, only up to {}", sets_of(p), 1 << max_adi_index_bits),
          "use more ways or longer lines, or another index.kind");
  hw::check(monitor_params(p));
}

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
