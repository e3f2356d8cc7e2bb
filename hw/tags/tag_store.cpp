#include "hw/tags/tag_store.h"

#include "hw/prim/one_hot.h"

namespace hw {

const Causes& TagStore::causes(const ProbeStage& probe) {
  if (!causes_) causes_ = fail_causes(probe);
  return *causes_;
}

MshrLines TagStore::mshr_lines() const {
  return {.set_bits = bits_to_number(p_.sets),
          .tag_bits = tag_bits_,
          .chunks = chunks_of_line(p_),
          .by_chunk = by_chunk(),
          .tag_is_line = p_.moving_sets};
}

}  // namespace hw
