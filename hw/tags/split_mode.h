// What a load of a cache with split tags looks for: the chunks that it asks for, or its whole line (TSC
// paper, section 3, TSC+).
#pragma once
#include "hw/tags/exchange.h"
#include "hw/tags/tag_params.h"

namespace hw {

struct Effective {
  rtl::Expr of_probe;
  rtl::Expr of_next;  // of the request that enters the tag-lookup stage, if it is a load; unknown with fine
                      // accesses
};

// Adds what settles it as the request enters the tag-lookup stage.
Effective effective_chunks(rtl::Module& m, const TagParams& p, const ProbeStage& probe,
                           const ControlSignals& controls);

}  // namespace hw
