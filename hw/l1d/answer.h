// Answers of the L1 data cache to the core: the hit, the waiting load and what memory answers directly take
// turns.
#pragma once
#include "hw/l1d/cache_ports.h"
#include "hw/l1d/recovery.h"
#include "hw/tags/tag_store.h"

namespace hw {

struct AnswerStage {
  Answers answers;
  rtl::Expr read_data;  // wire: the line read last
};

// `direct`: memory answers a request of the core. `recovery`: null where the data RAM is not protected.
AnswerStage answer_stage(rtl::Module& m, const CachePorts& ports, ProbeStage& probe, const rtl::Expr& direct,
                         TagStore& tags, RecoveryStage* recovery);

}  // namespace hw
