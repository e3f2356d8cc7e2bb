// Tag store that plans a cycle ahead: a load that misses something makes its plan in its first cycle in the
// tag-lookup stage, and leaves in a later one.
#pragma once
#include "hw/tags/tag_store.h"

namespace hw {

class PlannedStore : public TagStore {
 public:
  using TagStore::TagStore;

  bool by_chunk() const override { return true; }
  Waiting waiting(const ProbeStage& probe, const rtl::Expr& grant_hit,
                  const rtl::Condition& refused) override;
  rtl::Condition undecided(const ProbeStage& probe) const override;

 protected:
  Causes fail_causes(const ProbeStage& probe) override;

  // The load stood in the tag-lookup stage in the cycle before, so that there is a plan.
  const rtl::Expr& planned() const { return planned_q_; }

  rtl::Expr enough_;            // the plan of the cycle before has a slot for each missed chunk
  rtl::Expr waits_, allocate_;  // the load becomes an MSHR target; its missed chunks take their slots

 private:
  void plan(const ProbeStage& probe);

  rtl::Expr planned_q_, plan_;
};

}  // namespace hw
