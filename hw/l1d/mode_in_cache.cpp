#include "hw/l1d/mode_in_cache.h"

#include "hw/l1d/l1d.h"
#include "hw/mode/mode_selector.h"

namespace hw {

using rtl::Expr;

void ModeInCache::watch(rtl::Module& m, ProbeEvent& event) {
  m.section("Mode selection, beside the lookup.");
  const Expr notified = m.reg("notified_q", 1, 0, "a load left in the cycle before");
  const Expr set_q = m.data_reg("notified_set_q", event.set_index().width(), "set of that load");
  const Expr miss_q = m.data_reg("notified_miss_q", 1, "the observed load missed chunks");
  const Expr number = event.chunks();
  // A bypass counts nothing for the mode.
  const Expr miss = event.miss() & ~event.bypass();
  const Expr chunks_q = m.data_reg("notified_chunks_q", number.width(), "how many");
  m.clocked("The load that left.", [&] {
    m.set(notified, event.valid());
    m.when(event.valid(), [&] {
      m.set(set_q, event.set_index());
      m.set(miss_q, miss);
      m.set(chunks_q, number);
    });
  });
  m.instance(mode_choice(selector_params(params_), m.name() + "_mode_selector"), "mode_selector",
             {{"probe_valid", notified},
              {"probe_set", set_q},
              {"probe_miss", miss_q},
              {"probe_chunks", chunks_q},
              {"mode_coarse", mode_coarse_}},
             "Fine or coarse.");
}

}  // namespace hw
