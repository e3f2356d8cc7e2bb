// The counts of the adapter of a GPU core's bus: of lookups of the cache, or of its events.
#pragma once
#include <optional>

#include "hw/bus/vortex_adapter_params.h"
#include "hw/rtl/module.h"

namespace hw {

// What the cache shows of its lookups: one of the two.
struct LookupInputs {
  rtl::Expr looked_up, missed;
};
struct EventInputs {
  rtl::Expr loads, hits, stores, updates, no_entry, no_target;
};
struct CountInputs {
  std::optional<LookupInputs> lookups;
  std::optional<EventInputs> events;
};
CountInputs count_inputs(rtl::Module& m, const VortexAdapterParams& p);

// What the adapter itself sees. `several`: more ports than one have a request, where there are several.
struct AdapterStalls {
  rtl::Expr front, taken;
  std::optional<rtl::Expr> several;
  rtl::Expr memory, answer;
};
void add_counts(rtl::Module& m, const VortexAdapterParams& p, const CountInputs& inputs,
                const AdapterStalls& stalls);

}  // namespace hw
