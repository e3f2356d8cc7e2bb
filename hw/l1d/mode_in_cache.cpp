#include "hw/l1d/mode_in_cache.h"

#include <array>

#include "hw/monitors/mode_selector.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr;

ModeSelectorParams selector_params(const L1dParams& p) {
  return {.address_bits = p.address_bits,
          .line_bytes = p.line_bytes,
          .chunk_bytes = p.chunk_bytes,
          .sets = sets_of(p),
          .fine_sets = p.mode.fine_sets,
          .coarse_sets = p.mode.coarse_sets,
          .threshold = p.mode.threshold};
}

void ModeInCache::check(const L1dParams& p) {
  if (!traits_of(p.tags).has_modes) {
    constexpr std::array names{"fine", "coarse", "dueling"};
    require(p.mode.kind == ModeKind::fine, "mode.kind", names[static_cast<std::size_t>(p.mode.kind)],
            "needs a cache whose accesses can be fine or coarse",
            "use tags.kind = \"split\", or mode.kind = \"fine\"");
    return;
  }
  if (p.mode.kind == ModeKind::dueling && !p.mode.follow) hw::check(selector_params(p));
}

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
