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

MshrLines TagStore::mshr_lines() const {
  return {.set_bits = bits_to_number(p_.sets),
          .tag_bits = tag_bits_,
          .chunks = chunks_of_line(p_),
          .by_chunk = by_chunk(),
          .tag_is_line = p_.moving_sets};
}

}  // namespace hw
