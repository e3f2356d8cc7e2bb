#include "hw/tags/tag_store.h"

#include "hw/prim/one_hot.h"

namespace hw {

const Causes& TagStore::causes(const ProbeStage& probe) {
  if (!causes_) causes_ = fail_causes(probe);
  return *causes_;
}

const rtl::Expr& TagStore::missed_number(const Verdict& verdict) {
  if (!missed_number_.known())
    missed_number_ = ones_of(m_, "missed_number", verdict.missed, "chunks that are fetched");
  return missed_number_;
}

}  // namespace hw
