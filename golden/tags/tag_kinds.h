// The tag organisations that the models of the L1 data cache know, and what makes each of them.
#pragma once
#include <memory>

#include "golden/cache/functional_l1d.h"
#include "golden/cache/tag_store.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

struct TagKindRow {
  hw::TagKind kind;
  int compare_stages;  // between the index and the probe
  bool plans;          // slots are chosen a cycle ahead
  bool has_modes;      // [mode] counts
  std::unique_ptr<TagStore> (*store)(const hw::L1dParams&);
  std::unique_ptr<FunctionalL1d> (*untimed)(const hw::L1dParams&);  // a core of loops
  bool untimed_bypass;  // the core bypasses in the place of fails; it never has another policy
};

const TagKindRow& tag_kind(hw::TagKind kind);

}  // namespace golden
