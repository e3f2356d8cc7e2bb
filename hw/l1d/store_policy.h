// What a store does to a line that the cache holds: the line goes, or the store writes into it
// (`tags.store_policy`).
#pragma once
#include <memory>

#include "hw/tags/tag_store.h"

namespace hw {

class StorePolicy {
 public:
  virtual ~StorePolicy() = default;

  // What the store in the tag-lookup stage would write, and whether it waits for that.
  virtual StoreWrite write(rtl::Module& m, const ProbeStage& probe, TagStore& tags) const = 0;

  // Completes what a store, an atomic or a drop does to its line as it `leaves`, and what of that counts as
  // an invalidation.
  virtual void change(rtl::Module& m, ProbeStage& probe, const rtl::Expr& leaves) const = 0;

  // Its own counters.
  virtual Events events(const ProbeStage& probe) const = 0;
};

std::unique_ptr<StorePolicy> store_policy(StorePolicyKind kind);

}  // namespace hw
